import type { Clock } from '@sotto/kernel';
import { PAUSED_FOR, opennessOf, type FairSlots, type PoolGuard, type PoolVerdict } from '@sotto/relayer-core';
import type { EngineStatus, LaneRole, Ledger, SubmissionEngine } from '@sotto/submission-core';
import type { Metrics, Sample } from '@sotto/telemetry';
import type { InFlight } from '../http/middleware/in-flight.js';
import type { RememberedAccounts } from './remembered-accounts.js';

type Lane = EngineStatus['lanes'][number];
type LaneState = Lane['state'];

const STATES: Readonly<Record<LaneState, true>> = { ready: true, full: true, short_of_funds: true, held_elsewhere: true, unknown: true };
const KINDS = ['withdrawals', 'batches'] as const;
const FRI_PER_STRK = 1e18;

/** What the metrics of lanes, pools and load are read from. Nothing of it asks the node; what asks the store is bounded by the metrics. */
export interface OperationSources {
  readonly engine: Pick<SubmissionEngine, 'status'>;
  readonly accounts: Pick<RememberedAccounts, 'balanceFri'>;
  readonly ledger: Pick<Ledger, 'countWaiting'>;
  readonly guard: Pick<PoolGuard, 'pools'>;
  readonly slots: Pick<FairSlots, 'counts'>;
  readonly inFlight: Pick<InFlight, 'counts'>;
  readonly clock: Clock;
}

/** Tells how lanes, pools and load stand whenever somebody reads the metrics. Accounts go by role and place in the configuration, never by address. */
export function operationMetrics(metrics: Metrics, sources: OperationSources): void {
  const lanes = sources.engine.status().lanes;
  const roles = [...new Set(lanes.map(({ role }) => role))];
  laneMetrics(metrics, sources, lanes, roles);
  poolMetrics(metrics, sources);
  loadMetrics(metrics, sources);
}

function laneMetrics(
  metrics: Metrics,
  { engine, accounts, ledger, clock }: OperationSources,
  lanes: readonly Lane[],
  roles: readonly LaneRole[],
): void {
  const states = Object.keys(STATES);
  metrics.gauge<{ role: string[]; state: string[] }>(
    {
      name: 'sotto_lanes',
      help: 'Accounts by what they can do now, as this instance sees it.',
      labels: { role: [...roles], state: states },
    },
    async () => {
      const now = engine.status().lanes;
      return roles.flatMap((role) =>
        states.map((state) => ({
          labels: { role, state },
          value: now.filter((lane) => lane.role === role && lane.state === state).length,
        })),
      );
    },
  );
  const indexes = lanes.map(({ role }, place) => String(lanes.slice(0, place).filter((other) => other.role === role).length));
  metrics.gauge<{ role: string[]; index: string[] }>(
    {
      name: 'sotto_lane_balance_strk',
      help: 'What an account holds, as the last look at the chain showed it; by role and place in the configuration.',
      labels: { role: [...roles], index: [...new Set(indexes)] },
    },
    async () =>
      lanes.flatMap(({ role, address }, place) => {
        const balanceFri = accounts.balanceFri(address);
        if (balanceFri === undefined) return [];
        return [{ labels: { role, index: indexes[place] ?? '' }, value: Number(balanceFri) / FRI_PER_STRK }];
      }),
  );
  metrics.gauge(
    {
      name: 'sotto_chain_look_age_seconds',
      help: 'How long ago this instance read the chain; without a value before the first time.',
      labels: {},
    },
    async () => {
      const { lastLookMs } = engine.status();
      return lastLookMs === null ? [] : [{ labels: {}, value: (clock.nowMs() - lastLookMs) / 1_000 }];
    },
  );
  metrics.gauge(
    { name: 'sotto_stuck_nonces', help: 'Nonces of this instance’s accounts that are undecided for too long.', labels: {} },
    async () => [{ labels: {}, value: engine.status().stuck.length }],
  );
  metrics.gauge<{ role: string[] }>(
    { name: 'sotto_queue_length', help: 'Submissions that wait for an account, of all instances.', labels: { role: [...roles] } },
    () => Promise.all(roles.map(async (role) => ({ labels: { role }, value: await ledger.countWaiting(role) }))),
  );
}

function poolMetrics(metrics: Metrics, { guard }: OperationSources): void {
  metrics.gauge<{ kind: string[]; cause: string[] }>(
    {
      name: 'sotto_paused_pools',
      help: 'Pools in which no withdrawal, or no batch, begins now, by what it waits for.',
      labels: { kind: [...KINDS], cause: [...PAUSED_FOR] },
    },
    async () => {
      const pools = await guard.pools();
      const verdicts = { withdrawals: pools.map(({ relays }) => relays), batches: pools.map(({ batches }) => batches) };
      return KINDS.flatMap((kind) => PAUSED_FOR.map((cause) => ({ labels: { kind, cause }, value: countOf(verdicts[kind], cause) })));
    },
  );
}

const countOf = (verdicts: readonly PoolVerdict[], cause: string): number =>
  verdicts.filter((verdict) => opennessOf(verdict).pausedFor === cause).length;

function loadMetrics(metrics: Metrics, { slots, inFlight }: OperationSources): void {
  metrics.gauge<{ state: string[] }>(
    { name: 'sotto_admissions', help: 'Proofs that are checked, and that wait for it.', labels: { state: ['running', 'waiting'] } },
    async () => {
      const { running, waiting } = slots.counts();
      return [
        { labels: { state: 'running' }, value: running },
        { labels: { state: 'waiting' }, value: waiting },
      ];
    },
  );
  metrics.gauge(
    { name: 'sotto_requests_in_flight', help: 'Withdrawals, batches, swaps and vault deployments under way.', labels: {} },
    async () => [{ labels: {}, value: inFlight.counts().requests }],
  );
  metrics.gauge({ name: 'sotto_clients_in_flight', help: 'Caller addresses that these requests come from.', labels: {} }, async () => [
    { labels: {}, value: inFlight.counts().clients },
  ]);
  metrics.counted<{ by: string[] }>(
    { name: 'sotto_turned_away_total', help: 'What was too much, by what was full.', labels: { by: ['admissions', 'requests'] } },
    (): readonly Sample<{ by: string[] }>[] => [
      { labels: { by: 'admissions' }, value: slots.counts().refused },
      { labels: { by: 'requests' }, value: inFlight.counts().refused },
    ],
  );
}
