/** Notification to the other instances of one store. */
export type Hint =
  /** Work waits for a lane. */
  | { readonly kind: 'work' }
  /** The row of this attempt changed. */
  | { readonly kind: 'changed'; readonly id: string };

/**
 * Notifications between the instances that share a store, so that none has to wait for its next
 * read of the rows. Best effort: a notification arrives once, late, or never, and contains nothing
 * that is not in a row. A receiver reads the row.
 */
export abstract class InstanceBus {
  /** Sends to every other instance, never to the sender. Never waits or throws. */
  abstract tell(hint: Hint): void;
  /**
   * Receives the other instances' notifications from now on. After an interruption, in which some
   * may have been lost, it gets `work`.
   */
  abstract hear(listener: (hint: Hint) => void): void;
}

/** Implementation for a single instance, whose store no other shares. */
export const noOtherInstances: InstanceBus = { tell: () => {}, hear: () => {} };
