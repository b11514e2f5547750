import { openParts } from '@sotto/relayer/operation';
import { NothingToAccept, acceptanceNow } from '@sotto/submission-core';
import type { Command } from 'commander';
import { settingsOf, takesSettings, type Settings, type SettingsOptions } from '../environment.js';
import { CannotRun, EXIT, show, type Terminal } from '../terminal.js';

const NOTE = `Set this for the first start, and only when nothing else signs with these accounts and all that they have sent is included.
It is void as soon as one of the nonces differs.`;

interface Options extends SettingsOptions {
  readonly json?: true;
}

/**
 * Adds the command that prints the value which the operator must assign to `ACCEPT_EMPTY_LEDGER`.
 * The command writes no file and sends no transaction.
 */
export function addAcceptLedger(program: Command, terminal: Terminal): void {
  takesSettings(
    program
      .command('accept-ledger')
      .summary('prints the value of ACCEPT_EMPTY_LEDGER for the service’s first start')
      .description(
        'Reads the service’s settings and queries its node for the nonces of all accounts. Prints the line to set for the first start with an empty ledger; writes and sends nothing.',
      ),
  )
    .option('--json', 'the value as one JSON value')
    .action(async (options: Options) => {
      // The current value is ignored, because it may be the problem that the operator wants to fix.
      const env = { ...terminal.env, ACCEPT_EMPTY_LEDGER: undefined };
      const value = await currentAcceptance(settingsOf(options, env));
      terminal.progress(NOTE);
      show(
        terminal,
        options.json === true,
        { ACCEPT_EMPTY_LEDGER: value },
        (line) => `ACCEPT_EMPTY_LEDGER=${line.ACCEPT_EMPTY_LEDGER}`,
      );
    });
}

async function currentAcceptance(settings: Settings): Promise<string> {
  const { network, lanes } = settings;
  const nodes = openParts(settings).nodes();
  const [node] = nodes;
  if (node === undefined) throw new CannotRun('the settings name no node');
  try {
    const reader = node.reader();
    const accounts = lanes.map(({ address }) => address);
    return await acceptanceNow({ reader, chainId: network.chainId, accounts });
  } catch (error) {
    if (error instanceof NothingToAccept) throw new CannotRun(error.message, EXIT.fault);
    throw error;
  } finally {
    for (const each of nodes) each.close();
  }
}
