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

/** A contract that pays a key once, and one that pays it as often as it is asked to. */
export const CONTRACTS = { withNullifiers: toFelt('0x501'), plain: toFelt('0x502') } as const;
export const FLOOR_FRI = 8_000_000_000n;
const FEE_FRI = 10n ** 15n;

export interface ChainOptions extends Pick<FakeBlocksOptions, 'accounts' | 'balanceFri' | 'nowMs'> {
  readonly random: Random;
}

/** True if this is the payment of `key` by the contract with nullifiers. */
export function pays({ tx: { call }, execution }: Inclusion, key: number): boolean {
  const isPaid = call?.key === key && call.to === CONTRACTS.withNullifiers;
  return isPaid && execution === 'SUCCEEDED';
}

/** A chain that executes by the network's rules: nonces, prices, keys and nullifiers. */
export class Chain extends FakeBlocks<Tx> {
  readonly #random: Random;
  /** Accounts whose transactions do not validate now. */
  readonly broken = new Map<Felt, 'WRONG_KEY' | 'NOT_DEPLOYED'>();
  /** Calls that revert whenever they are executed, by key. */
  readonly reverting = new Set<number>();

  constructor({ random, ...options }: ChainOptions) {
    super({ ...options, name: 'simulation', l2PriceFri: FLOOR_FRI });
    this.#random = random;
  }

  /** Executes a transaction into the block that is being built; why not, when it can't be. */
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

  /** Accepts blocks up to this time on L1. */
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
    if (call.to === CONTRACTS.withNullifiers && this.#isSpent(call.key)) return 'already withdrawn';
    return this.reverting.has(call.key) && this.#random.chance(0.5) ? 'reverts of its own' : null;
  }

  #isSpent(key: number): boolean {
    return (
      this.preConfirmed.some((inclusion) => pays(inclusion, key)) ||
      this.blocks.some(({ inclusions }) => inclusions.some((inclusion) => pays(inclusion, key)))
    );
  }
}
