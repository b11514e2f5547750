import type { HostileDeed } from './hostility.js';

/** The aggregator's endpoints: quotes, build, and the prices of its market interface. */
export type AggregatorEndpoint = 'quotes' | 'build' | 'prices';

/**
 * What goes wrong with a request, on purpose.
 *
 * - `refuse`: answered with a status and the aggregator's error body.
 * - `rate-limited`: HTTP 429 in plain text, with a Retry-After header when seconds are given.
 * - `html`: HTTP 502 and an HTML page.
 * - `answer`: HTTP 200 and any body.
 * - `late`: answered, after `delayMs`.
 * - `cut`: the connection breaks without an answer.
 * - `no-route`: quotes are an empty list, whatever the market says.
 * - `hostile`: a build that must not be used; other endpoints answer as usual.
 */
export type AggregatorFault =
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly messages?: readonly string[] | undefined;
      readonly revertError?: string | undefined;
    }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'html' }
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'no-route' }
  | { readonly kind: 'hostile'; readonly deed: HostileDeed };

/** A fault for the next requests that fit. */
export interface AggregatorFaultOrder {
  /** `*` for any. */
  readonly endpoint: AggregatorEndpoint | '*';
  readonly fault: AggregatorFault;
  /** How many requests it strikes. @default 1 */
  readonly times?: number | undefined;
}

/** Faults that wait for their requests, oldest first. */
export class AggregatorFaultQueue {
  #orders: { readonly order: AggregatorFaultOrder; readonly left: number }[] = [];

  add(order: AggregatorFaultOrder): void {
    this.#orders.push({ order, left: order.times ?? 1 });
  }

  clear(): void {
    this.#orders = [];
  }

  /** The fault that strikes a request to this endpoint, undefined for none. It counts as used. */
  take(endpoint: AggregatorEndpoint): AggregatorFault | undefined {
    const index = this.#orders.findIndex(({ order }) => order.endpoint === '*' || order.endpoint === endpoint);
    const found = this.#orders[index];
    if (found === undefined) return undefined;
    this.#orders.splice(index, 1, ...(found.left > 1 ? [{ ...found, left: found.left - 1 }] : []));
    return found.order.fault;
  }
}
