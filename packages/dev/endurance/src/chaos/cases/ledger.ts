import { systemClock, toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { liveAttempts } from '../../ledger/read-ledger.js';
import { acceptanceOf, accountsOf } from '../../recovery/cases.js';
import { lanes } from '../../stack/chain.js';
import { withdrawalBody } from '../../stack/withdrawals.js';
import { OPERATOR_TOKEN, type Poll } from '../poll.js';
import { folderOf, type World } from '../world.js';
import { RESTARTS, anyOf, names, type ChaosCase, type Heal } from './chaos-case.js';

const hasForeignTransactions = (poll: Poll): boolean => poll.foreignTransactions > 0;

/** Number of a note that is withdrawn by the test itself and by no caller of the load. */
const OUTSIDE = 900_000;
/**
 * Shortened mempool lifetime. The default of five minutes is the time for which the network’s
 * mempool stores a transaction.
 */
const SHORT_MEMPOOL = { MEMPOOL_LIFETIME_MS: '5000' } as const;

async function inFlight(world: World): Promise<void> {
  await eventually(
    'something to be in flight',
    () => liveAttempts(world.stack.databaseFile).size > 0,
  );
}

const restored =
  (copy: boolean) =>
  async (world: World): Promise<Heal> => {
    const kept = copy ? world.stack.copyLedger() : null;
    await systemClock.sleep(2_000);
    await inFlight(world);
    await world.end(world.watched, 'SIGKILL');
    world.stack.replaceLedger(kept);
    await world.serve({ ACCEPT_EMPTY_LEDGER: await acceptanceOf(world.stack.chain, ['lane1']) });
    return async () => {};
  };

/** Resumes all lanes. An operator does this after finding out which other program uses a key. */
async function resumeLanes({ watched }: World): Promise<void> {
  for (const { address } of Object.values(lanes))
    await watched.request(`/api/operator/lanes/${toFelt(address)}/resume`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
}

const BEHIND = {
  alerts: [...RESTARTS.alerts, 'WithdrawalsImpossible', 'PoolLosesMoney'],
  why: 'the fault ends automatically; a restart exceeds the shortened `for`; no-ops cost gas',
} as const;

/** Cases in which the ledger or the accounts fail. */
export const LEDGER_CASES: readonly ChaosCase[] = [
  {
    name: 'lane removed',
    what: 'the service is killed with work in flight and restarted without one of its accounts',
    inflict: async (world) => {
      await world.stack.chain.control('pause');
      await inFlight(world);
      await systemClock.sleep(1_500);
      await world.end(world.watched, 'SIGKILL');
      await world.serve({ RELAY_ACCOUNTS: accountsOf(['lane1']) });
      return async () => {
        await world.stack.chain.control('resume');
      };
    },
    shows: (poll) => poll.lanes.some((lane) => !lane.configured && lane.openNonces > 0),
    alert: 'UnconfiguredNonces',
    others: RESTARTS,
  },
  {
    name: 'ledger restored',
    what: 'the service is killed with work in flight and restarted with a copy of its ledger that is some seconds old',
    env: SHORT_MEMPOOL,
    inflict: restored(true),
    shows: names('LEDGER_BEHIND_CHAIN'),
    alert: null,
    others: BEHIND,
  },
  {
    name: 'ledger lost',
    what: 'the service is killed with work in flight and restarted with an empty ledger',
    env: SHORT_MEMPOOL,
    inflict: restored(false),
    shows: names('LEDGER_BEHIND_CHAIN'),
    alert: null,
    others: BEHIND,
  },
  {
    name: 'one INSTANCE_ID twice',
    what: 'a second process with the same INSTANCE_ID works on the same ledger',
    inflict: async (world) => {
      const twin = await world.another({});
      return () => world.end(twin, 'SIGTERM');
    },
    shows: (poll) => poll.sharedInstanceIds > 0,
    alert: 'InstanceIdShared',
  },
  {
    name: 'two ledgers',
    what: 'a second deployment signs with the same accounts, but has a separate ledger',
    env: SHORT_MEMPOOL,
    inflict: async (world) => {
      const env = {
        INSTANCE_ID: 'chaos-other',
        DATABASE_PATH: folderOf(world.stack, 'second.sqlite'),
      };
      const other = await world.another(env, false);
      await other.ready();
      await other.accepted(withdrawalBody(OUTSIDE));
      world.requestedOutside.push(OUTSIDE);
      return async () => {
        await world.end(other, 'SIGTERM');
        await resumeLanes(world);
      };
    },
    shows: anyOf(hasForeignTransactions, names('LEDGER_BEHIND_CHAIN')),
    alert: 'WithdrawalsImpossible',
    others: {
      alerts: ['ForeignTransaction'],
      why: 'the chain has a transaction of the other deployment under a nonce that the service used',
    },
  },
  {
    name: 'key used elsewhere',
    what: 'another program sends a transaction with the key of an account',
    inflict: async (world) => {
      await world.stack.chain.control('takeNonce', { address: toFelt(lanes.lane1.address) });
      return () => resumeLanes(world);
    },
    shows: hasForeignTransactions,
    alert: 'ForeignTransaction',
  },
  {
    name: 'no funds',
    what: 'every relay account has less STRK than the resource bounds of a withdrawal require',
    inflict: async ({ stack: { chain } }) => {
      const set = async (fri: bigint): Promise<void> => {
        for (const { address } of Object.values(lanes))
          await chain.control('setStorage', {
            address: toFelt(sandboxWorld.tokens.STRK.address),
            key: `balance:${address.toString(16)}`,
            value: String(fri),
          });
      };
      await set(10n ** 18n);
      return () => set(10n ** 24n);
    },
    shows: names('LANES_SHORT_OF_FUNDS'),
    alert: 'WithdrawalsImpossible',
  },
];
