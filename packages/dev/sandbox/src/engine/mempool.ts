import { SpecError } from './spec-error.js';
import type { InvokeTransaction } from './transaction.js';

/** Limits of the mempool, configured by the sequencer's operator. */
export interface MempoolSettings {
  /** Time after which a waiting transaction is dropped without an error, in milliseconds. */
  readonly lifetimeMs: number;
  /**
   * Percentage by which a replacement must exceed the tip and the L2 price of the replaced
   * transaction.
   */
  readonly replacementPercent: bigint;
}

interface Entry {
  readonly transaction: InvokeTransaction;
  readonly receivedAtMs: number;
}

/** Transactions that wait for a block, at most one for each account and nonce. */
export class Mempool {
  readonly #byHash = new Map<bigint, Entry>();

  constructor(
    private readonly settings: MempoolSettings,
    private readonly nowMs: () => number,
  ) {}

  /**
   * Adds a transaction to the mempool.
   * @throws SpecError 59 if the hash is already in the mempool, 64 if a replacement does not raise
   *   the tip and the price by the required percentage
   */
  add(transaction: InvokeTransaction): void {
    this.#dropExpired();
    if (this.#byHash.has(transaction.hash)) throw new SpecError(59);
    const occupant = this.at(transaction.fields.sender, transaction.fields.nonce);
    if (occupant !== undefined) {
      if (!this.#paysEnoughMore(transaction, occupant)) throw new SpecError(64);
      this.#byHash.delete(occupant.hash);
    }
    this.#byHash.set(transaction.hash, { transaction, receivedAtMs: this.nowMs() });
  }

  /**
   * Returns transactions to the mempool after a block was undone. If a transaction with the same
   * account and nonce already waits, the returned transaction replaces it.
   */
  restore(transactions: readonly InvokeTransaction[]): void {
    for (const transaction of transactions) {
      const occupant = this.at(transaction.fields.sender, transaction.fields.nonce);
      if (occupant !== undefined) this.#byHash.delete(occupant.hash);
      this.#byHash.set(transaction.hash, { transaction, receivedAtMs: this.nowMs() });
    }
  }

  get(hash: bigint): InvokeTransaction | undefined {
    this.#dropExpired();
    return this.#byHash.get(hash)?.transaction;
  }

  at(sender: bigint, nonce: bigint): InvokeTransaction | undefined {
    return this.all().find(({ fields }) => fields.sender === sender && fields.nonce === nonce);
  }

  /** Returns all waiting transactions, oldest first. */
  all(): InvokeTransaction[] {
    this.#dropExpired();
    return [...this.#byHash.values()].map(({ transaction }) => transaction);
  }

  /** Removes a transaction; returns false if it was not in the mempool. */
  remove(hash: bigint): boolean {
    return this.#byHash.delete(hash);
  }

  /**
   * Returns the transactions that a block can include now, in the block's sequence: for each
   * account, consecutive nonces from the current nonce, until `fits` returns false. Accounts are
   * sorted by tip, highest first, then by age.
   */
  executable(
    nonceOf: (account: bigint) => bigint,
    fits: (transaction: InvokeTransaction) => boolean,
  ): InvokeTransaction[] {
    const waiting = this.all();
    const next = new Map(
      [...new Set(waiting.map(({ fields }) => fields.sender))].map((sender) => [
        sender,
        nonceOf(sender),
      ]),
    );
    const ordered: InvokeTransaction[] = [];
    for (;;) {
      const ready = waiting.filter(
        (transaction) =>
          transaction.fields.nonce === next.get(transaction.fields.sender) && fits(transaction),
      );
      const [best, ...rest] = ready;
      if (best === undefined) return ordered;
      const chosen = rest.reduce(
        (left, right) => (right.fields.tip > left.fields.tip ? right : left),
        best,
      );
      ordered.push(chosen);
      next.set(chosen.fields.sender, chosen.fields.nonce + 1n);
    }
  }

  /**
   * Returns true if a replacement raises the tip and the L2 price by the required percentage. If
   * the tip was zero, it may remain zero.
   */
  #paysEnoughMore(
    { fields: offered }: InvokeTransaction,
    { fields: standing }: InvokeTransaction,
  ): boolean {
    const raised = (value: bigint): bigint =>
      (value * (100n + this.settings.replacementPercent)) / 100n;
    return (
      offered.tip >= raised(standing.tip) &&
      offered.bounds.l2Gas.maxPricePerUnit >= raised(standing.bounds.l2Gas.maxPricePerUnit)
    );
  }

  #dropExpired(): void {
    const oldest = this.nowMs() - this.settings.lifetimeMs;
    for (const [hash, { receivedAtMs }] of this.#byHash) {
      if (receivedAtMs <= oldest) this.#byHash.delete(hash);
    }
  }
}
