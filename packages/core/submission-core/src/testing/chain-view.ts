import type { Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type { BlockRef, ExecutionStatus } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/transaction-status.js';
import type { AccountRange, AccountState, AccountTransaction } from '../ports/chain.port.js';
import type { FakeTransaction } from './fake-transaction.js';

/** Execution result of a transaction, as in its receipt. */
export interface FakeReceipt {
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
}

export interface FakeInclusion<T = FakeTransaction> extends FakeReceipt {
  readonly tx: T;
}

export interface FakeBlock<T = FakeTransaction> extends BlockRef {
  readonly timestampMs: number;
  readonly l2PriceFri: bigint;
  readonly inclusions: readonly FakeInclusion<T>[];
  /** States of the accounts after this block. */
  readonly accounts: Map<Felt, AccountState>;
}

/** View that one node has of the accepted blocks, and the responses that the node gives. */
export abstract class ChainView<T extends FakeTransaction = FakeTransaction> {
  abstract get head(): FakeBlock<T>;
  abstract block(number: number): FakeBlock<T> | undefined;

  /**
   * Returns the newest accepted transaction for which `isWanted` is true, in the format of the
   * chain port.
   */
  find(isWanted: (inclusion: FakeInclusion<T>) => boolean): AccountTransaction | null {
    for (let { number } = this.head; number > 0; number -= 1) {
      const block = this.block(number);
      const inclusion = block?.inclusions.find(isWanted);
      if (block !== undefined && inclusion !== undefined) return shownIn(block, inclusion);
    }
    return null;
  }

  /** @param preConfirmed transactions of the pre-confirmed block, if the node reports that block */
  status(
    hash: Felt,
    preConfirmed: readonly FakeInclusion<T>[],
    isWaiting: () => boolean,
  ): TransactionStatus {
    const accepted = this.find(({ tx }) => tx.hash === hash);
    if (accepted !== null) {
      const { execution, revertReason, feeFri, block } = accepted.consumer;
      return { kind: 'accepted', execution, revertReason, feeFri, block };
    }
    const shown = preConfirmed.find(({ tx }) => tx.hash === hash);
    if (shown === undefined) return { kind: isWaiting() ? 'waiting' : 'unknown' };
    const { execution, revertReason } = shown;
    return { kind: 'pre_confirmed', execution, revertReason };
  }

  evidence(
    { number, hash }: BlockRef,
    heights: readonly number[],
    l1BlockNumber: number | null,
  ): ChainEvidence {
    const shown = heights.flatMap((height): [number, Felt][] => {
      const block = this.block(height);
      return block === undefined ? [] : [[height, block.hash]];
    });
    const last = refOf(this.head);
    return { first: { number, hash }, last, blocks: new Map(shown), l1BlockNumber };
  }

  /** Returns the height of the first block whose time is not before `timestamp`, in seconds. */
  heightAt(timestamp: number): number {
    const { number: last } = this.head;
    for (let number = 0; number < last; number += 1) {
      const block = this.block(number);
      if (block !== undefined && secondsOf(block) >= timestamp) return number;
    }
    return last;
  }
}

/** Returns the transactions of these accounts in these blocks. */
export function rangeOf(blocks: readonly FakeBlock[], accounts: readonly Felt[]): AccountRange {
  const last = blocks.at(-1);
  return {
    sent: blocks.flatMap((block) =>
      block.inclusions
        .filter(({ tx }) => accounts.includes(tx.account))
        .map((inclusion) => shownIn(block, inclusion)),
    ),
    last: last === undefined ? null : refOf(last),
  };
}

export function refOf({ number, hash }: BlockRef): BlockRef {
  return { number, hash };
}

export function secondsOf({ timestampMs }: Pick<FakeBlock, 'timestampMs'>): number {
  return Math.floor(timestampMs / 1_000);
}

function shownIn(
  block: BlockRef,
  { tx: { hash, account: sender, nonce, calls }, ...receipt }: FakeInclusion,
): AccountTransaction {
  return { sender, nonce, consumer: { hash, ...receipt, block: refOf(block) }, calls };
}
