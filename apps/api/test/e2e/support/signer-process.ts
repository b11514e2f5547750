import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toFelt } from '@sotto/kernel';
import { Child, keyed, writeJson, type KeyedAccount, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { pool } from './withdrawals.js';

const { accounts, chainId } = sandboxWorld;
const PROGRAM = import.meta.resolve('@sotto/signer');
const PLENTY = '1'.padEnd(30, '0');
const bound = (maxAmount: string) => ({ maxAmount, maxPriceFri: '1000000000000000' });

/** Policy for the withdrawals of one account. */
export const policyFor = (address: bigint) => ({
  version: 1,
  chainId,
  budget: { perHourFri: PLENTY, perDayFri: PLENTY },
  accounts: [
    {
      address: toFelt(address),
      messages: ['FeeQuote', 'ServiceStatus'],
      calls: [{ contract: toFelt(pool.address), entrypoint: 'withdraw', opaque: true }],
      bounds: { l2Gas: bound('1200000000'), l1Gas: bound('256'), l1DataGas: bound('20480') },
    },
  ],
});

interface SignerOptions {
  /** @default the sandbox's first lane */
  readonly account?: KeyedAccount;
  readonly policy?: object;
  readonly env?: Variables;
  readonly destination?: number;
}

/**
 * Starts the built signer. Its socket, book and policy are in the folder.
 * @param options a policy that is named replaces the one in the folder
 */
export function signerProcess(
  folder: string,
  { account = accounts.lane1, policy, env = {}, destination }: SignerOptions = {},
): Child {
  const policyFile = join(folder, 'policy.json');
  if (policy !== undefined || !existsSync(policyFile))
    writeJson(folder, 'policy.json', policy ?? policyFor(account.address));
  return new Child({
    name: 'signer',
    program: PROGRAM,
    destination,
    env: {
      MODE: 'development',
      SIGNER_LISTEN: signerUrl(folder),
      SIGNER_KEYS: JSON.stringify([keyed(account)]),
      SIGNER_POLICY: policyFile,
      SIGNER_BOOK_PATH: join(folder, 'book.sqlite'),
      ...env,
    },
  });
}

export const signerUrl = (folder: string): string => `unix:${join(folder, 'signer.sock')}`;

/** Resolves when the signer answers. @throws EndedEarly */
export function signerListens(signer: Child): Promise<true> {
  return signer.line((line) => (line.includes('"message":"listening"') ? true : undefined));
}
