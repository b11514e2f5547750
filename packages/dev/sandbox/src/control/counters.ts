import { toHex } from '../engine/felt.js';
import type { InvokeTransaction } from '../engine/transaction.js';

/** Number of requests received by the node, including failed ones. */
export interface Counters {
  /** HTTP requests with RPC calls; a batch counts as one. */
  readonly httpRequests: number;
  /** RPC calls by method, each call of a batch counted. */
  readonly calls: Readonly<Record<string, number>>;
  /** HTTP requests that carried a method at least once, by method. */
  readonly httpRequestsByMethod: Readonly<Record<string, number>>;
  /** HTTP requests by the set of their methods, in alphabetical order, joined by ` + `. */
  readonly httpRequestsByContent: Readonly<Record<string, number>>;
  /** Deliveries of `starknet_addInvokeTransaction` by transaction hash. */
  readonly deliveries: Readonly<Record<string, number>>;
}

/** Counts requests and deliveries. */
export class RequestCounter {
  #httpRequests = 0;
  readonly #calls = new Map<string, number>();
  readonly #httpRequestsByMethod = new Map<string, number>();
  readonly #httpRequestsByContent = new Map<string, number>();
  readonly #delivered: InvokeTransaction[] = [];

  countRequest(methods: readonly string[]): void {
    this.#httpRequests += 1;
    for (const method of methods) increase(this.#calls, method);
    const content = [...new Set(methods)].toSorted();
    for (const method of content) increase(this.#httpRequestsByMethod, method);
    increase(this.#httpRequestsByContent, content.join(' + '));
  }

  /** Stores the transaction. The expensive hash is computed only when the counters are read. */
  countDelivery(transaction: InvokeTransaction): void {
    this.#delivered.push(transaction);
  }

  read(): Counters {
    const deliveries = new Map<string, number>();
    for (const transaction of this.#delivered) increase(deliveries, toHex(transaction.hash));
    return {
      httpRequests: this.#httpRequests,
      calls: Object.fromEntries(this.#calls),
      httpRequestsByMethod: Object.fromEntries(this.#httpRequestsByMethod),
      httpRequestsByContent: Object.fromEntries(this.#httpRequestsByContent),
      deliveries: Object.fromEntries(deliveries),
    };
  }

  reset(): void {
    this.#httpRequests = 0;
    this.#calls.clear();
    this.#httpRequestsByMethod.clear();
    this.#httpRequestsByContent.clear();
    this.#delivered.length = 0;
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
