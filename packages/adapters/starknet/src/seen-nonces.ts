import type { Felt } from '@sotto/kernel';

/**
 * Nonces of accounts at the newest accepted block, as any reader has seen them last. A hint for
 * what would otherwise have to ask first: it may be a block old.
 */
export class SeenNonces {
  readonly #nonces = new Map<Felt, bigint>();

  note(account: Felt, nonce: bigint): void {
    this.#nonces.set(account, nonce);
  }

  /** Undefined of an account that was never read. */
  of(account: Felt): bigint | undefined {
    return this.#nonces.get(account);
  }
}
