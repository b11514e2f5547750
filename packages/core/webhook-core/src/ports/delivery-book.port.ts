import type { Delivery, Topic } from '../domain/delivery.js';

export interface Claim {
  readonly limit: number;
  /** For so long no other claim gets the rows. */
  readonly leaseMs: number;
}

/**
 * The durable rows that messages are made from: one for each topic and endpoint. Times are the
 * store's. Every write of a row names the version that it was decided on, and does nothing once
 * another instance has written. Rejects with `LedgerUnavailable` when the store can't answer.
 */
export abstract class DeliveryBook {
  /**
   * Gives an endpoint a place for a topic, due at once. `known` where it has one, `full` where as
   * many others have: never more than `most`, however many ask at once.
   * @param begun a row that was kept elsewhere: its id and how far it is are taken over
   */
  abstract add(
    topic: Topic,
    endpoint: string,
    most: number,
    begun?: Delivery,
  ): Promise<'added' | 'known' | 'full'>;
  /** Rows of all topics of a kind and all endpoints: few of alerts, very many of submissions. */
  abstract ofKind(kind: Topic['kind']): Promise<readonly Delivery[]>;
  /** How many rows an endpoint has. */
  abstract count(endpoint: string): Promise<number>;
  /** How many of them have delivered nothing yet, or have a message that is wanted. */
  abstract countUndelivered(endpoint: string): Promise<number>;
  /** Rows of an endpoint that are due, the longest due first; one instance gets each. */
  abstract claim(endpoint: string, claim: Claim): Promise<readonly Delivery[]>;
  /** Begins the next message: it is wanted from now on. Null when another instance wrote. */
  abstract want(delivery: Delivery, state: string, leaseMs: number): Promise<Delivery | null>;
  /** The state has been delivered or dropped; nothing is wanted, and it is due again later. */
  abstract settle(delivery: Delivery, state: string | null, dueInMs: number): Promise<boolean>;
  /** The wanted message is tried again later. */
  abstract postpone(delivery: Delivery, failures: number, dueInMs: number): Promise<boolean>;
  abstract remove(delivery: Delivery): Promise<boolean>;
  /**
   * Makes all of an endpoint's rows due that have a message to deliver: it ends the leases and
   * back-offs of processes that have ended. Versions stay, so a live holder may still write.
   */
  abstract makeDue(endpoint: string): Promise<void>;
  /**
   * Deletes rows of submissions that were added longer ago, and of alerts besides that no claim has
   * taken for as long: one that stands keeps its row. Returns how many.
   */
  abstract forget(olderThanMs: number, limit: number): Promise<number>;
}
