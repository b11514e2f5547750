import type { Felt } from '@sotto/kernel';
import type { BlockRef } from './rows.js';

/**
 * Reads of the chain between two heads. The first head was read before everything else. One closing
 * request, which a single node answers, shows that this head is still on the chain, and all blocks
 * that the evidence is about. Different replicas behind one address may have answered the reads in
 * between.
 */
export interface ChainEvidence {
  readonly first: BlockRef;
  readonly last: BlockRef;
  /**
   * Hashes by height from the closing request, including that of the first head. Heights that the
   * node does not have are left out; nothing follows for them.
   */
  readonly blocks: ReadonlyMap<number, Felt>;
  /** Height at ACCEPTED_ON_L1 in the closing request; null if the node does not report it. */
  readonly l1BlockNumber: number | null;
}

/** True if the last head descends from the first, and the closing request is consistent. */
export function isValid({ first, last, blocks }: ChainEvidence): boolean {
  return (
    last.number >= first.number &&
    blocks.get(first.number) === first.hash &&
    (blocks.get(last.number) ?? last.hash) === last.hash
  );
}

/** True if the block is on the chain. A block above the first head is left to the next poll. */
export function confirms(evidence: ChainEvidence, block: BlockRef): boolean {
  return shown(evidence, block.number) === block.hash;
}

/**
 * True if the chain has another block at its height. A chain that is too short for the block can
 * contradict only an ancestor of it: an undone block undoes all of its descendants.
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
