import { toFelt, type Felt } from '@sotto/kernel';
import {
  FakeBlocks,
  type FakeBlock,
  type FakeBlocksOptions,
  type FakeInclusion,
} from '@sotto/submission-core/testing';
import type { Random } from '../random.js';
import { isForeign, type Tx } from './transaction.js';

export type Block = FakeBlock<Tx>;
export type Inclusion = FakeInclusion<Tx>;

/**
 * Contracts of the simulation. `withNullifiers` pays each key only once; `plain` pays on every
 * call, even for the same key.
 */
export const CONTRACTS = { withNullifiers: toFelt('0x501'), plain: toFelt('0x502') } as const;
export const FLOOR_FRI = 8_000_000_000n;
const FEE_FRI = 10n ** 15n;

export interface ChainOptions extends Pick<FakeBlocksOptions, 'accounts' | 'balanceFri' | 'nowMs'> {
  readonly random: Random;
}

/**
 * Returns true if this inclusion is a successful payment of `key` by the contract with nullifiers.
 */
export function pays({ tx: { call }, execution }: Inclusion, key: number): boolean {
  const isPaid = call?.key === key && call.to === CONTRACTS.withNullifiers;
  return isPaid && execution === 'SUCCEEDED';
}

/** Simulated chain with the network's rules for nonces, prices, account keys and nullifiers. */
export class Chain extends FakeBlocks<Tx> {
  readonly #random: Random;
  /** Accounts whose transactions currently fail validation. */
  readonly broken = new Map<Felt, 'WRONG_KEY' | 'NOT_DEPLOYED'>();
  /** Keys whose calls may revert at any execution. */
  readonly reverting = new Set<number>();
  /** Number of blocks by which the contracts' owner has extended the time of every call. */
  lenientBlocks = 0;

  constructor({ random, ...options }: ChainOptions) {
    super({ ...options, name: 'simulation', l2PriceFri: FLOOR_FRI });
    this.#random = random;
  }

  /**
   * Executes a transaction in the block that is being built. If this is impossible, returns the
   * reason.
   */
  execute(tx: Tx): Inclusion | 'nonce' | 'price' | 'invalid' | 'funds' {
    const { nonce, balanceFri } = this.account(tx.account);
    if (tx.nonce !== nonce) return 'nonce';
    if (tx.l2PriceFri < this.l2PriceFri) return 'price';
    if (this.broken.has(tx.account) && !isForeign(tx)) return 'invalid';
    if (balanceFri < FEE_FRI) return 'funds';
    const revertReason = this.#revertOf(tx);
    const execution = revertReason === null ? 'SUCCEEDED' : 'REVERTED';
    return this.include(tx, { execution, revertReason, feeFri: FEE_FRI });
  }

  /** Accepts on L1 all blocks that were closed up to `beforeMs`. */
  provenUpTo(beforeMs: number): void {
    for (
      let next = this.block(this.l1Height + 1);
      next !== undefined && next.timestampMs <= beforeMs;
      next = this.block(this.l1Height + 1)
    ) {
      this.l1Height += 1;
    }
  }

  #revertOf({ call }: Tx): string | null {
    if (call === null) return null;
    if (this.head.number + 1 > (call.lastBlock ?? Infinity) + this.lenientBlocks)
      return 'PROOF_EXPIRED';
    if (call.to === CONTRACTS.withNullifiers && this.#isSpent(call.key)) return 'already withdrawn';
    return this.reverting.has(call.key) && this.#random.chance(0.5)
      ? 'reverted by its contract'
      : null;
  }

  #isSpent(key: number): boolean {
    return (
      this.preConfirmed.some((inclusion) => pays(inclusion, key)) ||
      this.blocks.some(({ inclusions }) => inclusions.some((inclusion) => pays(inclusion, key)))
    );
  }
}
