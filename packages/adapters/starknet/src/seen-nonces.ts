import type { Felt } from '@sotto/kernel';

/**
 * Nonces of accounts at the newest accepted block, as last read. Knowing them saves a read before a
 * simulation. Entries may be a block old.
 */
export class SeenNonces {
  readonly #nonces = new Map<Felt, bigint>();

  note(account: Felt, nonce: bigint): void {
    this.#nonces.set(account, nonce);
  }

  /** Returns undefined if the account was never read. */
  of(account: Felt): bigint | undefined {
    return this.#nonces.get(account);
  }
}
