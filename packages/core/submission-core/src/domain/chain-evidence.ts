import type { Felt } from '@sotto/kernel';
import type { BlockRef } from './rows.js';

/**
 * Reads of the chain between two heads. The first head was read before everything else. At the end,
 * a closing request, answered by a single node, shows whether the first head and the compared
 * blocks are on the chain. The reads in between may have been answered by different replicas behind
 * one address.
 */
export interface ChainEvidence {
  readonly first: BlockRef;
  readonly last: BlockRef;
  /**
   * Block hashes by height from the closing request, including the hash of the first head. Heights
   * that the node does not have are omitted; they prove nothing.
   */
  readonly blocks: ReadonlyMap<number, Felt>;
  /**
   * Height at ACCEPTED_ON_L1 in the closing request; null if the node does not report this height.
   */
  readonly l1BlockNumber: number | null;
}

/**
 * True if the last head is a descendant of the first head and the closing request is consistent.
 */
export function isValid({ first, last, blocks }: ChainEvidence): boolean {
  return (
    last.number >= first.number &&
    blocks.get(first.number) === first.hash &&
    (blocks.get(last.number) ?? last.hash) === last.hash
  );
}

/**
 * True if the evidence shows the block on the chain. False for a block above the first head, which
 * the next poll checks.
 */
export function confirms(evidence: ChainEvidence, block: BlockRef): boolean {
  return shown(evidence, block.number) === block.hash;
}

/**
 * True if the chain has another block at the height of `block`. If the chain is too short to
 * contain the block, the evidence can contradict only an ancestor of the block. If an ancestor is
 * undone, all of its descendants are undone too.
 */
export function contradicts(evidence: ChainEvidence, block: BlockRef): boolean {
  const hash = shown(evidence, block.number);
  return hash !== null && hash !== block.hash;
}

/**
 * True if the block is on the chain and at ACCEPTED_ON_L1 in the closing request. An L1 height
 * above the node's own head is invalid and proves nothing.
 */
export function isOnL1(evidence: ChainEvidence, block: BlockRef): boolean {
  const { last, l1BlockNumber } = evidence;
  if (l1BlockNumber === null || l1BlockNumber > last.number) return false;
  return confirms(evidence, block) && block.number <= l1BlockNumber;
}

function shown(evidence: ChainEvidence, number: number): Felt | null {
  if (!isValid(evidence) || number > evidence.first.number) return null;
  return evidence.blocks.get(number) ?? null;
}
