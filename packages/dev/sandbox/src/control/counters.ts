import { toHex } from '../engine/felt.js';
import type { InvokeTransaction } from '../engine/transaction.js';

/** Counts of all requests that the node received, including failed requests. */
export interface Counters {
  /** Number of HTTP requests with RPC calls. A batch is one request. */
  readonly httpRequests: number;
  /** Number of RPC calls by method. In a batch, each call is counted separately. */
  readonly calls: Readonly<Record<string, number>>;
  /** Number of HTTP requests that contained the method at least once, by method. */
  readonly httpRequestsByMethod: Readonly<Record<string, number>>;
  /**
   * Number of HTTP requests by the set of methods that they contain. The methods are in
   * alphabetical sequence, joined by ` + `.
   */
  readonly httpRequestsByContent: Readonly<Record<string, number>>;
  /**
   * Number of `starknet_addInvokeTransaction` calls that the node received, by transaction hash.
   */
  readonly deliveries: Readonly<Record<string, number>>;
}

/** Counter of requests and deliveries. */
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

  /**
   * Counts a delivered transaction. The expensive hash is computed only when the counters are read.
   */
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
