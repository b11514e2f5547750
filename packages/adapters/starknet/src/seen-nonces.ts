import type { Felt } from '@sotto/kernel';

/**
 * Nonces of accounts at the newest accepted block, as last read. A known nonce saves a read before
 * a simulation. Nonces may be one block old.
 */
export class SeenNonces {
  readonly #nonces = new Map<Felt, bigint>();

  note(account: Felt, nonce: bigint): void {
    this.#nonces.set(account, nonce);
  }

  /** Returns the last read nonce; undefined if the account's nonce was never read. */
  of(account: Felt): bigint | undefined {
    return this.#nonces.get(account);
  }
}
