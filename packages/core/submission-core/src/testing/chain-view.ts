import type { Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type { BlockRef } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/sighting.js';
import type { AccountTransaction } from '../ports/chain.port.js';
import type { FakeBlock, FakeInclusion } from './fake-blocks.js';
import type { FeeOffer } from './fake-transaction.js';

/** Accepted blocks as one node shows them. */
export interface ChainView<T extends FeeOffer> {
  readonly head: FakeBlock<T>;
  block(number: number): FakeBlock<T> | undefined;
}

/** A transaction with the block that holds it. */
export interface Found<T extends FeeOffer> {
  readonly inclusion: FakeInclusion<T>;
  readonly block: FakeBlock<T>;
}

/** Returns the newest transaction that matches. */
export function findIn<T extends FeeOffer>(
  view: ChainView<T>,
  isWanted: (inclusion: FakeInclusion<T>) => boolean,
): Found<T> | null {
  for (let { number } = view.head; number >= 0; number -= 1) {
    const block = view.block(number);
    const inclusion = block?.inclusions.find(isWanted);
    if (block !== undefined && inclusion !== undefined) return { inclusion, block };
  }
  return null;
}

/** @param preConfirmed transactions of the pre-confirmed block, if the node shows it */
export function statusIn<T extends FeeOffer>(
  view: ChainView<T>,
  hash: Felt,
  preConfirmed: readonly FakeInclusion<T>[],
  isWaiting: () => boolean,
): TransactionStatus {
  const accepted = findIn(view, ({ tx }) => tx.hash === hash);
  if (accepted !== null) {
    const { execution, revertReason, feeFri } = accepted.inclusion;
    return { kind: 'accepted', execution, revertReason, feeFri, block: refOf(accepted.block) };
  }
  const shown = preConfirmed.find(({ tx }) => tx.hash === hash);
  if (shown !== undefined) {
    const { execution, revertReason } = shown;
    return { kind: 'pre_confirmed', execution, revertReason };
  }
  return { kind: isWaiting() ? 'waiting' : 'unknown' };
}

export function evidenceIn<T extends FeeOffer>(
  view: ChainView<T>,
  { number, hash }: BlockRef,
  heights: readonly number[],
  l1BlockNumber: number | null,
): ChainEvidence {
  const shown = heights.flatMap((height): [number, Felt][] => {
    const block = view.block(height);
    return block === undefined ? [] : [[height, block.hash]];
  });
  return {
    first: { number, hash },
    last: refOf(view.head),
    blocks: new Map(shown),
    l1BlockNumber,
  };
}

/** Returns the height of the first block whose time is not before `timestamp`, in seconds. */
export function heightAt<T extends FeeOffer>(view: ChainView<T>, timestamp: number): number {
  const { head } = view;
  for (let number = 0; number <= head.number; number += 1) {
    const block = view.block(number);
    if (block !== undefined && secondsOf(block) >= timestamp) return number;
  }
  return head.number;
}

export function consumptionOf<T extends FeeOffer>({
  inclusion: { tx, execution, revertReason, feeFri },
  block,
}: Found<T>): Omit<AccountTransaction, 'calls'> {
  return {
    sender: tx.account,
    nonce: tx.nonce,
    consumer: { hash: tx.hash, execution, revertReason, feeFri, block: refOf(block) },
  };
}

export function secondsOf({ timestampMs }: Pick<FakeBlock<FeeOffer>, 'timestampMs'>): number {
  return Math.floor(timestampMs / 1_000);
}

export function refOf({ number, hash }: BlockRef): BlockRef {
  return { number, hash };
}
