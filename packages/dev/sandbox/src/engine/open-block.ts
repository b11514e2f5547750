import { toInclusion, type BlockHeader, type Inclusion } from './block.js';
import { canPayBounds, executeInvoke, type ExecutionContext } from './execute.js';
import { coversPrices, type GasPrices } from './fee.js';
import { Overlay, type StateReader } from './state.js';
import type { InvokeTransaction } from './transaction.js';

/** Functions and data of the chain that an open block needs. */
export interface OpenBlockSurroundings {
  readonly parentTimestampSeconds: number;
  readonly parentState: StateReader;
  nowSeconds(): number;
  currentPrices(): GasPrices;
  contextOf(header: BlockHeader): ExecutionContext;
  /** Returns true if a block with this number can include a transaction with these facts. */
  acceptsFacts(proofFacts: readonly bigint[], blockNumber: number): boolean;
  /**
   * Returns and removes the revert reason that a test has set for a transaction; undefined if the
   * test has set no reason.
   */
  takeForcedRevert(transaction: InvokeTransaction): string | undefined;
}

/**
 * Pre-confirmed block: executed transactions, and candidates that wait for execution. When the
 * first transaction is included, the block's time and prices are fixed. While the block is empty,
 * its time and prices follow the chain's clock and prices.
 */
export class OpenBlock {
  readonly state: Overlay;
  #fixed: BlockHeader | undefined;
  #candidates: InvokeTransaction[] = [];
  #inclusions: Inclusion[] = [];

  constructor(
    readonly number: number,
    private readonly surroundings: OpenBlockSurroundings,
  ) {
    this.state = new Overlay(surroundings.parentState);
  }

  get header(): BlockHeader {
    if (this.#fixed !== undefined) return this.#fixed;
    const { surroundings } = this;
    const timestampSeconds = Math.max(
      surroundings.parentTimestampSeconds,
      surroundings.nowSeconds(),
    );
    return { number: this.number, timestampSeconds, prices: surroundings.currentPrices() };
  }

  get candidates(): readonly InvokeTransaction[] {
    return this.#candidates;
  }

  get inclusions(): readonly Inclusion[] {
    return this.#inclusions;
  }

  /**
   * Returns the nonce that the account's next transaction needs. The account's candidates count as
   * already included.
   */
  nextNonce(account: bigint): bigint {
    return this.#candidates.reduce(
      (next, { fields }) =>
        fields.sender === account && fields.nonce >= next ? fields.nonce + 1n : next,
      this.state.nonce(account),
    );
  }

  addCandidate(transaction: InvokeTransaction): void {
    this.#candidates.push(transaction);
  }

  /** Removes a candidate; returns false if no candidate has this hash. */
  removeCandidate(hash: bigint): boolean {
    const before = this.#candidates.length;
    this.#candidates = this.#candidates.filter((candidate) => candidate.hash !== hash);
    return this.#candidates.length < before;
  }

  /**
   * Executes every candidate that can be executed.
   * @returns candidates that must wait until a transaction with a lower nonce is included.
   *   Candidates that can never be executed are dropped
   */
  executeCandidates(): InvokeTransaction[] {
    const candidates = this.#candidates;
    this.#candidates = [];
    return candidates.filter(
      (candidate) =>
        !this.include(candidate) &&
        candidate.fields.nonce > this.state.nonce(candidate.fields.sender),
    );
  }

  /**
   * Executes a transaction now. If its nonce, prices, balance or proof facts do not allow this, the
   * function returns false and changes nothing.
   */
  include(transaction: InvokeTransaction): boolean {
    const { fields } = transaction;
    const { header } = this;
    const context = this.surroundings.contextOf(header);
    const executable =
      fields.nonce === this.state.nonce(fields.sender) &&
      coversPrices(fields.bounds, header.prices) &&
      canPayBounds(this.state, context.feeToken, fields) &&
      this.surroundings.acceptsFacts(fields.proofFacts, header.number);
    if (!executable) return false;
    this.#fixed = header;
    const forcedRevert = this.surroundings.takeForcedRevert(transaction);
    const result = executeInvoke(this.state, fields, context, { chargeFee: true, forcedRevert });
    this.#inclusions.push(toInclusion(transaction, result));
    return true;
  }
}
