/** Something that another instance of one store may want to look at. */
export type Hint =
  /** Something waits for a lane. */
  | { readonly kind: 'work' }
  /** The row of this attempt changed. */
  | { readonly kind: 'changed'; readonly id: string };

/**
 * Hints between the instances that share a store, so that none of them has to wait for its next
 * look at the rows. Best effort: a hint arrives once, late, or never, and says nothing that a row
 * does not say. A receiver reads the row.
 */
export abstract class InstanceBus {
  /** To every other instance, never to oneself. Neither waits nor throws. */
  abstract tell(hint: Hint): void;
  /**
   * Receives the others' hints from now on. After an interruption, in which hints may have been
   * lost, there is `work`.
   */
  abstract hear(listener: (hint: Hint) => void): void;
}

/** For a single instance: no other shares the store. */
export const noOtherInstances: InstanceBus = { tell: () => {}, hear: () => {} };
