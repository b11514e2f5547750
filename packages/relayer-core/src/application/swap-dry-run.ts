import { PriceImpactTooHigh, SimulationReverted } from '../errors.js';
import type { RungReport } from './admission/ladder.js';
import type { Finding } from './finding.js';
import type { RoutedSwap } from './swap-routing.js';

/** What is said of quote, build and fair value where they were not asked for. */
export const UNROUTED: RungReport = { rung: 'fair_value', code: PriceImpactTooHigh.code, status: 'skipped' };

/** What is left out, because it would show the proof of a swap that is not pinned. */
export const NOT_SIMULATED: RungReport = {
  rung: 'simulation',
  code: SimulationReverted.code,
  status: 'skipped',
  detail: 'SWAP_NOT_PINNED',
};

/** What is said of them once they were. */
export function routeReport(route: Finding<RoutedSwap>): RungReport {
  if (route.known) return { ...UNROUTED, status: 'passed' };
  const { code, kind, message, details } = route.fault;
  const isRefusal = kind === 'unprocessable' || kind === 'conflict';
  return isRefusal ? { ...UNROUTED, code, status: 'failed', detail: message, details } : { ...UNROUTED, detail: code };
}
