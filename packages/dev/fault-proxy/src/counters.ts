import { z } from 'zod';
import type { Call, Reply } from './json-rpc.js';

/** Counts of requests, calls and faults since the start or the last reset. */
export interface Counters {
  /** Number of clients' HTTP requests that contain JSON-RPC calls. A batch is one request. */
  readonly httpRequests: number;
  /** Number of clients' calls, by method. */
  readonly calls: Readonly<Record<string, number>>;
  /**
   * Number of calls that were delivered to the target, by method, including calls of the proxy
   * itself. The client may not have received the reply.
   */
  readonly delivered: Readonly<Record<string, number>>;
  /** Number of times that the target accepted each transaction, by the hash in the reply. */
  readonly takenTransactions: Readonly<Record<string, number>>;
  /** Number of HTTP requests to which a fault was applied, by the kind of the fault. */
  readonly struck: Readonly<Record<string, number>>;
}

const Taken = z.object({ transaction_hash: z.string() });

export class Counter {
  #httpRequests = 0;
  readonly #calls = new Map<string, number>();
  readonly #delivered = new Map<string, number>();
  readonly #taken = new Map<string, number>();
  readonly #struck = new Map<string, number>();

  received(calls: readonly Call[], fault: string | undefined): void {
    if (calls.length > 0) this.#httpRequests += 1;
    for (const { method } of calls) increase(this.#calls, method);
    if (fault !== undefined) increase(this.#struck, fault);
  }

  delivered(calls: readonly Pick<Call, 'method'>[]): void {
    for (const { method } of calls) increase(this.#delivered, method);
  }

  answered(replies: readonly Reply[]): void {
    for (const { result } of replies) {
      const { data } = Taken.safeParse(result);
      // A receipt also contains a transaction hash, but it has more members.
      if (data !== undefined && Object.keys(Object(result)).length === 1)
        increase(this.#taken, data.transaction_hash);
    }
  }

  read(): Counters {
    return {
      httpRequests: this.#httpRequests,
      calls: Object.fromEntries(this.#calls),
      delivered: Object.fromEntries(this.#delivered),
      takenTransactions: Object.fromEntries(this.#taken),
      struck: Object.fromEntries(this.#struck),
    };
  }

  reset(): void {
    this.#httpRequests = 0;
    for (const counts of [this.#calls, this.#delivered, this.#taken, this.#struck]) counts.clear();
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
