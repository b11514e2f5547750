import type { Felt } from '@sotto/kernel';

/**
 * Change that a node pushed: something may have changed, but the new state is not part of it.
 *
 * - `transaction`: a transaction of one of our lanes.
 * - `head`: there is a newer block.
 * - `rollback`: blocks were undone.
 * - `gap`: messages may have been lost, for example when a connection ends or begins.
 */
export type ChainChange = 'transaction' | 'head' | 'rollback' | 'gap';

/** State of one node's push messages. */
export interface PushStatus {
  /** Name of the node, as everywhere else. */
  readonly node: string;
  /** True if every subscription is active now. */
  readonly isConnected: boolean;
  /** Messages since the start, by kind; `other` counts messages that were not understood. */
  readonly messages: Readonly<Record<PushedKind, number>>;
}

export const PUSHED_KINDS = ['transaction', 'head', 'rollback', 'other'] as const;
export type PushedKind = (typeof PUSHED_KINDS)[number];

/**
 * Messages of nodes that make an early poll of the chain worthwhile. Best effort: a message arrives
 * once, several times, late, or never, and may be wrong. A receiver polls the chain.
 */
export abstract class ChainEvents {
  /**
   * Calls `changed` whenever a lane or the head may have changed, from now on. Supports one
   * subscription at a time. Reports a `gap` after an interruption and when the first subscription
   * is active. Never throws or waits.
   * @returns function that unsubscribes; nothing is called afterwards
   */
  abstract subscribe(lanes: readonly Felt[], changed: (change: ChainChange) => void): () => void;
  /** Status of every node that should push, in the order of the settings. */
  abstract status(): readonly PushStatus[];
}

/** Implementation without push: the chain is polled at intervals only. */
export const noChainEvents: ChainEvents = { subscribe: () => () => {}, status: () => [] };
