import type { HttpFault } from '../http/faults.js';
import type { HostileDeed, HostileQuote } from './hostility.js';

/**
 * The aggregator's endpoints: quotes, build, and the prices and their history of its market
 * interface; the second history stands for another provider.
 */
export type AggregatorEndpoint = 'quotes' | 'build' | 'prices' | 'history' | 'secondHistory';

/**
 * What goes wrong with a request, on purpose: what {@link HttpFault} lists, and what only an
 * aggregator can do.
 *
 * - `refuse`: answered with a status and the aggregator's error body.
 * - `no-route`: quotes are an empty list, whatever the market says.
 * - `hostile`: a build that must not be used; other endpoints answer as usual.
 * - `hostile-quotes`: quotes that must not be believed; other endpoints answer as usual.
 */
export type AggregatorFault =
  | HttpFault
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly messages?: readonly string[] | undefined;
      readonly revertError?: string | undefined;
    }
  | { readonly kind: 'no-route' }
  | { readonly kind: 'hostile'; readonly deed: HostileDeed }
  | { readonly kind: 'hostile-quotes'; readonly deed: HostileQuote };

/** A fault for the next requests that fit. */
export interface AggregatorFaultOrder {
  /** `*` for any. */
  readonly endpoint: AggregatorEndpoint | '*';
  readonly fault: AggregatorFault;
  /** How many requests it strikes. @default 1 */
  readonly times?: number | undefined;
}
