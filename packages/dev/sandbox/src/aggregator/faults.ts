import type { HttpFault } from '../http/faults.js';
import type { HostileDeed, HostileQuote } from './hostility.js';

/**
 * Endpoints of the aggregator: quotes, build, and the prices and price histories of its market
 * interface. The second history represents another provider.
 */
export type AggregatorEndpoint = 'quotes' | 'build' | 'prices' | 'history' | 'secondHistory';

/**
 * Fault of a request: a fault of {@link HttpFault}, or a fault that only an aggregator has.
 *
 * - `refuse`: an error status with the aggregator's error body.
 * - `no-route`: an empty list of quotes, although the market has rates.
 * - `hostile`: a build that a client must reject; other endpoints are unaffected.
 * - `hostile-quotes`: quotes that a client must reject; other endpoints are unaffected.
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

/** Control command that applies a fault to the next matching requests. */
export interface AggregatorFaultOrder {
  /** Endpoint of the affected requests, or `*` for every endpoint. */
  readonly endpoint: AggregatorEndpoint | '*';
  readonly fault: AggregatorFault;
  /** Number of requests that the fault affects. @default 1 */
  readonly times?: number | undefined;
}
