import type { Felt } from '@sotto/kernel';
import {
  PAUSED_FOR,
  opennessOf,
  type FairSemaphore,
  type PoolCircuitBreaker,
  type PoolVerdict,
} from '@sotto/relayer-core';
import type { Metrics, Sample } from '@sotto/telemetry';
import type { RememberedLeaves } from './remembered-leaves.js';

const KINDS = ['withdrawals', 'batches'] as const;

/** Counters of a limit of the HTTP server: the present values, and the number of rejections. */
interface Counts<Name extends string> {
  counts(): Readonly<Record<Name | 'refused', number>>;
}

/**
 * Sources of the metrics of pools and load. The sources never query the node. A scrape waits only
 * for a limited time for the store.
 */
export interface RelayerSources {
  readonly leaves: Pick<RememberedLeaves, 'left'>;
  readonly pools: readonly { readonly key: string; readonly address: Felt }[];
  readonly guard: Pick<PoolCircuitBreaker, 'pools'>;
  readonly slots: Pick<FairSemaphore, 'counts'>;
  /** Requests in flight, and the number of addresses that sent them. */
  readonly inFlight: Counts<'requests' | 'clients'>;
  readonly connections: Counts<'open'>;
  /** Requests and streams that wait for a submission. */
  readonly waits: Counts<'waiting'>;
}

/** Exposes the state of pools, admissions and load at every scrape. */
export function relayerMetrics(metrics: Metrics, sources: RelayerSources): void {
  poolMetrics(metrics, sources);
  leafMetrics(metrics, sources);
  lossMetrics(metrics, sources);
  pnlMetrics(metrics, sources);
  loadMetrics(metrics, sources);
}

function poolMetrics(metrics: Metrics, { guard }: RelayerSources): void {
  metrics.gauge<{ kind: string[]; cause: string[] }>(
    {
      name: 'sotto_paused_pools',
      help: 'Pools in which no withdrawal, or no batch, can begin now, by the cause of the pause.',
      labels: { kind: [...KINDS], cause: [...PAUSED_FOR] },
    },
    async () => {
      const pools = await guard.pools();
      const verdicts = {
        withdrawals: pools.map(({ relays }) => relays),
        batches: pools.map(({ batches }) => batches),
      };
      return KINDS.flatMap((kind) =>
        PAUSED_FOR.map((cause) => ({
          labels: { kind, cause },
          value: countOf(verdicts[kind], cause),
        })),
      );
    },
  );
}

function lossMetrics(metrics: Metrics, { guard }: RelayerSources): void {
  metrics.gauge(
    {
      name: 'sotto_strict_pools',
      help: 'Pools in which users have lost the service more gas by reverts than LOSS_BUDGET_PER_POOL_FRI within an hour.',
      labels: {},
    },
    async () => [
      { labels: {}, value: (await guard.pools()).filter(({ isStrict }) => isStrict).length },
    ],
  );
}

const FRI_PER_STRK = 1e18;

function pnlMetrics(metrics: Metrics, { guard, pools }: RelayerSources): void {
  metrics.gauge<{ pool: string[]; kind: string[] }>(
    {
      name: 'sotto_pool_pnl_strk',
      help: 'STRK of the last hour, by pool: earned fees at the prices of their admission, charged gas, and the part of that gas that was lost in users’ reverts.',
      labels: { pool: pools.map(({ key }) => key), kind: ['earned', 'spent', 'lost'] },
    },
    async () =>
      (await guard.pools()).flatMap(({ pool: { key }, money }) =>
        (
          [
            ['earned', money.earnedFri],
            ['spent', money.spentFri],
            ['lost', money.lostFri],
          ] as const
        ).map(([kind, fri]) => ({
          labels: { pool: key, kind },
          value: Number(fri) / FRI_PER_STRK,
        })),
      ),
  );
}

/** Exposes the free leaves of each pool that was read since the start. */
function leafMetrics(metrics: Metrics, { leaves, pools }: RelayerSources): void {
  metrics.gauge<{ pool: string[] }>(
    {
      name: 'sotto_pool_leaves_left',
      help: 'Leaves of a pool that no deposit has filled yet.',
      labels: { pool: pools.map(({ key }) => key) },
    },
    async () =>
      pools.flatMap(({ key, address }) => {
        const value = leaves.left(address);
        return value === undefined ? [] : [{ labels: { pool: key }, value }];
      }),
  );
}

const countOf = (verdicts: readonly PoolVerdict[], cause: string): number =>
  verdicts.filter((verdict) => opennessOf(verdict).pausedFor === cause).length;

function loadMetrics(metrics: Metrics, { slots, inFlight, connections, waits }: RelayerSources): void {
  metrics.gauge<{ state: string[] }>(
    {
      name: 'sotto_admissions',
      help: 'Proofs that are checked, and that wait for it.',
      labels: { state: ['running', 'waiting'] },
    },
    async () => {
      const { running, waiting } = slots.counts();
      return [
        { labels: { state: 'running' }, value: running },
        { labels: { state: 'waiting' }, value: waiting },
      ];
    },
  );
  metrics.gauge(
    {
      name: 'sotto_requests_in_flight',
      help: 'Withdrawals, batches, swaps and vault deployments in progress.',
      labels: {},
    },
    async () => [{ labels: {}, value: inFlight.counts().requests }],
  );
  metrics.gauge(
    {
      name: 'sotto_clients_in_flight',
      help: 'Caller addresses that these requests come from.',
      labels: {},
    },
    async () => [{ labels: {}, value: inFlight.counts().clients }],
  );
  metrics.gauge(
    { name: 'sotto_connections', help: 'Connections of callers that are open.', labels: {} },
    async () => [{ labels: {}, value: connections.counts().open }],
  );
  metrics.gauge(
    {
      name: 'sotto_submission_waits',
      help: 'Requests and event streams of callers that wait for a change of a submission.',
      labels: {},
    },
    async () => [{ labels: {}, value: waits.counts().waiting }],
  );
  metrics.counted<{ by: string[] }>(
    {
      name: 'sotto_turned_away_total',
      help: 'Rejected admissions, requests, connections and waits, by the limit that was reached.',
      labels: { by: ['admissions', 'requests', 'connections', 'waits'] },
    },
    (): readonly Sample<{ by: string[] }>[] => [
      { labels: { by: 'admissions' }, value: slots.counts().refused },
      { labels: { by: 'requests' }, value: inFlight.counts().refused },
      { labels: { by: 'connections' }, value: connections.counts().refused },
      { labels: { by: 'waits' }, value: waits.counts().refused },
    ],
  );
}
