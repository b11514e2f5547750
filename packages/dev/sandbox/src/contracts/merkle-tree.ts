import { poseidon2 } from 'poseidon-lite/poseidon2';
import { Revert } from '../engine/contract.js';
import type { ContractStorage } from './storage.js';

/** Number of levels above the leaves. The tree has 1,024 leaves. */
const TREE_DEPTH = 10;
/** Number of recent roots that a withdrawal proof may use. */
const KNOWN_ROOTS = 30;

/** Maximum number of leaves of a tree. */
export const TREE_CAPACITY = 2 ** TREE_DEPTH;
const NEXT_INDEX = 'next_index';

/**
 * Root of the subtree without leaves for each height: zeros[0] is the empty leaf, and
 * zeros[TREE_DEPTH] is the root of the empty tree.
 */
const zeros: readonly bigint[] = emptySubtrees();

/** Returns the number of leaves, which is the index of the next leaf. */
export function nextLeafIndex(storage: ContractStorage): number {
  return Number(storage.get(NEXT_INDEX));
}

/**
 * Appends a leaf and stores the new root as the newest known root. One filled subtree per level is
 * stored, so an insertion always costs {@link TREE_DEPTH} hashes. Reverts with `tree full` after
 * 1,024 leaves.
 * @returns the leaf's index
 */
export function insertLeaf(storage: ContractStorage, leaf: bigint): number {
  const leafIndex = nextLeafIndex(storage);
  if (leafIndex >= TREE_CAPACITY) throw new Revert('tree full');
  let node = leaf;
  let position = leafIndex;
  for (const [level, zero] of zeros.slice(0, TREE_DEPTH).entries()) {
    const filled = `filled_subtree:${level}`;
    if (position % 2 === 0) {
      storage.set(filled, node);
      node = poseidon2([node, zero]);
    } else {
      node = poseidon2([storage.get(filled), node]);
    }
    position = Math.floor(position / 2);
  }
  storage.set(NEXT_INDEX, BigInt(leafIndex + 1));
  storage.set(rootKey(leafIndex + 1), node);
  return leafIndex;
}

export function lastRoot(storage: ContractStorage): bigint {
  return rootAfter(storage, nextLeafIndex(storage));
}

/**
 * Returns true if `root` is one of the last {@link KNOWN_ROOTS} roots. The root of the empty tree
 * is the first root.
 */
export function isKnownRoot(storage: ContractStorage, root: bigint): boolean {
  const newest = nextLeafIndex(storage);
  for (let leaves = newest; leaves >= 0 && leaves > newest - KNOWN_ROOTS; leaves -= 1) {
    if (rootAfter(storage, leaves) === root) return true;
  }
  return false;
}

/**
 * Returns the root of the tree with this many leaves. Only the last {@link KNOWN_ROOTS} roots are
 * stored.
 */
function rootAfter(storage: ContractStorage, leaves: number): bigint {
  return leaves === 0 ? (zeros.at(-1) ?? 0n) : storage.get(rootKey(leaves));
}

function rootKey(leaves: number): string {
  return `root:${leaves % KNOWN_ROOTS}`;
}

function emptySubtrees(): bigint[] {
  const roots = [0n];
  let root = 0n;
  for (let level = 0; level < TREE_DEPTH; level += 1) {
    root = poseidon2([root, root]);
    roots.push(root);
  }
  return roots;
}
