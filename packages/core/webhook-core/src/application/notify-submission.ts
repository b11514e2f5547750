import type { Caller } from '@sotto/kernel';
import { submissionTopic, type WebhookEndpoint } from '../domain/delivery.js';
import { WebhookListFull, WebhookQueueFull, WebhookUnknown } from '../errors.js';
import type { DeliveryBook } from '../ports/delivery-book.port.js';

/** Maximum endpoints of a submission: the submitter's own, and one of another party. */
const MOST_ENDPOINTS = 2;
/**
 * Maximum for other callers. A proof is public, so any caller may repeat it: the submitter's place
 * stays free.
 */
const MOST_OF_OTHERS = 1;
/**
 * Maximum number of submissions whose first caller is remembered; the oldest are forgotten first.
 */
const MAX_BEGUN = 10_000;
const RETRY_AFTER_SECONDS = 60;

/** Maximum number of rows per endpoint. */
export interface QueueBounds {
  /** Maximum of rows that wait for the receiver. */
  readonly undelivered: number;
  /** Maximum of all rows, including those that wait for their submission to become final. */
  readonly rows: number;
}

/** Registers an endpoint of the operator for messages about a submission. */
export class NotifySubmission {
  readonly #names: ReadonlySet<string>;
  /** Callers by the submissions that they created: in memory only, as is all data about callers. */
  readonly #beginners = new Map<string, string>();
  /** Submissions of these whose first caller has a place. */
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
   * Rejects an endpoint that is unknown or has a full queue. Called only for requests that nothing
   * else rejects: otherwise invalid requests would reveal the registered names.
   * @throws WebhookUnknown, WebhookQueueFull
   */
  async check(endpoint: string): Promise<void> {
    if (!this.#names.has(endpoint)) throw new WebhookUnknown();
    // Counted without a lock: concurrent requests may exceed the maximum.
    const isFull =
      (await this.book.countUndelivered(endpoint)) >= this.bounds.undelivered ||
      (await this.book.count(endpoint)) >= this.bounds.rows;
    if (isFull) throw new WebhookQueueFull({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Remembers the caller that created a submission, to keep its place free. */
  begun(submissionId: string, caller: Caller): void {
    this.#beginners.set(submissionId, caller.name);
    const [oldest] = this.#beginners.keys();
    if (this.#beginners.size <= MAX_BEGUN || oldest === undefined) return;
    this.#beginners.delete(oldest);
    this.#taken.delete(oldest);
  }

  /**
   * Rejects every repeated request without a valid proof, unless the caller created the submission:
   * public data would otherwise reveal the registered names.
   * @throws WebhookListFull
   */
  checkBeginner(submissionId: string, caller: Caller): void {
    if (this.#beginners.get(submissionId) !== caller.name) throw new WebhookListFull();
  }

  /**
   * Registers the endpoint for messages about this submission; a repetition changes nothing. A
   * submission has two places, one of them for the caller that created it. The caller is unknown
   * after a restart; then only a submission without an endpoint accepts one.
   * @throws WebhookUnknown, WebhookListFull if no place is left; the submission continues.
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
