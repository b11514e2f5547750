import type { Felt } from '@sotto/kernel';

/**
 * What a node pushes, as far as it may count: that something may have changed, never what.
 *
 * - `transaction`: of one of our lanes.
 * - `head`: there is a newer block.
 * - `rollback`: blocks were undone.
 * - `gap`: messages may have been lost, as when a connection ends or begins.
 */
export type ChainChange = 'transaction' | 'head' | 'rollback' | 'gap';

/** How one node pushes. */
export interface PushStatus {
  /** Of the node, as everywhere else. */
  readonly node: string;
  /** Whether all that was subscribed to is subscribed to now. */
  readonly isConnected: boolean;
  /** Messages since the start, by what they were; `other` is what was not understood. */
  readonly messages: Readonly<Record<PushedKind, number>>;
}

export const PUSHED_KINDS = ['transaction', 'head', 'rollback', 'other'] as const;
export type PushedKind = (typeof PUSHED_KINDS)[number];

/**
 * Messages by which nodes say that a look at the chain is worth while. Best effort: one arrives
 * once, several times, late, or never, and may be a lie. A receiver looks at the chain.
 */
export abstract class ChainEvents {
  /**
   * Calls `changed` whenever a lane or the head may have changed, from now on. One subscription at
   * a time. After an interruption, and when the first begins to stand, there is a `gap`. Neither
   * throws nor waits.
   * @returns what ends it: nothing is called afterwards
   */
  abstract subscribe(lanes: readonly Felt[], changed: (change: ChainChange) => void): () => void;
  /** Of every node that is to push, in the order of the settings. */
  abstract status(): readonly PushStatus[];
}

/** Where no node pushes: the chain is looked at by time alone. */
export const noChainEvents: ChainEvents = { subscribe: () => () => {}, status: () => [] };
