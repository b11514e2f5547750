import type { Felt } from '@sotto/kernel';
import type { ChainChange, ChainEvents, PushStatus } from '../ports/chain-events.port.js';

/** Source of push messages that a test controls. The messages need not be true. */
export class FakeChainEvents implements ChainEvents {
  #subscription: { readonly lanes: ReadonlySet<Felt>; changed(change: ChainChange): void } | null =
    null;

  get isSubscribed(): boolean {
    return this.#subscription !== null;
  }

  subscribe(lanes: readonly Felt[], changed: (change: ChainChange) => void): () => void {
    const subscription = { lanes: new Set(lanes), changed };
    this.#subscription = subscription;
    queueMicrotask(() => this.#push('gap'));
    return () => {
      if (this.#subscription === subscription) this.#subscription = null;
    };
  }

  status(): readonly PushStatus[] {
    return [];
  }

  /** Pushes a `transaction` change if the subscription includes this account. */
  transactionOf(account: Felt): void {
    if (this.#subscription?.lanes.has(account) === true) this.#push('transaction');
  }

  push(change: Exclude<ChainChange, 'transaction'>): void {
    this.#push(change);
  }

  #push(change: ChainChange): void {
    this.#subscription?.changed(change);
  }
}
