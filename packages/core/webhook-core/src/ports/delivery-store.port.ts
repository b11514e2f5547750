import type { Delivery, Topic } from '../domain/delivery.js';

export interface Claim {
  readonly limit: number;
  /** Time in ms during which the claimed rows are not returned to any other claim. */
  readonly leaseMs: number;
}

/**
 * Durable rows from which messages are created, one for each topic and endpoint. All times are from
 * the store's clock. Every write of a row contains the version that it is based on. If another
 * instance has written the row after that version, the write does nothing. The methods reject with
 * `LedgerUnavailable` if the store is unavailable.
 */
export abstract class DeliveryStore {
  /**
   * Adds a row for a topic and an endpoint, which is due at once. Returns `known` if the row
   * exists. Returns `full` if the topic already has `most` endpoints, even for concurrent calls.
   * @param begun row from another store, for example from memory, whose id and progress are adopted
   */
  abstract add(
    topic: Topic,
    endpoint: string,
    most: number,
    begun?: Delivery,
  ): Promise<'added' | 'known' | 'full'>;
  /**
   * Returns all rows of one kind of topic, for all endpoints. Alerts have few rows; submissions
   * have very many.
   */
  abstract ofKind(kind: Topic['kind']): Promise<readonly Delivery[]>;
  /** Returns the number of an endpoint's rows. */
  abstract count(endpoint: string): Promise<number>;
  /**
   * Returns the number of an endpoint's rows that have a message to deliver, or that have never
   * delivered a message.
   */
  abstract countUndelivered(endpoint: string): Promise<number>;
  /**
   * Claims due rows of an endpoint. Rows that have been due for the longest time come first. Each
   * row is claimed by only one instance.
   */
  abstract claim(endpoint: string, claim: Claim): Promise<readonly Delivery[]>;
  /**
   * Starts the next message of a row, with this state. Returns null if another instance has written
   * the row after it was claimed.
   */
  abstract want(delivery: Delivery, state: string, leaseMs: number): Promise<Delivery | null>;
  /**
   * Records the state as delivered or dropped. The row then has no message to deliver, and is due
   * again after `dueInMs`.
   */
  abstract settle(delivery: Delivery, state: string | null, dueInMs: number): Promise<boolean>;
  /** Records the failures of the current message and makes its row due again after `dueInMs`. */
  abstract postpone(delivery: Delivery, failures: number, dueInMs: number): Promise<boolean>;
  abstract remove(delivery: Delivery): Promise<boolean>;
  /**
   * Makes all rows of an endpoint due that have an undelivered message. This ends the leases and
   * back-offs of ended processes. The versions do not change, so a process that still holds a row
   * may write it.
   */
  abstract makeDue(endpoint: string): Promise<void>;
  /**
   * Deletes at most `limit` old rows and returns their number. Rows of submissions are deleted if
   * they were added more than `olderThanMs` ago. Rows of alerts are deleted only if they were also
   * not claimed for this time, so the row of an active alert remains.
   */
  abstract forget(olderThanMs: number, limit: number): Promise<number>;
}
