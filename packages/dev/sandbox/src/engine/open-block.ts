import { toInclusion, type BlockHeader, type Inclusion } from './block.js';
import { canPayBounds, executeInvoke, type ExecutionContext } from './execute.js';
import { coversPrices, type GasPrices } from './fee.js';
import { Overlay, type StateReader } from './state.js';
import type { InvokeTransaction } from './transaction.js';

/** Dependencies of an open block on its chain. */
export interface OpenBlockSurroundings {
  readonly parentTimestampSeconds: number;
  readonly parentState: StateReader;
  nowSeconds(): number;
  currentPrices(): GasPrices;
  contextOf(header: BlockHeader): ExecutionContext;
  /** Returns and consumes the forced revert reason of a transaction; undefined for none. */
  takeForcedRevert(transaction: InvokeTransaction): string | undefined;
}

/**
 * The pre-confirmed block: candidates that wait to be executed, and executed transactions. The
 * first transaction fixes time and prices; while the block is empty, they follow the chain's.
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
   * Returns the nonce that the account's next transaction needs, counting candidates as included.
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

  /** Removes a candidate; returns false if none has this hash. */
  removeCandidate(hash: bigint): boolean {
    const before = this.#candidates.length;
    this.#candidates = this.#candidates.filter((candidate) => candidate.hash !== hash);
    return this.#candidates.length < before;
  }

  /**
   * Executes every candidate.
   * @returns candidates that must wait for an earlier nonce; those that can never be executed are
   *   dropped
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
   * Executes a transaction now. Returns false, without a change, if nonce, prices or balance do not
   * allow it.
   */
  include(transaction: InvokeTransaction): boolean {
    const { fields } = transaction;
    const { header } = this;
    const context = this.surroundings.contextOf(header);
    const executable =
      fields.nonce === this.state.nonce(fields.sender) &&
      coversPrices(fields.bounds, header.prices) &&
      canPayBounds(this.state, context.feeToken, fields);
    if (!executable) return false;
    this.#fixed = header;
    const forcedRevert = this.surroundings.takeForcedRevert(transaction);
    const result = executeInvoke(this.state, fields, context, { chargeFee: true, forcedRevert });
    this.#inclusions.push(toInclusion(transaction, result));
    return true;
  }
}
