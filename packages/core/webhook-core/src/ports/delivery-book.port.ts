import type { Delivery, Topic } from '../domain/delivery.js';

export interface Claim {
  readonly limit: number;
  /** Time for which no other claim gets the rows, in milliseconds. */
  readonly leaseMs: number;
}

/**
 * Durable rows from which messages are created: one for each topic and endpoint. Times are the
 * store's. Every write of a row names the version that it is based on, and does nothing if another
 * instance has written since. Rejects with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class DeliveryBook {
  /**
   * Adds a row for a topic and an endpoint, due at once. Returns `known` if it exists, `full` if
   * the topic has the maximum of endpoints, even with concurrent calls.
   * @param begun a row from elsewhere, whose id and progress are kept
   */
  abstract add(
    topic: Topic,
    endpoint: string,
    most: number,
    begun?: Delivery,
  ): Promise<'added' | 'known' | 'full'>;
  /**
   * Returns rows of all topics of a kind and all endpoints: few of alerts, very many of
   * submissions.
   */
  abstract ofKind(kind: Topic['kind']): Promise<readonly Delivery[]>;
  /** Returns the number of an endpoint's rows. */
  abstract count(endpoint: string): Promise<number>;
  /** Returns the number of rows that have delivered nothing yet, or have a wanted message. */
  abstract countUndelivered(endpoint: string): Promise<number>;
  /** Claims due rows of an endpoint, the longest due first; each is claimed by one instance. */
  abstract claim(endpoint: string, claim: Claim): Promise<readonly Delivery[]>;
  /**
   * Starts the next message, which is wanted from now on. Returns null if another instance wrote.
   */
  abstract want(delivery: Delivery, state: string, leaseMs: number): Promise<Delivery | null>;
  /**
   * Records the state as delivered or dropped. Then no message is wanted, and the row is due later.
   */
  abstract settle(delivery: Delivery, state: string | null, dueInMs: number): Promise<boolean>;
  /** Retries the wanted message later. */
  abstract postpone(delivery: Delivery, failures: number, dueInMs: number): Promise<boolean>;
  abstract remove(delivery: Delivery): Promise<boolean>;
  /**
   * Makes all of an endpoint's rows with an undelivered message due. This ends leases and back-offs
   * of processes that have ended. Versions remain, so a live holder may still write.
   */
  abstract makeDue(endpoint: string): Promise<void>;
  /**
   * Deletes rows of submissions that were added longer ago, and of alerts if additionally no claim
   * was made for as long: an active alert keeps its row. Returns the number of deleted rows.
   */
  abstract forget(olderThanMs: number, limit: number): Promise<number>;
}
