import { LEDGER_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import { submissionTopic, type WebhookEndpoint } from '../domain/delivery.js';
import { WebhookListFull, WebhookQueueFull, WebhookUnknown } from '../errors.js';
import type { DeliveryBook } from '../ports/delivery-book.port.js';

/** The submitter's own, and one of another party to it. */
const MOST_ENDPOINTS = 2;
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
  /** Codes of its errors. */
  static readonly throws = [
    'WEBHOOK_UNKNOWN',
    'WEBHOOK_QUEUE_FULL',
    'WEBHOOK_LIST_FULL',
    ...codesOf(LEDGER_ERRORS),
  ] as const satisfies readonly ErrorCode[];

  readonly #names: ReadonlySet<string>;

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
   * Refuses what could not be kept, before anything is done for the request.
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

  /**
   * The endpoint is notified of this submission. Again, nothing changes.
   * @throws WebhookListFull when two others are; the submission goes on.
   */
  async add(submissionId: string, endpoint: string): Promise<void> {
    const added = await this.book.add(submissionTopic(submissionId), endpoint, MOST_ENDPOINTS);
    if (added === 'full') throw new WebhookListFull();
  }
}
