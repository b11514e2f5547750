import { beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt, type Clock, type Felt } from '@sotto/kernel';
import type { GuardedPool, PoolVerdict } from '@sotto/relayer-core';
import { LedgerUnavailable, type ChainHead, type ChainReader, type EngineStatus, type LaneRole } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';
import { operationMetrics } from '../../src/observability/operation-metrics.js';
import { RememberedAccounts } from '../../src/observability/remembered-accounts.js';
import { guardedPool, operations } from '../integration/operator-fixture.js';

const NOW_MS = 1_760_000_000_000;
const STRK = 10n ** 18n;
const clock: Clock = { ...systemClock, nowMs: () => NOW_MS };
const [first, second, owner] = ['0xacc1', '0xacc2', '0xacc5'].map(toFelt);

const lane = (address: Felt | undefined, role: LaneRole, state: EngineStatus['lanes'][number]['state']) => {
  if (address === undefined) throw new Error('there is no such account');
  return { address, role, state };
};
const open: PoolVerdict = { kind: 'open' };
const paused: PoolVerdict = { kind: 'paused', cause: 'reverts', reason: null, untilMs: null };
const exhausted: PoolVerdict = { kind: 'exhausted', scope: 'pool', untilMs: NOW_MS };
const trial: PoolVerdict = { kind: 'trial', cause: 'losses', claim: 'a claim' };

/** Sources that a test changes, and the text that comes of them. */
class Scene {
  readonly metrics = new Metrics(false, 20);
  readonly accounts = new RememberedAccounts();
  status: EngineStatus = {
    lanes: [lane(first, 'relay', 'ready'), lane(second, 'relay', 'short_of_funds'), lane(owner, 'swap_owner', 'full')],
    lastLookMs: NOW_MS - 1_500,
    stuck: [],
  };
  waiting: (role: LaneRole) => Promise<number> = async (role) => (role === 'relay' ? 7 : 0);
  verdicts: readonly (readonly [relays: PoolVerdict, batches: PoolVerdict])[] = [[open, open]];
  guard: () => Promise<readonly GuardedPool[]> = async () =>
    this.verdicts.map(([relays, batches]) => ({ ...guardedPool, relays, batches }));
  slots = { running: 3, waiting: 8, refused: 9 };
  requests = { requests: 5, clients: 2, refused: 4 };

  constructor() {
    operationMetrics(this.metrics, {
      engine: { status: () => this.status },
      accounts: this.accounts,
      ledger: { countWaiting: (role) => this.waiting(role) },
      guard: { pools: () => this.guard() },
      slots: { counts: () => this.slots },
      inFlight: { counts: () => this.requests },
      clock,
    });
  }

  async lines(name: string): Promise<readonly string[]> {
    const text = await this.metrics.text();
    return text.split('\n').filter((line) => line.startsWith(name));
  }
}

describe('metrics of lanes, pools and load', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });

  it('count lanes by role and state, with the states that none is in', async () => {
    const lines = await scene.lines('sotto_lanes{');
    expect(lines).toHaveLength(10);
    expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
      'sotto_lanes{role="relay",state="ready"} 1',
      'sotto_lanes{role="relay",state="short_of_funds"} 1',
      'sotto_lanes{role="swap_owner",state="full"} 1',
    ]);
  });

  it('tell what accounts hold by role and place, never by address, and only what a look at the chain has shown', async () => {
    expect(await scene.lines('sotto_lane_balance_strk{')).toEqual([]);
    const accounts = new Map(
      [second, owner].flatMap((address, index) =>
        address === undefined ? [] : [[address, { nonce: 1n, balanceFri: (BigInt(index) + 2n) * STRK }] as const],
      ),
    );
    const head: ChainHead = { blockNumber: 1, gasPrices: { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n }, accounts };
    const reader: ChainReader = { head: async () => head, sightings: async (hashes) => hashes.map(() => ({ kind: 'unknown' })) };
    const watched = scene.accounts.watch(reader);
    expect(await watched.head([])).toBe(head);
    expect(await watched.sightings([toFelt('0x1')])).toEqual([{ kind: 'unknown' }]);
    expect(await scene.lines('sotto_lane_balance_strk{')).toEqual([
      'sotto_lane_balance_strk{role="relay",index="1"} 2',
      'sotto_lane_balance_strk{role="swap_owner",index="0"} 3',
    ]);
    expect(await scene.metrics.text()).not.toMatch(/acc[125]/);
  });

  it('tell how old the last look is, and nothing before the first', async () => {
    expect(await scene.lines('sotto_chain_look_age_seconds')).toEqual(['sotto_chain_look_age_seconds 1.5']);
    scene.status = { ...scene.status, lastLookMs: null };
    expect(await scene.lines('sotto_chain_look_age_seconds')).toEqual(['sotto_chain_look_age_seconds Nan']);
  });

  it('count stuck nonces without naming them', async () => {
    expect(await scene.lines('sotto_stuck_nonces')).toEqual(['sotto_stuck_nonces 0']);
    scene.status = { ...scene.status, stuck: operations.stuck };
    expect(await scene.lines('sotto_stuck_nonces')).toEqual([`sotto_stuck_nonces ${operations.stuck.length}`]);
  });

  it('count pools by what they wait for; one that is being tried takes withdrawals', async () => {
    scene.verdicts = [
      [paused, open],
      [paused, exhausted],
      [trial, open],
    ];
    const lines = await scene.lines('sotto_paused_pools{');
    expect(lines).toHaveLength(12);
    expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
      'sotto_paused_pools{kind="withdrawals",cause="reverts"} 2',
      'sotto_paused_pools{kind="batches",cause="budget"} 1',
    ]);
  });

  it('tell queues by role, and what is admitted and turned away', async () => {
    expect(await scene.lines('sotto_queue_length{')).toEqual([
      'sotto_queue_length{role="relay"} 7',
      'sotto_queue_length{role="swap_owner"} 0',
    ]);
    expect(await scene.lines('sotto_admissions{')).toEqual(['sotto_admissions{state="running"} 3', 'sotto_admissions{state="waiting"} 8']);
    expect(await scene.lines('sotto_requests_in_flight')).toEqual(['sotto_requests_in_flight 5']);
    expect(await scene.lines('sotto_clients_in_flight')).toEqual(['sotto_clients_in_flight 2']);
    expect(await scene.lines('sotto_turned_away_total{')).toEqual([
      'sotto_turned_away_total{by="admissions"} 9',
      'sotto_turned_away_total{by="requests"} 4',
    ]);
  });

  it('leave out what a store that is down does not tell, and wait for a slow one no longer than they may', async () => {
    await scene.metrics.text();
    scene.waiting = () => new Promise(() => undefined);
    scene.guard = async () => {
      throw new LedgerUnavailable('the store is away');
    };
    const startedMs = performance.now();
    expect(await scene.lines('sotto_paused_pools{')).toEqual([]);
    expect(await scene.lines('sotto_queue_length{role="relay"}')).toEqual(['sotto_queue_length{role="relay"} 7']);
    expect(await scene.lines('sotto_lanes{')).toHaveLength(10);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
