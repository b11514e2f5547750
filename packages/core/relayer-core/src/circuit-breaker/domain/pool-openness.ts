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

/** What anybody may know of a verdict on withdrawals. */
export interface PoolOpenness {
  /** Whether withdrawals begin in the pool; null while that can't be known. */
  readonly accepting: boolean | null;
  readonly pausedFor: (typeof PAUSED_FOR)[number] | null;
  /** The operator's words on a pause. */
  readonly reason: string | null;
}

/** @param verdict undefined while it is unknown */
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
