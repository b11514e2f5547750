import type { Felt } from '@sotto/kernel';
import type { BlockRef } from './rows.js';

/**
 * Reads of the chain between two heads: the first was read before everything else, and one closing
 * request, which one node answers, shows that it still stands, beside all that it is evidence of.
 * Several replicas behind one address may have answered what was read in between.
 */
export interface ChainEvidence {
  readonly first: BlockRef;
  readonly last: BlockRef;
  /**
   * Hashes by height, as the closing request shows them, that of the first head among them. Heights
   * that the node does not have are left out: nothing follows for them.
   */
  readonly blocks: ReadonlyMap<number, Felt>;
  /** Height at ACCEPTED_ON_L1 in the closing request; null where the node does not report it. */
  readonly l1BlockNumber: number | null;
}

/** The last head descends from the first, and the closing request does not contradict itself. */
export function isValid({ first, last, blocks }: ChainEvidence): boolean {
  return (
    last.number >= first.number &&
    blocks.get(first.number) === first.hash &&
    (blocks.get(last.number) ?? last.hash) === last.hash
  );
}

/** The block is on the chain. One above the first head is left to the next look. */
export function confirms(evidence: ChainEvidence, block: BlockRef): boolean {
  return shown(evidence, block.number) === block.hash;
}

/**
 * Another block stands at its height. On a chain that is too short for it nothing is said of it,
 * but of one that it descends from: an undone block undoes all that stood on it.
 */
export function contradicts(evidence: ChainEvidence, block: BlockRef): boolean {
  const hash = shown(evidence, block.number);
  return hash !== null && hash !== block.hash;
}

/**
 * The block is on the chain and at ACCEPTED_ON_L1, both as the closing request shows them. An L1
 * height above the node's own head is nonsense, and shows nothing.
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
