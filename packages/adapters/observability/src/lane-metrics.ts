import {
  LANE_ROLES,
  type LaneState,
  type LaneStatus,
  type SubmissionEngine,
} from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';
import type { BalanceCache } from './balance-cache.js';

const STATES: Readonly<Record<LaneState, true>> = {
  ready: true,
  full: true,
  short_of_funds: true,
  held_elsewhere: true,
  resting: true,
  quarantined: true,
  paused: true,
  retiring: true,
  unknown: true,
};
/**
 * Reasons why a lane accepts no calls. A lane that the settings no longer name is not included. A
 * reason that an operator wrote is exposed as `other`.
 */
export const LANE_REASONS = [
  'NOT_DEPLOYED',
  'NO_ACCOUNT_CLASS',
  'WRONG_KEY',
  'WRONG_CHAIN',
  'ACCOUNT_NOT_READ',
  'HISTORY_NOT_READ',
  'HEAD_TIME_WRONG',
  'NONCE_JUMP',
  'ACCOUNT_NONCE_BELOW_LEDGER',
  'SHORT_OF_FUNDS',
  'INSUFFICIENT_ACCOUNT_BALANCE',
  'INSUFFICIENT_RESOURCES_FOR_VALIDATE',
  'FEE_BELOW_MINIMUM',
  'GAS_PRICE_TOO_LOW',
  'NON_ACCOUNT',
  'UNSUPPORTED_TX_VERSION',
  'INTRODUCED',
  'LEDGER_BEHIND_CHAIN',
  'FOREIGN_TRANSACTION',
  'AUDIT_CONTRADICTION',
] as const;
const FRI_PER_STRK = 1e18;

export interface LaneSources {
  readonly engine: Pick<SubmissionEngine, 'status' | 'neededFri'>;
  readonly accounts: Pick<BalanceCache, 'balanceFri' | 'gasPrices'>;
}

/** Exposes the state of accounts, by role and position in the configuration. */
export function laneMetrics(metrics: Metrics, { engine, accounts }: LaneSources): void {
  const now = (): readonly LaneStatus[] => engine.status().lanes;
  const configured = now();
  stateMetrics(metrics, now);
  const indexes = configured.map(({ role }, place) =>
    String(configured.slice(0, place).filter((other) => other.role === role).length),
  );
  metrics.gauge<{ role: string[]; index: string[] }>(
    {
      name: 'sotto_lane_balance_strk',
      help: 'Balance of an account at the last poll of the chain, in STRK, by role and position in the configuration.',
      labels: { role: [...LANE_ROLES], index: [...new Set(indexes)] },
    },
    async () =>
      configured.flatMap(({ role, address }, place) => {
        const balanceFri = accounts.balanceFri(address);
        if (balanceFri === undefined) return [];
        return [
          {
            labels: { role, index: indexes[place] ?? '' },
            value: Number(balanceFri) / FRI_PER_STRK,
          },
        ];
      }),
  );
  metrics.gauge(
    {
      name: 'sotto_lane_needed_strk',
      help: 'Balance that an account needs for one more withdrawal, in STRK, at the gas prices of the last poll of the chain.',
      labels: {},
    },
    async () => {
      const { gasPrices } = accounts;
      if (gasPrices === undefined) return [];
      return [{ labels: {}, value: Number(engine.neededFri(gasPrices)) / FRI_PER_STRK }];
    },
  );
  metrics.gauge(
    {
      name: 'sotto_chain_look_age_seconds',
      help: 'How long ago this instance read the chain; without a value before the first time.',
      labels: {},
    },
    async () => {
      const { polledAgoMs } = engine.status();
      return polledAgoMs === null ? [] : [{ labels: {}, value: polledAgoMs / 1_000 }];
    },
  );
  metrics.gauge(
    {
      name: 'sotto_stuck_nonces',
      help: 'Nonces of this instance’s accounts that are undecided for too long.',
      labels: {},
    },
    async () => [{ labels: {}, value: engine.status().stuck.length }],
  );
}

function stateMetrics(metrics: Metrics, now: () => readonly LaneStatus[]): void {
  const states = Object.keys(STATES);
  metrics.gauge<{ role: string[]; state: string[] }>(
    {
      name: 'sotto_lanes',
      help: 'Accounts by their present state, as this instance sees it.',
      labels: { role: [...LANE_ROLES], state: states },
    },
    async () => {
      const lanes = now();
      const roles = LANE_ROLES.filter((role) => lanes.some((lane) => lane.role === role));
      return roles.flatMap((role) =>
        states.map((state) => ({
          labels: { role, state },
          value: countOf(lanes, (lane) => lane.role === role && lane.state === state),
        })),
      );
    },
  );
  metrics.gauge<{ role: string[]; reason: string[] }>(
    {
      name: 'sotto_lanes_out_of_work',
      help: 'Accounts that accept no work until the reason is removed or has passed, by the reason.',
      labels: { role: [...LANE_ROLES], reason: [...LANE_REASONS] },
    },
    async () => {
      const out = now().filter(
        ({ state }) => state === 'resting' || state === 'paused' || state === 'quarantined',
      );
      const pairs = new Map(
        out.map(({ role, reason }) => [
          `${role} ${closed(reason)}`,
          { role, reason: closed(reason) },
        ]),
      );
      return [...pairs.values()].map((labels) => ({
        labels,
        value: countOf(
          out,
          ({ role, reason }) => role === labels.role && closed(reason) === labels.reason,
        ),
      }));
    },
  );
  metrics.gauge<{ role: string[]; configured: string[] }>(
    {
      name: 'sotto_open_nonces',
      help: 'Nonces that are undecided, of accounts in the settings and of accounts that only the ledger knows.',
      labels: { role: [...LANE_ROLES], configured: ['yes', 'no'] },
    },
    async () => {
      const lanes = now();
      const pairs = new Map(
        lanes.map(({ role, isConfigured }) => [`${role} ${isConfigured}`, { role, isConfigured }]),
      );
      return [...pairs.values()].map(({ role, isConfigured }) => ({
        labels: { role, configured: isConfigured ? 'yes' : 'no' },
        value: lanes.reduce(
          (sum, lane) =>
            lane.role === role && lane.isConfigured === isConfigured ? sum + lane.openNonces : sum,
          0,
        ),
      }));
    },
  );
}

/**
 * Returns a reason of the list unchanged, and `other` for any other reason. Each label therefore
 * has only one sample.
 */
function closed(reason: string | null): string {
  return LANE_REASONS.find((known) => known === reason) ?? 'other';
}

function countOf(lanes: readonly LaneStatus[], holds: (lane: LaneStatus) => boolean): number {
  return lanes.filter(holds).length;
}
