import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { createAccountKey } from '@sotto/relayer/operation';
import { InvalidFelt, causeCodeOf, toFelt, type Felt } from '@sotto/kernel';
import type { Command } from 'commander';
import { CannotRun, show, type Terminal } from '../terminal.js';

interface Options {
  readonly classHash: string;
  readonly out: string;
  readonly single?: true;
  readonly json?: true;
}

/** Adds the commands for keys of signing accounts. */
export function addKeys(program: Command, terminal: Terminal): void {
  program
    .command('keys')
    .description('keys of accounts that sign')
    .command('new')
    .summary('makes a key and prints the future address of its account')
    .description(
      'Draws a private key, writes it with its account’s address into a new file that only its owner can read, in the form of RELAY_ACCOUNTS_FILE, and prints address and public key. The private key is never printed. The class’s constructor must have the public key as its only argument, like OpenZeppelin’s account.',
    )
    .requiredOption('--class-hash <hash>', 'class of the account, declared on the network')
    .requiredOption('--out <file>', 'file for the key; it must not exist')
    .option(
      '--single',
      'write one account and no list: the form of SWAP_OWNER_ACCOUNT_FILE, CURATOR_ACCOUNT_FILE and TREASURY_ACCOUNT_FILE',
    )
    .option('--json', 'the result as one JSON value')
    .action(({ classHash: text, out, single, json }: Options) => {
      const classHash = classHashOf(text);
      const { privateKey, publicKey, address } = createAccountKey(classHash);
      const account = { address, privateKey };
      writeNew(out, JSON.stringify(single === true ? account : [account]));
      show(terminal, json === true, { address, publicKey, classHash, file: out }, (made) =>
        [
          `address     ${made.address}`,
          `public key  ${made.publicKey}`,
          `private key in ${made.file}, for its owner only`,
          '',
          'Next: send STRK to the address, then deploy the account from it (DEPLOY_ACCOUNT) with',
          `  class hash            ${made.classHash}`,
          `  salt                  ${made.publicKey}`,
          `  constructor calldata  [${made.publicKey}]`,
          '`sotto doctor` checks whether the account is deployed and accepts the key.',
        ].join('\n'),
      );
    });
}

function classHashOf(text: string): Felt {
  try {
    return toFelt(text);
  } catch (error) {
    if (error instanceof InvalidFelt)
      throw new CannotRun('--class-hash: must be the hash of a class, such as 0x5b4b…');
    throw error;
  }
}

/**
 * Writes a new file; an existing file is never overwritten. If the process is killed, the file
 * either does not exist or contains the whole key.
 */
function writeNew(file: string, text: string): void {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    writeFileSync(partial, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
    try {
      // A link never replaces a file, in contrast to a rename.
      linkSync(partial, file);
    } finally {
      rmSync(partial, { force: true });
    }
  } catch (error) {
    const code = causeCodeOf(error) ?? 'no cause';
    throw new CannotRun(
      code === 'EEXIST'
        ? '--out: the file exists, and a key is never overwritten'
        : `--out: the file cannot be written (${code})`,
    );
  }
}
