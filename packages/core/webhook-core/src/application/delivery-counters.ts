import type { SendFailure } from '../ports/webhook-sender.port.js';

/** What became of a try, or of a message that was given up. */
export type DeliveryResult = 'DELIVERED' | 'DROPPED' | SendFailure;

/** How often what became of messages, by endpoint: for the metrics of this process. */
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
