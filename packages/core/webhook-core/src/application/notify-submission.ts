import type { Caller } from '@sotto/kernel';
import { submissionTopic, type WebhookEndpoint } from '../domain/delivery.js';
import { WebhookListFull, WebhookQueueFull, WebhookUnknown } from '../errors.js';
import type { DeliveryBook } from '../ports/delivery-book.port.js';

/** The submitter's own, and one of another party to it. */
const MOST_ENDPOINTS = 2;
/** A proof is public, so anybody may repeat it: others leave the submitter's place free. */
const MOST_OF_OTHERS = 1;
/** Submissions whose beginners are remembered; the oldest are forgotten first. */
const MAX_BEGUN = 10_000;
const RETRY_AFTER_SECONDS = 60;

/** How many rows an endpoint may have. */
export interface QueueBounds {
  /** Of those that wait for its receiver. */
  readonly undelivered: number;
  /** Of all, with those that wait for their submission to be final. */
  readonly rows: number;
}

/** Lets a submission notify an endpoint that the operator has registered. */
export class NotifySubmission {
  readonly #names: ReadonlySet<string>;
  /** Names of callers by their submissions: in memory alone, as all that counts callers. */
  readonly #beginners = new Map<string, string>();
  /** Of those, submissions whose beginner has a place. */
  readonly #taken = new Set<string>();

  constructor(
    private readonly book: DeliveryBook,
    endpoints: readonly WebhookEndpoint[],
    private readonly bounds: QueueBounds,
  ) {
    this.#names = new Set(
      endpoints.filter(({ events }) => events === 'submissions').map(({ name }) => name),
    );
  }

  /**
   * Refuses what could not be kept. Asked only of requests that nothing else refuses: else junk
   * would tell which names there are.
   * @throws WebhookUnknown, WebhookQueueFull
   */
  async check(endpoint: string): Promise<void> {
    if (!this.#names.has(endpoint)) throw new WebhookUnknown();
    // Counted without a lock: what comes at the same moment may be taken beyond the number.
    const isFull =
      (await this.book.countUndelivered(endpoint)) >= this.bounds.undelivered ||
      (await this.book.count(endpoint)) >= this.bounds.rows;
    if (isFull) throw new WebhookQueueFull({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Remembers who has begun a submission: that caller's place is kept. */
  begun(submissionId: string, caller: Caller): void {
    this.#beginners.set(submissionId, caller.name);
    const [oldest] = this.#beginners.keys();
    if (this.#beginners.size <= MAX_BEGUN || oldest === undefined) return;
    this.#beginners.delete(oldest);
    this.#taken.delete(oldest);
  }

  /**
   * Refuses all who repeat a request that proves nothing, but for the caller that began the
   * submission: what is public would tell which names there are.
   * @throws WebhookListFull
   */
  checkBeginner(submissionId: string, caller: Caller): void {
    if (this.#beginners.get(submissionId) !== caller.name) throw new WebhookListFull();
  }

  /**
   * The endpoint is notified of this submission. Again, nothing changes. There are two places, one
   * of them for the caller that began the submission. After a restart that caller is unknown, and a
   * submission without any endpoint may be given one.
   * @throws WebhookUnknown, WebhookListFull when no place is left; the submission goes on.
   */
  async add(submissionId: string, endpoint: string, caller: Caller): Promise<void> {
    if (!this.#names.has(endpoint)) throw new WebhookUnknown();
    const isOwn = this.#beginners.get(submissionId) === caller.name;
    const most = isOwn || this.#taken.has(submissionId) ? MOST_ENDPOINTS : MOST_OF_OTHERS;
    const added = await this.book.add(submissionTopic(submissionId), endpoint, most);
    if (added === 'full') throw new WebhookListFull();
    if (isOwn) this.#taken.add(submissionId);
  }
}
