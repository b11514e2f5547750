import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  LedgerUnavailable,
  type ChainHead,
  type EngineStatus,
  type Lane,
  type LedgerState,
} from '@sotto/submission-core';
import { ControlLanes } from '../../src/status/application/control-lanes.js';
import { GetOperatorStatus } from '../../src/status/application/get-operator-status.js';
import { calm, clean, laneOf } from '@sotto/submission-core/testing';
import { guardedPool, operations } from '../../src/testing/index.js';
import type { GuardedPool } from '../../src/index.js';

const LANE = toFelt('0x7a1e5f');
const ready = laneOf({ address: LANE, role: 'relay', state: 'ready' });
const head: ChainHead = {
  chainId: toFelt('0x1'),
  blockNumber: 1,
  blockHash: toFelt('0xb1'),
  timestamp: 1,
  gasPrices: { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n },
  l1BlockNumber: null,
  accounts: new Map([[LANE, { nonce: 7n, balanceFri: 9n }]]),
};
const row: Lane = {
  address: LANE,
  role: 'relay',
  leasedTo: 'any',
  fence: 1n,
  nextNonce: 7n,
  quarantine: null,
  pausedFor: null,
};
const rows: LedgerState = {
  chain: { chainId: toFelt('0x1'), genesisHash: toFelt('0x9') },
  lastBlock: 4,
  nowMs: 1_000,
  possibleCopySinceMs: null,
  disprovedRefusals: 0,
  lanes: [row],
};

interface Staged {
  readonly read?: () => Promise<ChainHead>;
  readonly state?: () => Promise<LedgerState>;
  readonly list?: () => Promise<readonly GuardedPool[]>;
  readonly clock?: ManualClock;
  readonly status?: Partial<EngineStatus>;
  readonly lane?: Partial<Lane>;
}
const over = ({
  read = async () => head,
  status = {},
  lane = {},
  state = async () => ({ ...rows, lanes: [{ ...row, ...lane }] }),
  list = async () => [guardedPool],
  clock = new ManualClock(1_000),
}: Staged = {}) =>
  new GetOperatorStatus({
    engine: { status: () => ({ ...calm, lanes: [ready], stuck: operations.stuck, ...status }) },
    reader: { head: read },
    ledger: { state },
    auditor: { status: () => clean },
    nodes: { status: () => operations.nodes },
    controls: { list },
    slots: { counts: () => operations.load.admissions },
    inFlight: { counts: () => operations.load.requests },
    verdict: { current: () => operations.verdict },
    build: operations.build,
    clock,
  });

const never = () => new Promise<never>(() => undefined);
/** Waits until every source has responded, except for sources that hang. */
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('DescribeOperations', () => {
  it('combines the chain data and ledger data of each lane with the lane’s state in the engine', async () => {
    expect(await over().execute()).toEqual({
      lanes: [
        { ...ready, pausedFor: null, quarantine: null, account: { nonce: 7n, balanceFri: 9n } },
      ],
      lastPollMs: 995,
      ledger: { state: null, chain: rows.chain, lastBlock: 4 },
      audit: {
        lastBlock: 9,
        behindBlocks: 0,
        findings: clean.findings,
        problem: null,
        completedAgoMs: 0,
      },
      nodes: operations.nodes,
      stuck: operations.stuck,
      alarms: calm.alarms,
      clockSkewMs: calm.clockSkewMs,
      isStrict: false,
      pools: [guardedPool],
      verdict: operations.verdict,
      build: operations.build,
      load: operations.load,
      notAnswered: { node: null, store: null, pools: null },
    });
  });

  it('reports a lane’s pause or resume even before the next poll', async () => {
    const paused = over({ lane: { pausedFor: 'keys' } });
    expect((await paused.execute()).lanes).toMatchObject([
      { state: 'paused', reason: 'keys', pausedFor: 'keys' },
    ]);
    const unseen = over({
      lane: { pausedFor: 'keys' },
      status: { lanes: [{ ...ready, state: 'unknown', reason: 'NOT_LOOKED_AT' }] },
    });
    expect((await unseen.execute()).lanes).toMatchObject([{ state: 'paused', reason: 'keys' }]);
    const resumed = over({ status: { lanes: [{ ...ready, state: 'paused', reason: 'keys' }] } });
    expect((await resumed.execute()).lanes).toMatchObject([
      { state: 'unknown', reason: 'NOT_LOOKED_AT', pausedFor: null },
    ]);
    const resting = over({
      lane: { pausedFor: 'keys' },
      status: { lanes: [{ ...ready, state: 'resting', reason: 'WRONG_KEY' }] },
    });
    expect((await resting.execute()).lanes).toMatchObject([
      { state: 'resting', reason: 'WRONG_KEY', pausedFor: 'keys' },
    ]);
  });

  it('reports all values that do not come from the node while the node does not respond', async () => {
    const silent = over({
      read: async () => Promise.reject(new LedgerUnavailable({ message: 'any error' })),
    });
    expect(await silent.execute()).toMatchObject({
      lanes: [{ account: null }],
      pools: [guardedPool],
      notAnswered: { node: { code: 'LEDGER_UNAVAILABLE', cause: null, knownAgoMs: null } },
    });
    await expect(
      over({ read: async () => Promise.reject(new TypeError('a bug')) }).execute(),
    ).rejects.toBeInstanceOf(TypeError);
  });

  it.each(['node', 'store', 'pools'] as const)(
    'O6: returns the last known values within a second while the %s does not respond',
    async (part) => {
      const clock = new ManualClock(1_000);
      let hangs = false;
      const hanging =
        <T>(of: typeof part, value: T) =>
        (): Promise<T> =>
          hangs && of === part ? new Promise(() => undefined) : Promise.resolve(value);
      const status = over({
        read: hanging('node', head),
        state: hanging('store', { ...rows, lanes: [{ ...row, pausedFor: 'keys' }] }),
        list: hanging('pools', [guardedPool]),
        clock,
      });
      const before = await status.execute();
      clock.advance(5_000);
      hangs = true;
      const late = status.execute();
      await answered();
      clock.advance(700);
      const { notAnswered, ...shown } = await late;
      expect(notAnswered).toEqual({
        ...before.notAnswered,
        [part]: { code: 'TIMED_OUT', cause: null, knownAgoMs: 5_700 },
      });
      expect([shown.lanes, shown.ledger, shown.pools]).toEqual([
        before.lanes,
        before.ledger,
        before.pools,
      ]);
    },
  );

  it('O6: returns the operator status even if no source has ever responded', async () => {
    const clock = new ManualClock(1_000);
    const paused = laneOf({ address: LANE, role: 'relay', state: 'paused', reason: 'keys' });
    const staged = { read: never, state: never, list: never, clock, status: { lanes: [paused] } };
    const late = over(staged).execute();
    clock.advance(700);
    const missing = { code: 'TIMED_OUT', cause: null, knownAgoMs: null };
    expect(await late).toMatchObject({
      lanes: [{ state: 'paused', reason: 'keys', pausedFor: null, account: null }],
      ledger: { chain: null, lastBlock: null },
      pools: [],
      verdict: operations.verdict,
      build: operations.build,
      notAnswered: { node: missing, store: missing, pools: missing },
    });
  });
});

describe('ControlLanes', () => {
  it('stores the pause of a lane and returns the lane’s new state', async () => {
    const written: unknown[] = [];
    let wakes = 0;
    const ledger = {
      pauseLane: async (address: string, reason: string | null) => {
        written.push([address, reason]);
        return address === LANE;
      },
    };
    const control = new ControlLanes(
      ledger,
      { rereadLane: () => (wakes += 1) },
      over({ lane: { pausedFor: 'keys' } }),
    );
    expect(await control.pause(LANE, 'keys')).toMatchObject({
      address: LANE,
      state: 'paused',
      pausedFor: 'keys',
    });
    await control.resume(LANE);
    expect([written, wakes]).toEqual([
      [
        [LANE, 'keys'],
        [LANE, null],
      ],
      2,
    ]);
    await expect(control.resume(toFelt('0x1'))).rejects.toMatchObject({
      code: 'LANE_NOT_FOUND',
      kind: 'not_found',
    });
  });
});
