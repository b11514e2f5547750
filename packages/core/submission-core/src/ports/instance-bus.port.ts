/** Notification to the other instances of one store. */
export type Hint =
  /**
   * Notification that work waits for a lane. If `id` is set, every instance may prepare this
   * attempt at once; otherwise the work is unknown.
   */
  | { readonly kind: 'work'; readonly id?: string }
  /** A lane was released or handed over, or an instance has become able to send on lanes. */
  | { readonly kind: 'lanes' }
  /** The row of this attempt changed. */
  | { readonly kind: 'changed'; readonly id: string };

/**
 * Notifications between the instances that share a store, so that no instance has to wait for its
 * next read of the rows. Best effort: a notification arrives once, late, or never. A notification
 * contains only data that the rows contain too. The instance that receives a notification reads the
 * row.
 */
export abstract class InstanceBus {
  /** Sends a notification to every other instance, never to the sender. Never waits or throws. */
  abstract report(hint: Hint): void;
  /**
   * Registers a listener for the other instances' notifications. After an interruption, in which
   * notifications may have been lost, the listener gets `work`.
   */
  abstract hear(listener: (hint: Hint) => void): void;
}

/** Implementation for a single instance that does not share its store. */
export const noOtherInstances: InstanceBus = { report: () => {}, hear: () => {} };
