import type { Felt } from '@sotto/kernel';

/**
 * Change that a node pushed: the state may have changed, but the message does not contain the new
 * state.
 *
 * - `transaction`: a transaction of one of our lanes.
 * - `head`: there is a newer block.
 * - `rollback`: blocks were undone.
 * - `gap`: messages may have been lost, for example when a connection ends or begins.
 */
export type ChainChange = 'transaction' | 'head' | 'rollback' | 'gap';

/** Status of one node's push connection. */
export interface PushStatus {
  /** Name of the node, as used in all other places. */
  readonly node: string;
  /** True if every subscription is active now. */
  readonly isConnected: boolean;
  /** Number of messages since the start, by kind; `other` counts unparseable messages. */
  readonly messages: Readonly<Record<PushedKind, number>>;
}

export const PUSHED_KINDS = ['transaction', 'head', 'rollback', 'other'] as const;
export type PushedKind = (typeof PUSHED_KINDS)[number];

/**
 * Messages of nodes that trigger an early poll of the chain. Best effort: a message arrives once,
 * several times, late, or never, and may be wrong. A receiver must poll the chain to know the
 * state.
 */
export abstract class ChainEvents {
  /**
   * Subscribes to changes: calls `changed` whenever a lane or the head may have changed. Supports
   * one subscription at a time. Reports a `gap` after an interruption and when the first
   * subscription is active. Never throws or waits.
   * @returns function that unsubscribes; `changed` is not called afterwards
   */
  abstract subscribe(lanes: readonly Felt[], changed: (change: ChainChange) => void): () => void;
  /** Returns the push status of every node that should push, in the order of the settings. */
  abstract status(): readonly PushStatus[];
}

/** Implementation without push: the chain is polled at intervals only. */
export const noChainEvents: ChainEvents = { subscribe: () => () => {}, status: () => [] };
