import { readdirSync } from 'node:fs';
import { systemClock, toFelt } from '@sotto/kernel';
import { eventually, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { liveAttempts } from '../ledger/read-ledger.js';
import { accountsOf, acceptanceOf } from '../recovery/cases.js';
import { Chain, lanes } from '../stack/chain.js';
import { withdrawalBody } from '../stack/withdrawals.js';
import { OPERATOR_TOKEN, type Look } from './look.js';
import { KILL_WORKERS, MOVE_CLOCK } from './service-orders.js';
import {
  exhaustDescriptors,
  folderOf,
  takeAllConnections,
  type Need,
  type World,
} from './world.js';

/** Ends a fault. */
type Heal = () => Promise<void>;

/** One way in which something that the service stands on fails. */
export interface ChaosCase {
  readonly name: string;
  /** For the report. */
  readonly what: string;
  readonly needs?: readonly Need[];
  /** Of the service. */
  readonly env?: Variables;
  readonly inflict: (world: World) => Promise<Heal>;
  /**
   * Whether one look at the operator's status shows the fault, and why; null where nothing is wrong
   * that it would show, and the alert alone says it.
   */
  readonly shows: ((look: Look) => boolean) | null;
  /** Alerts that fire while it lasts. */
  readonly must: readonly string[];
  /** Alerts that may. All others must not. */
  readonly may: readonly string[];
  /** Why callers can't be served to the end: then nothing is judged of them. */
  readonly unjudged?: string;
}

const HOUR_MS = 3_600_000;
const HALF_AN_HOUR_SECONDS = 1_800;
const BLOCKED = ['WithdrawalsImpossible', 'NotReady'] as const;
/** What follows from work that stands still, whatever has stopped it. */
const SLOW = [
  ...BLOCKED,
  'ChainNotRead',
  'NoUsableLane',
  'PoolBreakerOpen',
  'QueueGrowing',
  'PoolPaused',
  'StuckNonces',
  'SubmissionsFail',
] as const;
/** And from a process that is started again, or does not answer. */
const DOWN = ['InstanceDown', 'ServiceDown', ...SLOW] as const;

const anyOf =
  (...codes: readonly string[]) =>
  (look: Look): boolean =>
    look.isAnswered && codes.some((code) => look.codes.has(code));
const doesNotAnswer = (look: Look): boolean => !look.isAnswered;
const storeIsOut = anyOf('STORE_NOT_WRITABLE', 'STORE_UNREACHABLE');
const hasForeignTransactions = (look: Look): boolean => look.foreignTransactions > 0;

async function inFlight(world: World): Promise<void> {
  await eventually(
    'something to be in flight',
    () => liveAttempts(world.stack.databaseFile).size > 0,
  );
}

const shift =
  (byMs: number) =>
  async (world: World): Promise<Heal> => {
    world.watched.process.send(`${MOVE_CLOCK}${byMs}`);
    return async () => world.watched.process.send(`${MOVE_CLOCK}0`);
  };

const disk =
  (fail: (world: World) => void) =>
  async (world: World): Promise<Heal> => {
    fail(world);
    return async () => world.shim.pass();
  };

const wire =
  (passage: 'mute-requests' | 'mute-answers') =>
  async (world: World): Promise<Heal> => {
    world.postgres.proxy.set(passage);
    return async () => {
      world.postgres.proxy.set('reset');
      world.postgres.proxy.set('pass');
    };
  };

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

/** What an operator does when what has used the key is found. */
async function resumeLanes({ watched }: World): Promise<void> {
  for (const { address } of Object.values(lanes))
    await watched.request(`/api/operator/lanes/${toFelt(address)}/resume`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
}

/** A withdrawal that no caller asks for. */
const OUTSIDE = 900_000;
const EMPTY = [
  'starknet_call',
  'starknet_getClassHashAt',
  'starknet_getNonce',
  'starknet_getClassAt',
  'starknet_getStorageAt',
];
const CONTRACT_NOT_FOUND = 20;
const WORKERS_DIE_EVERY_MS = 50;

export const CHAOS_CASES: readonly ChaosCase[] = [
  {
    name: 'held up',
    what: 'the only instance stands still (SIGSTOP)',
    inflict: async ({ watched }) => {
      watched.kill('SIGSTOP');
      return async () => watched.kill('SIGCONT');
    },
    shows: doesNotAnswer,
    must: ['InstanceDown', 'ServiceDown'],
    may: DOWN,
  },
  {
    name: 'clock ahead',
    what: 'the clock of the machine steps an hour ahead',
    inflict: shift(HOUR_MS),
    shows: ({ clockSkewSeconds }) => clockSkewSeconds > HALF_AN_HOUR_SECONDS,
    must: ['ClockSkew'],
    may: [...SLOW, 'PriceSourceDown', 'HeadTooOld'],
  },
  {
    name: 'clock behind',
    what: 'the clock of the machine steps an hour back',
    inflict: shift(-HOUR_MS),
    shows: ({ clockSkewSeconds }) => clockSkewSeconds > HALF_AN_HOUR_SECONDS,
    must: ['ClockSkew'],
    may: [...SLOW, 'PriceSourceDown', 'HeadTooOld'],
  },
  {
    name: 'disk full',
    what: 'each write to the ledger and to the log beside it fails with ENOSPC',
    needs: ['compiler'],
    inflict: disk(({ shim }) => shim.failWrites('ENOSPC')),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'read-only',
    what: 'each write to the ledger and to the log beside it fails with EROFS',
    needs: ['compiler'],
    inflict: disk(({ shim }) => shim.failWrites('EROFS')),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'broken disk',
    what: 'each write to the ledger and to the log beside it fails with EIO',
    needs: ['compiler'],
    inflict: disk(({ shim }) => shim.failWrites('EIO')),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'failing fsync',
    what: 'writes to the ledger are taken, and no sync of them succeeds',
    needs: ['compiler'],
    inflict: disk(({ shim }) => shim.failSyncs('EIO')),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'PostgreSQL killed',
    what: 'the database server is killed, and started again when the fault ends',
    needs: ['postgres'],
    inflict: async ({ postgres }) => {
      await postgres.server.crash();
      return () => postgres.server.startAgain();
    },
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'PostgreSQL paused',
    what: 'every process of the database server stands still (SIGSTOP)',
    needs: ['postgres'],
    inflict: async ({ postgres }) => {
      postgres.server.pause();
      return async () => postgres.server.goOn();
    },
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'no connections left',
    what: 'the database server ends the service’s sessions, and others take all that there are',
    needs: ['postgres'],
    inflict: async ({ postgres }) => takeAllConnections(postgres.ownUrl),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'half-open towards the database',
    what: 'connections to the database stay open, and nothing that the service sends arrives',
    needs: ['postgres'],
    inflict: wire('mute-requests'),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'half-open from the database',
    what: 'connections to the database stay open, and nothing that it answers arrives',
    needs: ['postgres'],
    inflict: wire('mute-answers'),
    shows: storeIsOut,
    must: ['StoreNotWritable', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'black hole',
    what: 'the node takes every request and answers none',
    inflict: async (world) => {
      world.nodesDo({ kind: 'accept-and-hang' });
      return async () => world.nodesPass();
    },
    shows: anyOf('NODE_UNREACHABLE', 'TIMED_OUT node'),
    must: ['NodeUnreachable', ...BLOCKED],
    may: [...SLOW, 'PriceSourceDown', 'HeadTooOld'],
  },
  {
    name: 'lagging node',
    what: 'the node’s newest block stays as it is',
    env: { HEAD_MAX_AGE_MS: '5000' },
    inflict: async ({ stack: { chain } }) => {
      await chain.control('pause');
      return async () => {
        await chain.control('resume');
      };
    },
    shows: anyOf('HEAD_TOO_OLD'),
    must: [...BLOCKED],
    may: [...SLOW, 'HeadTooOld'],
  },
  {
    name: 'disagreeing nodes',
    what: 'the second of two nodes names lower nonces for the same blocks',
    needs: ['second node'],
    inflict: async (world) => {
      world.nodesDo({ kind: 'old-nonce', behind: 3 }, ['starknet_getNonce'], [1]);
      return async () => world.nodesPass();
    },
    shows: ({ disagreements }) => disagreements.length > 0,
    must: ['NodesDisagree'],
    may: [...SLOW],
  },
  {
    name: 'empty chain',
    what: 'the node serves the right chain id, and none of the contracts',
    inflict: async (world) => {
      world.nodesDo({ kind: 'refuse', code: CONTRACT_NOT_FOUND }, EMPTY);
      return async () => world.nodesPass();
    },
    shows: anyOf('CHAIN_WITHOUT_OUR_CONTRACTS'),
    must: [...BLOCKED],
    may: [...SLOW, 'PriceSourceDown', 'LaneOutOfWork'],
  },
  {
    name: 'another chain',
    what: 'a development chain is started again from its genesis, with the same id',
    inflict: async ({ stack, wire: between }) => {
      const other = await Chain.start(folderOf(stack, 'other-chain.log'));
      between.pointTo(other.urls.rpcUrl);
      return async () => {
        between.pointTo(stack.chain.urls.rpcUrl);
        await other.stop();
      };
    },
    shows: anyOf('LEDGER_OF_ANOTHER_CHAIN', 'LEDGER_ANOTHER_CHAIN'),
    must: [...BLOCKED],
    may: [...SLOW, 'LedgerBehindChain', 'LaneOutOfWork', 'HeadTooOld', 'ChainContradictsItself'],
  },
  {
    name: 'workers die',
    what: 'every worker thread dies as soon as it has begun, as after a kill for memory',
    inflict: async ({ watched }) => {
      const kill = setInterval(() => watched.process.send(KILL_WORKERS), WORKERS_DIE_EVERY_MS);
      return async () => clearInterval(kill);
    },
    shows: (look) =>
      look.codes.has('TIMED_OUT verifier') ||
      [...look.codes].some((code) => code.startsWith('VERIFIER_')),
    must: [...BLOCKED],
    may: SLOW,
  },
  {
    name: 'no descriptors left',
    what: 'the process may open nothing more',
    inflict: async ({ watched: { process: child } }) => {
      const { pid = 0 } = child;
      // Below what is open, so that what closes gives nothing free.
      const free = exhaustDescriptors(pid, readdirSync(`/proc/${pid}/fd`).length - 3);
      return async () => free();
    },
    shows: (look) => !look.isAnswered || !look.canWithdraw,
    must: [],
    may: [
      ...SLOW,
      'InstanceDown',
      'ServiceDown',
      'PushLost',
      'NodeUnreachable',
      'PriceSourceDown',
      'StoreNotWritable',
    ],
  },
  {
    name: 'price source away',
    what: 'the market-price interface refuses every connection',
    inflict: async ({ prices }) => {
      prices.set('reset');
      return async () => prices.set('pass');
    },
    shows: anyOf('PRICES_UNAVAILABLE'),
    must: ['PriceSourceDown', ...BLOCKED],
    may: SLOW,
  },
  {
    name: 'lane removed',
    what: 'the service is killed with work in flight, and started without one of its accounts',
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
    shows: (look) => look.lanes.some((lane) => !lane.configured && lane.openNonces > 0),
    must: ['UnconfiguredNonces'],
    may: [...DOWN, 'HeadTooOld'],
  },
  {
    name: 'ledger restored',
    what: 'the service is killed with work in flight, and started over a copy of its ledger that is some seconds old',
    inflict: restored(true),
    shows: anyOf('LEDGER_BEHIND_CHAIN'),
    must: [],
    // No-ops that take the nonces in question cost gas.
    may: [...DOWN, 'LedgerBehindChain', 'LaneOutOfWork', 'PoolLosesMoney'],
  },
  {
    name: 'ledger lost',
    what: 'the service is killed with work in flight, and started over an empty ledger',
    inflict: restored(false),
    shows: anyOf('LEDGER_BEHIND_CHAIN'),
    must: [],
    // No-ops that take the nonces in question cost gas.
    may: [...DOWN, 'LedgerBehindChain', 'LaneOutOfWork', 'PoolLosesMoney'],
  },
  {
    name: 'one INSTANCE_ID twice',
    what: 'a second process works on the same ledger under the same name',
    inflict: async (world) => {
      const twin = await world.another({});
      return () => world.end(twin, 'SIGTERM');
    },
    shows: (look) => look.sharedInstanceIds > 0,
    must: ['InstanceIdShared'],
    may: SLOW,
  },
  {
    name: 'two ledgers',
    what: 'a second deployment signs with the same accounts over a ledger of its own',
    inflict: async (world) => {
      const other = await world.another({
        INSTANCE_ID: 'chaos-other',
        DATABASE_PATH: folderOf(world.stack, 'second.sqlite'),
      });
      await other.ready();
      await other.accepted(withdrawalBody(OUTSIDE));
      world.askedOutside.push(OUTSIDE);
      return async () => {
        await world.end(other, 'SIGTERM');
        await resumeLanes(world);
      };
    },
    shows: hasForeignTransactions,
    must: ['ForeignTransaction'],
    may: [...DOWN, 'LaneOutOfWork', 'AuditContradiction', 'LedgerBehindChain', 'ClockSkew'],
  },
  {
    name: 'key used elsewhere',
    what: 'another program sends a transaction with the key of an account',
    inflict: async (world) => {
      await world.stack.chain.control('takeNonce', { address: toFelt(lanes.lane1.address) });
      return () => resumeLanes(world);
    },
    shows: hasForeignTransactions,
    must: ['ForeignTransaction', 'LaneOutOfWork'],
    may: [...SLOW, 'AuditContradiction'],
  },
  {
    name: 'no funds',
    what: 'all accounts that relay hold less than the bounds of a withdrawal',
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
    shows: (look) => [...look.codes].some((code) => code.startsWith('LANES_SHORT_OF_FUNDS')),
    must: ['LanesShortOfFunds', ...BLOCKED],
    may: [...SLOW, 'LaneFundsLow'],
  },
  {
    name: 'push lost',
    what: 'what the node pushes over WebSocket can not be had; its requests are answered',
    inflict: async ({ push }) => {
      push.set('reset');
      return async () => push.set('pass');
    },
    // A hint is missed, and nothing else: callers are served as before.
    shows: null,
    must: ['PushLost'],
    may: [],
  },
];
