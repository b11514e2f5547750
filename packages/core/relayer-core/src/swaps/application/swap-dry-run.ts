import { SimulationReverted } from '@sotto/submission-core';
import { PriceImpactTooHigh, type RoutedSwap } from '@sotto/market-core';
import type { CheckReport } from '../../withdrawals/application/admission-checks.js';
import type { Result } from '@sotto/kernel';

/** What is said of quote, build and fair value where they were not asked for. */
export const UNROUTED: CheckReport = {
  check: 'fair_value',
  code: PriceImpactTooHigh.code,
  status: 'skipped',
};

/** What is left out, because it would show the proof of a swap that is not pinned. */
export const NOT_SIMULATED: CheckReport = {
  check: 'simulation',
  code: SimulationReverted.code,
  status: 'skipped',
  detail: 'SWAP_NOT_PINNED',
};

/** What is said of them once they were. */
export function routeReport(route: Result<RoutedSwap>): CheckReport {
  if (route.known) return { ...UNROUTED, status: 'passed' };
  const { code, kind, message, details } = route.failure;
  const isRefusal = kind === 'unprocessable' || kind === 'conflict';
  return isRefusal
    ? { ...UNROUTED, code, status: 'failed', detail: message, details }
    : { ...UNROUTED, detail: code };
}
