import type { SendFailure } from '../ports/webhook-sender.port.js';

/** Result of one attempt to deliver a message, or `DROPPED` for a dropped message. */
export type DeliveryResult = 'DELIVERED' | 'DROPPED' | SendFailure;

/** Counters of delivery results by endpoint, exported as metrics of this process. */
export class DeliveryCounters {
  readonly #counts = new Map<string, Map<DeliveryResult, number>>();

  add(endpoint: string, result: DeliveryResult): void {
    const results = this.#counts.get(endpoint) ?? new Map<DeliveryResult, number>();
    this.#counts.set(endpoint, results);
    results.set(result, (results.get(result) ?? 0) + 1);
  }

  counts(): readonly {
    readonly endpoint: string;
    readonly result: DeliveryResult;
    readonly count: number;
  }[] {
    return [...this.#counts].flatMap(([endpoint, results]) =>
      [...results].map(([result, count]) => ({ endpoint, result, count })),
    );
  }
}
