import { SimulationReverted } from '@sotto/submission-core';
import { PriceImpactTooHigh, type RoutedSwap } from '@sotto/market-core';
import type { CheckReport } from '../../withdrawals/application/admission-checks.js';
import type { Result } from '@sotto/kernel';

/** Report of route and fair value if they were not requested. */
export const UNROUTED: CheckReport = {
  check: 'fair_value',
  code: PriceImpactTooHigh.code,
  status: 'skipped',
};

/**
 * Report of the simulation, which is skipped because it would show the proof of an unpinned swap.
 */
export const NOT_SIMULATED: CheckReport = {
  check: 'simulation',
  code: SimulationReverted.code,
  status: 'skipped',
  detail: 'SWAP_NOT_PINNED',
};

/** Returns the report of a requested route. */
export function routeReport(route: Result<RoutedSwap>): CheckReport {
  if (route.known) return { ...UNROUTED, status: 'passed' };
  const { code, kind, message, details } = route.failure;
  const isRefusal = kind === 'unprocessable' || kind === 'conflict';
  return isRefusal
    ? { ...UNROUTED, code, status: 'failed', detail: message, details }
    : { ...UNROUTED, detail: code };
}
