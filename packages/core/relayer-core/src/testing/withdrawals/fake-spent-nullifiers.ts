import type { DomainError, Felt } from '@sotto/kernel';
import type { SpentNullifiers } from '../../withdrawals/ports/spent-nullifiers.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Spenders as a test sets them. */
export class FakeSpentNullifiers implements SpentNullifiers {
  readonly #spenders = new Map<string, Felt>();
  #failure: DomainError | null = null;
  #held: Promise<void> | null = null;
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  /** The transaction is in a block; the first one that spent a note stays its spender. */
  set(pool: Felt, nullifierHash: bigint, transactionHash: Felt): void {
    const name = nameOf(pool, nullifierHash);
    this.#spenders.set(name, this.#spenders.get(name) ?? transactionHash);
  }

  /** The block that the transaction stood in is undone. */
  undo(pool: Felt, nullifierHash: bigint): void {
    this.#spenders.delete(nameOf(pool, nullifierHash));
  }

  /** Every read rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  /** Reads that begin from now on are answered once the returned function is called. */
  hold(): () => void {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = null;
      open();
    };
  }

  async spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null> {
    this.#reads += 1;
    if (this.#held !== null) await this.#held;
    if (this.#failure !== null) throw this.#failure;
    return this.#spenders.get(nameOf(pool, nullifierHash)) ?? null;
  }
}

const nameOf = (pool: Felt, nullifierHash: bigint): string => `${pool}|${nullifierHash}`;
