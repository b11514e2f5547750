import type { PoolVerdict } from './pool-circuit-breaker.js';

/** Public reasons why a pool does not accept withdrawals. */
export const PAUSED_FOR = [
  'operator',
  'configuration',
  'reverts',
  'losses',
  'upstream',
  'budget',
] as const;

/** Public part of a verdict on withdrawals. */
export interface PoolOpenness {
  /** True if new withdrawals are accepted; null if unknown. */
  readonly accepting: boolean | null;
  readonly pausedFor: (typeof PAUSED_FOR)[number] | null;
  /** Reason of a pause that the operator entered. */
  readonly reason: string | null;
}

/** Converts a verdict to its public part. @param verdict undefined if unknown */
export function opennessOf(verdict: PoolVerdict | undefined): PoolOpenness {
  switch (verdict?.kind) {
    case undefined:
      return { accepting: null, pausedFor: null, reason: null };
    case 'open':
    case 'trial':
      return { accepting: true, pausedFor: null, reason: null };
    case 'paused':
      return { accepting: false, pausedFor: verdict.cause, reason: verdict.reason };
    case 'exhausted':
      return { accepting: false, pausedFor: 'budget', reason: null };
  }
}
