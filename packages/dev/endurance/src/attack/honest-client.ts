import { systemClock, toFelt } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import type { Answer } from '@sotto/process-kit';
import { z } from 'zod';
import { Requests, type RequestSummary } from '../measure/requests.js';

/** Task of honest callers: requests of one kind at a steady rate. */
export interface HonestTask {
  /** Name of the requests in the document, in the plural. */
  readonly name: string;
  readonly perSecond: number;
  /** Prepares one request. The function is called again if the service requires a new proof. */
  readonly prepare: (index: number) => Promise<(signal: AbortSignal) => Promise<Answer>>;
  /**
   * Returns true if a response means that the request was served. @default the transaction
   * succeeded
   */
  readonly isServed?: (answer: Answer) => boolean;
}

/** Results of one honest task. */
export interface Served {
  readonly name: string;
  readonly served: number;
  /** Number of requests that were served only at the second attempt or later. */
  readonly requestedAgain: number;
  /** Last response to each request that was not served. */
  readonly unserved: readonly string[];
  /** Hashes of all transactions in the responses. */
  readonly hashes: readonly string[];
  /** Outcomes of all requests, including repeated ones. */
  readonly requests: RequestSummary;
}

const REQUEST_TIMEOUT_MS = 45_000;
/** Maximum time in ms for which a client repeats an unsuccessful request. */
const PATIENCE_MS = 30_000;
const DEFAULT_RETRY_MS = 1_000;
const Transaction = z.object({ transaction_hash: z.string().min(1) });

const hasSucceeded = ({ status, text }: Answer): boolean =>
  status === 200 && text.includes('SUCCEEDED');

/**
 * Makes the requests of one task at a steady rate. As a wallet does, the client waits for
 * Retry-After, and creates a new proof under the newest root if the error requires it.
 */
export class HonestClient {
  readonly #requests = new Requests();
  readonly #unserved: string[] = [];
  readonly #hashes = new Set<string>();
  #served = 0;
  #requestedAgain = 0;
  readonly #load = new OpenLoad((index) => this.#query(index));

  constructor(private readonly task: HonestTask) {}

  start(): void {
    this.#load.start({ perSecond: this.task.perSecond });
  }

  /** Starts no new requests and waits until the running requests have ended. */
  async end(): Promise<Served> {
    await this.#load.end();
    return {
      name: this.task.name,
      served: this.#served,
      requestedAgain: this.#requestedAgain,
      unserved: this.#unserved,
      hashes: [...this.#hashes],
      requests: this.#requests.summary(),
    };
  }

  async #query(index: number): Promise<void> {
    const { prepare, isServed = hasSucceeded } = this.task;
    let request = await prepare(index);
    const untilMs = systemClock.monotonicMs() + PATIENCE_MS;
    for (let requested = 1; ; requested += 1) {
      const answer = await this.#requests.note(() =>
        request(AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
      );
      const transaction = Transaction.safeParse(answer?.body);
      if (transaction.success) this.#hashes.add(toFelt(transaction.data.transaction_hash));
      if (answer !== null && isServed(answer)) {
        this.#served += 1;
        if (requested > 1) this.#requestedAgain += 1;
        return;
      }
      const retryAfter = answer?.headers.get('retry-after') ?? null;
      const needsProof = Object(answer?.body).retry === 'new-proof';
      const isOver = answer !== null && retryAfter === null && answer.status !== 202 && !needsProof;
      const waitMs = retryAfter === null ? DEFAULT_RETRY_MS : Number(retryAfter) * 1_000;
      if (isOver || systemClock.monotonicMs() + (needsProof ? 0 : waitMs) > untilMs) {
        this.#unserved.push(
          answer === null ? 'no answer' : `${answer.status} ${answer.text.slice(0, 200)}`,
        );
        return;
      }
      if (needsProof) request = await prepare(index);
      else await systemClock.sleep(waitMs);
    }
  }
}
