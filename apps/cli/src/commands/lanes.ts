import { operatorStatus } from '@sotto/routes';
import type { Command } from 'commander';
import { request, queriesService, operatedService, type ServiceOptions } from '../service.js';
import { show, table, type Terminal } from '../terminal.js';

/** Adds the command that lists the lanes, with their state in one instance of the service. */
export function addLanes(program: Command, terminal: Terminal): void {
  queriesService(
    program
      .command('lanes')
      .summary('accounts with their state, nonces and balances, as a running service sees them')
      .description(
        'Lists the accounts that sign, as seen by the instance that answers: role, state, the reason why an account accepts no work, nonces and balance.',
      ),
  ).action(async (options: ServiceOptions) => {
    const { lanes } = await request(operatedService(options, terminal.env), operatorStatus);
    show(terminal, options.json === true, lanes, (listed) =>
      table([
        ['ACCOUNT', 'ROLE', 'STATE', 'WHY', 'OPEN', 'NONCE', 'STRK'],
        ...listed.map((lane) => [
          lane.address,
          lane.role,
          lane.state,
          lane.reason ?? lane.paused ?? '-',
          String(lane.openNonces),
          lane.nonce ?? '?',
          lane.balanceFri === null ? '?' : strk(BigInt(lane.balanceFri)),
        ]),
      ]),
    );
  });
}

const FRI_PER_MILLI_STRK = 10n ** 15n;

/** Returns an amount in STRK, truncated to three decimals. */
export function strk(fri: bigint): string {
  const milli = fri / FRI_PER_MILLI_STRK;
  return `${milli / 1_000n}.${String(milli % 1_000n).padStart(3, '0')}`;
}
