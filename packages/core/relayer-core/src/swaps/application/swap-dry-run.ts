import { SimulationReverted } from '@sotto/submission-core';
import { PriceImpactTooHigh, type RoutedSwap } from '@sotto/market-core';
import type { CheckReport } from '../../withdrawals/application/admission-checks.js';
import type { Result } from '@sotto/kernel';

/** Report of the fair-value check for the case that no route was requested from the aggregator. */
export const UNROUTED: CheckReport = {
  check: 'fair_value',
  code: PriceImpactTooHigh.code,
  status: 'skipped',
};

/**
 * Report of the simulation check in a dry run. A dry run skips the simulation, because it would
 * reveal the proof of a note that is not pinned.
 */
export const NOT_SIMULATED: CheckReport = {
  check: 'simulation',
  code: SimulationReverted.code,
  status: 'skipped',
  detail: 'SWAP_NOT_PINNED',
};

/** Returns the report of the fair-value check for a requested route. */
export function routeReport(route: Result<RoutedSwap>): CheckReport {
  if (route.known) return { ...UNROUTED, status: 'passed' };
  const { code, kind, message, details } = route.failure;
  const isRejection = kind === 'unprocessable' || kind === 'conflict';
  return isRejection
    ? { ...UNROUTED, code, status: 'failed', detail: message, details }
    : { ...UNROUTED, detail: code };
}
