import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import type { GuardedPool, PoolVerdict } from '@sotto/relayer-core';
import {
  LedgerUnavailable,
  type AuditStatus,
  type ChainHead,
  type ChainReader,
  type EngineStatus,
  type LaneRole,
  type LaneStatus,
} from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';
import { BalanceCache, relayerMetrics, submissionMetrics } from '@sotto/adapter-observability';
import { calm, clean, laneOf } from '@sotto/submission-core/testing';
import { guardedPool, operations } from '@sotto/relayer-core/testing';

const NOW_MS = 1_760_000_000_000;
const STRK = 10n ** 18n;
const [first, second, owner] = ['0xacc1', '0xacc2', '0xacc5'].map(toFelt);

const POOL = toFelt('0xaa1');

const lane = (
  address: Felt | undefined,
  role: LaneRole,
  state: LaneStatus['state'],
  more: Partial<LaneStatus> = {},
) => {
  if (address === undefined) throw new Error('there is no such account');
  return laneOf({ address, role, state, ...more });
};
const block = {
  chainId: toFelt('0x1'),
  blockNumber: 1,
  blockHash: toFelt('0xb1'),
  timestamp: 1,
  l1BlockNumber: null,
};
const open: PoolVerdict = { kind: 'open' };
const paused: PoolVerdict = { kind: 'paused', cause: 'reverts', reason: null, untilMs: null };
const exhausted: PoolVerdict = { kind: 'exhausted', scope: 'pool', untilMs: NOW_MS };
const trial: PoolVerdict = { kind: 'trial', cause: 'losses', claim: 'a claim' };

/**
 * Fixture: the sources of the metrics, which a test changes, and the text of the metrics that
 * results from these sources.
 */
class Scene {
  readonly metrics = new Metrics(false, 20);
  readonly accounts = new BalanceCache();
  status: EngineStatus = {
    ...calm,
    lanes: [
      lane(first, 'relay', 'ready'),
      lane(second, 'relay', 'short_of_funds'),
      lane(owner, 'swap_owner', 'full'),
    ],
    polledAgoMs: 1_500,
  };
  waiting: (role: LaneRole) => Promise<number> = async (role) => (role === 'relay' ? 7 : 0);
  verdicts: readonly (readonly [relays: PoolVerdict, batches: PoolVerdict])[] = [[open, open]];
  guard: () => Promise<readonly GuardedPool[]> = async () =>
    this.verdicts.map(([relays, batches]) => ({ ...guardedPool, relays, batches }));
  readonly leaves = new Map([[POOL, 99]]);
  audit: AuditStatus = clean;
  readonly clock = new ManualClock();
  slots = { running: 3, waiting: 8, refused: 9 };
  requests = { requests: 5, clients: 2, refused: 4 };

  constructor() {
    submissionMetrics(this.metrics, {
      engine: {
        status: () => this.status,
        neededFri: ({ l2GasFri }) => 29n * STRK * l2GasFri,
      },
      accounts: this.accounts,
      ledger: { countWaiting: (role) => this.waiting(role) },
      auditor: { status: () => this.audit },
      clock: this.clock,
    });
    relayerMetrics(this.metrics, {
      leaves: { left: (pool) => this.leaves.get(pool) },
      pools: [
        { key: 'sentinel_1x', address: POOL },
        { key: 'never_read', address: toFelt('0xaa2') },
      ],
      guard: { pools: () => this.guard() },
      slots: { counts: () => this.slots },
      inFlight: { counts: () => this.requests },
      connections: { counts: () => ({ open: 21, refused: 8 }) },
      waits: { counts: () => ({ waiting: 3, refused: 2 }) },
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

  it('S7 the metrics count pools in which users have lost more than the loss budget', async () => {
    scene.guard = async () => [true, false, true].map((isStrict) => ({ ...guardedPool, isStrict }));
    expect(await scene.lines('sotto_strict_pools')).toEqual(['sotto_strict_pools 2']);
  });

  it('O2 the metrics contain each pool’s earnings, costs and losses of the last hour in STRK', async () => {
    const [earnedFri, spentFri, lostFri] = [3n * 10n ** 18n, 2n * 10n ** 18n, 10n ** 18n];
    const money = { ...guardedPool.money, earnedFri, spentFri, lostFri };
    scene.guard = async () => [{ ...guardedPool, money }];
    expect(await scene.lines('sotto_pool_pnl_strk')).toEqual([
      'sotto_pool_pnl_strk{pool="sentinel_1x",kind="earned"} 3',
      'sotto_pool_pnl_strk{pool="sentinel_1x",kind="spent"} 2',
      'sotto_pool_pnl_strk{pool="sentinel_1x",kind="lost"} 1',
    ]);
  });

  it('the metrics count lanes by role and state, including states without lanes', async () => {
    const lines = await scene.lines('sotto_lanes{');
    expect(lines).toHaveLength(18);
    expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
      'sotto_lanes{role="relay",state="ready"} 1',
      'sotto_lanes{role="relay",state="short_of_funds"} 1',
      'sotto_lanes{role="swap_owner",state="full"} 1',
    ]);
  });

  it('the metrics report by reason code why lanes accept no work', async () => {
    expect(await scene.lines('sotto_lanes_out_of_work')).toEqual([]);
    scene.status = {
      ...scene.status,
      lanes: [
        laneOf({
          address: toFelt('0x1'),
          role: 'curator',
          state: 'retiring',
          reason: 'NOT_IN_SETTINGS',
          openNonces: 3,
          isConfigured: false,
        }),
        lane(first, 'relay', 'resting', { reason: 'WRONG_KEY' }),
        lane(second, 'relay', 'paused', { reason: 'marker of an operator' }),
        lane(owner, 'relay', 'paused', { reason: 'another marker' }),
      ],
    };
    expect(await scene.lines('sotto_lanes_out_of_work{')).toEqual([
      'sotto_lanes_out_of_work{role="relay",reason="WRONG_KEY"} 1',
      'sotto_lanes_out_of_work{role="relay",reason="other"} 2',
    ]);
    expect(await scene.lines('sotto_open_nonces{')).toEqual([
      'sotto_open_nonces{role="curator",configured="no"} 3',
      'sotto_open_nonces{role="relay",configured="yes"} 0',
    ]);
    expect(await scene.metrics.text()).not.toContain('marker');
  });

  it('the metrics contain the state of the ledger, the counts of alarms, and clock differences', async () => {
    scene.status = {
      ...scene.status,
      ledger: 'LEDGER_BEHIND_CHAIN',
      alarms: {
        foreign: 1,
        reopened: 2,
        reopenedFinal: 5,
        disprovedRefusals: 3,
        sharedInstanceIds: 4,
      },
      clockSkewMs: { store: 1_500, chain: null },
      isStrict: true,
    };
    expect(await scene.lines('sotto_ledger_state{')).toEqual([
      'sotto_ledger_state{state="UP_TO_DATE"} 0',
      'sotto_ledger_state{state="NOT_READ"} 0',
      'sotto_ledger_state{state="NOT_JUDGED"} 0',
      'sotto_ledger_state{state="LEDGER_OF_ANOTHER_CHAIN"} 0',
      'sotto_ledger_state{state="LEDGER_BEHIND_CHAIN"} 1',
    ]);
    expect(await scene.lines('sotto_alarms_total{')).toEqual([
      'sotto_alarms_total{alarm="foreign_transaction"} 1',
      'sotto_alarms_total{alarm="reopened_nonce"} 2',
      'sotto_alarms_total{alarm="reopened_final_nonce"} 5',
      'sotto_alarms_total{alarm="disproved_refusal"} 3',
      'sotto_alarms_total{alarm="shared_instance_id"} 4',
    ]);
    expect(await scene.lines('sotto_refusals_believed')).toEqual(['sotto_refusals_believed 0']);
    expect(await scene.lines('sotto_clock_skew_seconds{')).toEqual([
      'sotto_clock_skew_seconds{against="store"} 1.5',
    ]);
  });

  it('the metrics contain the findings and the progress of the audit', async () => {
    scene.audit = {
      ...clean,
      findings: { ...clean.findings, ATTEMPT_PAID_TWICE: 1 },
      unrepeated: 2,
      behindBlocks: 7,
    };
    scene.clock.advance(1_500);
    const found = await scene.lines('sotto_audit_findings{');
    expect([found.length, found[0]]).toEqual([
      9,
      'sotto_audit_findings{code="ATTEMPT_PAID_TWICE"} 1',
    ]);
    expect(await scene.lines('sotto_audit_behind_blocks')).toEqual(['sotto_audit_behind_blocks 7']);
    expect(await scene.lines('sotto_audit_age_seconds')).toEqual(['sotto_audit_age_seconds 1.5']);
    expect(await scene.lines('sotto_audit_unrepeated_total')).toEqual([
      'sotto_audit_unrepeated_total 2',
    ]);
  });

  it('the metrics contain balances by role and index of the lane, never by address', async () => {
    expect(await scene.lines('sotto_lane_balance_strk{')).toEqual([]);
    expect(await scene.lines('sotto_lane_needed_strk')).toEqual(['sotto_lane_needed_strk Nan']);
    const accounts = new Map(
      [second, owner].flatMap((address, index) =>
        address === undefined
          ? []
          : [[address, { nonce: 1n, balanceFri: (BigInt(index) + 2n) * STRK }] as const],
      ),
    );
    const head: ChainHead = {
      ...block,
      gasPrices: { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n },
      accounts,
    };
    const reader: ChainReader = {
      head: async () => head,
      heads: async () => [head],
      transactionStatuses: async (hashes) => hashes.map(() => ({ kind: 'unknown' })),
      blockHash: async () => block.blockHash,
      confirm: async (at) => ({ first: at, last: at, blocks: new Map(), l1BlockNumber: 1 }),
    };
    const watched = scene.accounts.watch(reader);
    expect(await watched.head([])).toBe(head);
    expect(await watched.heads([])).toEqual([head]);
    expect(await watched.transactionStatuses([toFelt('0x1')])).toEqual([{ kind: 'unknown' }]);
    expect(await watched.blockHash(1)).toBe(block.blockHash);
    const named = { number: 1, hash: block.blockHash };
    expect(await watched.confirm(named, [])).toMatchObject({ first: named, l1BlockNumber: 1 });
    expect(await scene.lines('sotto_lane_balance_strk{')).toEqual([
      'sotto_lane_balance_strk{role="relay",index="1"} 2',
      'sotto_lane_balance_strk{role="swap_owner",index="0"} 3',
    ]);
    expect(await scene.lines('sotto_lane_needed_strk')).toEqual(['sotto_lane_needed_strk 29']);
    expect(await scene.metrics.text()).not.toMatch(/acc[125]/);
  });

  it('the metrics contain the age of the last poll, and no such value before the first poll', async () => {
    expect(await scene.lines('sotto_chain_look_age_seconds')).toEqual([
      'sotto_chain_look_age_seconds 1.5',
    ]);
    scene.status = { ...scene.status, polledAgoMs: null };
    expect(await scene.lines('sotto_chain_look_age_seconds')).toEqual([
      'sotto_chain_look_age_seconds Nan',
    ]);
  });

  it('the metrics contain the number of stuck nonces, but not the nonces', async () => {
    expect(await scene.lines('sotto_stuck_nonces')).toEqual(['sotto_stuck_nonces 0']);
    scene.status = { ...scene.status, stuck: operations.stuck };
    expect(await scene.lines('sotto_stuck_nonces')).toEqual([
      `sotto_stuck_nonces ${operations.stuck.length}`,
    ]);
  });

  it('the metrics count paused pools by the cause of the pause', async () => {
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

  it('the metrics contain the free leaves of pools that were read', async () => {
    expect(await scene.lines('sotto_pool_leaves_left{')).toEqual([
      'sotto_pool_leaves_left{pool="sentinel_1x"} 99',
    ]);
  });

  it('the metrics contain queues by role, and counts of admissions and rejections', async () => {
    expect(await scene.lines('sotto_queue_length{')).toEqual([
      'sotto_queue_length{role="relay"} 7',
      'sotto_queue_length{role="swap_owner"} 0',
    ]);
    expect(await scene.lines('sotto_admissions{')).toEqual([
      'sotto_admissions{state="running"} 3',
      'sotto_admissions{state="waiting"} 8',
    ]);
    expect(await scene.lines('sotto_requests_in_flight')).toEqual(['sotto_requests_in_flight 5']);
    expect(await scene.lines('sotto_clients_in_flight')).toEqual(['sotto_clients_in_flight 2']);
    expect(await scene.lines('sotto_turned_away_total{')).toEqual([
      'sotto_turned_away_total{by="admissions"} 9',
      'sotto_turned_away_total{by="requests"} 4',
      'sotto_turned_away_total{by="connections"} 8',
    ]);
  });

  it('the metrics omit samples of an unavailable store', async () => {
    await scene.metrics.text();
    scene.waiting = () => new Promise(() => undefined);
    scene.guard = async () => {
      throw new LedgerUnavailable({ message: 'the store is away' });
    };
    expect(await scene.lines('sotto_paused_pools{')).toEqual([]);
    expect(await scene.lines('sotto_queue_length{role="relay"}')).toEqual([
      'sotto_queue_length{role="relay"} 7',
    ]);
    expect(await scene.lines('sotto_lanes{')).toHaveLength(18);
  });
});
