import type { BlockHeader, BlockStatus, Inclusion } from './block.js';
import type { Chain } from './chain.js';
import type { ExecutionContext } from './execute.js';
import { SpecError } from './spec-error.js';
import type { StateReader } from './state.js';
import type { InvokeTransaction } from './transaction.js';

/** Identifier of a block in a request. */
export type BlockId =
  | { readonly by: 'tag'; readonly tag: 'latest' | 'pre_confirmed' | 'l1_accepted' }
  | { readonly by: 'number'; readonly number: number }
  | { readonly by: 'hash'; readonly hash: bigint };

/** Block with the state after it. While the block is pre-confirmed, the hashes are undefined. */
export interface BlockView {
  readonly header: BlockHeader;
  readonly status: BlockStatus;
  readonly hash: bigint | undefined;
  readonly parentHash: bigint;
  readonly inclusions: readonly Inclusion[];
  readonly state: StateReader;
  readonly context: ExecutionContext;
}

/** Transaction with the stage that it has reached. */
export type TransactionView =
  | { readonly stage: 'RECEIVED' | 'CANDIDATE'; readonly transaction: InvokeTransaction }
  | {
      readonly stage: 'INCLUDED';
      readonly block: BlockView;
      readonly index: number;
      readonly inclusion: Inclusion;
    };

/**
 * View of the chain that the node currently has: the whole chain, or only its older blocks if the
 * node lags.
 */
export class ChainView {
  constructor(
    private readonly chain: Chain,
    private readonly newestNumber?: number,
  ) {}

  get latest(): BlockView {
    return this.#accepted(
      Math.min(this.chain.latest.number, this.newestNumber ?? Number.POSITIVE_INFINITY),
    );
  }

  /** Returns a block. @throws SpecError 24 if the block does not exist */
  block(id: BlockId): BlockView {
    switch (id.by) {
      case 'tag':
        return this.#tagged(id.tag);
      case 'number':
        return this.#numbered(id.number);
      case 'hash':
        return this.#hashed(id.hash);
    }
  }

  /**
   * Returns a transaction with its stage. @throws SpecError 29 if the node does not know the
   * transaction
   */
  transaction(hash: bigint): TransactionView {
    const number = this.chain.blockNumberOf(hash);
    if (number !== undefined && number <= this.latest.header.number)
      return included(this.#accepted(number), hash);
    if (this.newestNumber !== undefined) throw new SpecError(29);
    const waiting = this.chain.pool.get(hash);
    if (waiting !== undefined) return { stage: 'RECEIVED', transaction: waiting };
    const candidate = this.chain.open.candidates.find((transaction) => transaction.hash === hash);
    if (candidate !== undefined) return { stage: 'CANDIDATE', transaction: candidate };
    return included(this.#preConfirmed(), hash);
  }

  #tagged(tag: 'latest' | 'pre_confirmed' | 'l1_accepted'): BlockView {
    switch (tag) {
      case 'latest':
        return this.latest;
      case 'l1_accepted':
        return this.#accepted(Math.min(this.chain.l1Height, this.latest.header.number));
      case 'pre_confirmed':
        return this.#preConfirmed();
    }
  }

  #numbered(number: number): BlockView {
    if (number > this.latest.header.number) throw new SpecError(24);
    return this.#accepted(number);
  }

  #hashed(hash: bigint): BlockView {
    for (let number = this.latest.header.number; number >= 0; number -= 1) {
      if (this.chain.accepted(number).hash === hash) return this.#accepted(number);
    }
    throw new SpecError(24);
  }

  #accepted(number: number): BlockView {
    const block = this.chain.accepted(number);
    return {
      header: block,
      status: number <= this.chain.l1Height ? 'ACCEPTED_ON_L1' : 'ACCEPTED_ON_L2',
      hash: block.hash,
      parentHash: block.parentHash,
      inclusions: block.inclusions,
      state: this.chain.stateAt(number),
      context: this.chain.contextOf(block),
    };
  }

  /**
   * Returns the pre-confirmed block. If the node lags, the result is an empty block on top of the
   * newest block that the node reports.
   */
  #preConfirmed(): BlockView {
    const { latest } = this;
    if (this.newestNumber === undefined) {
      const { open } = this.chain;
      return preConfirmedView(this.chain, open.header, latest, open.inclusions, open.state);
    }
    return preConfirmedView(
      this.chain,
      { ...latest.header, number: latest.header.number + 1 },
      latest,
      [],
      latest.state,
    );
  }
}

function preConfirmedView(
  chain: Chain,
  header: BlockHeader,
  parent: BlockView,
  inclusions: readonly Inclusion[],
  state: StateReader,
): BlockView {
  return {
    header,
    status: 'PRE_CONFIRMED',
    hash: undefined,
    parentHash: parent.hash ?? 0n,
    inclusions,
    state,
    context: chain.contextOf(header),
  };
}

function included(block: BlockView, hash: bigint): TransactionView {
  const index = block.inclusions.findIndex(({ transaction }) => transaction.hash === hash);
  const inclusion = block.inclusions[index];
  if (inclusion === undefined) throw new SpecError(29);
  return { stage: 'INCLUDED', block, index, inclusion };
}
