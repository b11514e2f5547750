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

/** Public part of a pool's verdict on withdrawals. */
export interface PoolOpenness {
  /** True if the pool accepts new withdrawals; null if unknown. */
  readonly accepting: boolean | null;
  readonly pausedFor: (typeof PAUSED_FOR)[number] | null;
  /** Reason of a pause, as entered by the operator. */
  readonly reason: string | null;
}

/** Returns the public part of a verdict. @param verdict undefined if the verdict is unknown */
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
