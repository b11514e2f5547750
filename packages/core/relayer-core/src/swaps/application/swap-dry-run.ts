import { SimulationReverted } from '@sotto/submission-core';
import { PriceImpactTooHigh, type RoutedSwap } from '@sotto/market-core';
import type { CheckReport } from '../../relay/domain/check-report.js';
import type { Result } from '@sotto/kernel';

/** Report of the fair-value check if no route was requested. */
export const UNROUTED: CheckReport = {
  check: 'fair_value',
  code: PriceImpactTooHigh.code,
  status: 'skipped',
};

/**
 * Report of the simulation check. A dry run skips it, because it would show the proof of an
 * unpinned swap.
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
