import type { Caller } from '@sotto/kernel';
import { submissionTopic, type WebhookEndpoint } from '../domain/delivery.js';
import { WebhookListFull, WebhookQueueFull, WebhookUnknown } from '../errors.js';
import type { DeliveryStore } from '../ports/delivery-store.port.js';

/**
 * Maximum number of endpoints per submission: one for the caller that created the submission, and
 * one for another caller.
 */
const MOST_ENDPOINTS = 2;
/**
 * Maximum number of endpoints that other callers may register. A proof is public, so any caller may
 * repeat a request. The remaining slot is reserved for the caller that created the submission.
 */
const MOST_OF_OTHERS = 1;
/**
 * Maximum number of submissions for which the creating caller is stored. The oldest entries are
 * removed first.
 */
const MAX_BEGUN = 10_000;
const RETRY_AFTER_SECONDS = 60;

/** Maximum numbers of rows per endpoint. */
export interface QueueBounds {
  /** Maximum number of rows that wait for the receiver. */
  readonly undelivered: number;
  /** Maximum number of all rows, including those of submissions that are not final yet. */
  readonly rows: number;
}

/** Registers an endpoint of the operator for messages about a submission. */
export class NotifySubmission {
  readonly #names: ReadonlySet<string>;
  /**
   * Names of the callers that created submissions, by submission id. All data about callers is
   * stored in memory only.
   */
  readonly #beginners = new Map<string, string>();
  /** Ids of the submissions in `#beginners` whose creating caller has registered an endpoint. */
  readonly #taken = new Set<string>();

  constructor(
    private readonly store: DeliveryStore,
    endpoints: readonly WebhookEndpoint[],
    private readonly bounds: QueueBounds,
  ) {
    this.#names = new Set(
      endpoints.filter(({ events }) => events === 'submissions').map(({ name }) => name),
    );
  }

  /**
   * Rejects an endpoint that is unknown or has a full queue. Call this only for requests that pass
   * all other checks: otherwise invalid requests would reveal the registered names.
   * @throws WebhookUnknown, WebhookQueueFull
   */
  async check(endpoint: string): Promise<void> {
    if (!this.#names.has(endpoint)) throw new WebhookUnknown();
    // The rows are counted without a lock, so concurrent requests may exceed the maximum.
    const isFull =
      (await this.store.countUndelivered(endpoint)) >= this.bounds.undelivered ||
      (await this.store.count(endpoint)) >= this.bounds.rows;
    if (isFull) throw new WebhookQueueFull({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Stores the caller that created a submission, to reserve an endpoint slot for this caller. */
  begun(submissionId: string, caller: Caller): void {
    this.#beginners.set(submissionId, caller.name);
    const [oldest] = this.#beginners.keys();
    if (this.#beginners.size <= MAX_BEGUN || oldest === undefined) return;
    this.#beginners.delete(oldest);
    this.#taken.delete(oldest);
  }

  /**
   * Rejects a repeated request without a valid proof, unless its caller created the submission.
   * Otherwise any caller could use public data to find out the registered names.
   * @throws WebhookListFull
   */
  checkBeginner(submissionId: string, caller: Caller): void {
    if (this.#beginners.get(submissionId) !== caller.name) throw new WebhookListFull();
  }

  /**
   * Registers the endpoint for messages about this submission; a repeated call changes nothing. A
   * submission has two endpoint slots, one of which is reserved for the caller that created it.
   * After a restart, that caller is unknown. Then an endpoint is accepted only if the submission
   * has no endpoint yet.
   * @throws WebhookUnknown, WebhookListFull if no slot is free; the submission itself continues.
   */
  async add(submissionId: string, endpoint: string, caller: Caller): Promise<void> {
    if (!this.#names.has(endpoint)) throw new WebhookUnknown();
    const isOwn = this.#beginners.get(submissionId) === caller.name;
    const most = isOwn || this.#taken.has(submissionId) ? MOST_ENDPOINTS : MOST_OF_OTHERS;
    const added = await this.store.add(submissionTopic(submissionId), endpoint, most);
    if (added === 'full') throw new WebhookListFull();
    if (isOwn) this.#taken.add(submissionId);
  }
}
