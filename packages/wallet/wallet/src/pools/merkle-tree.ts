import { poseidon2 } from 'poseidon-lite/poseidon2';

import { WalletError } from '../errors.js';
import { SCALAR_FIELD } from '../fields.js';

/** Number of levels between leaf and root, as in `component main` of circuits/withdraw.circom. */
export const TREE_DEPTH = 10;
export const TREE_CAPACITY = 2 ** TREE_DEPTH;

/** Path from one leaf to a root. */
export interface MerklePath {
  readonly leafIndex: number;
  /** Sibling on each level; the leaf level is first. */
  readonly siblings: readonly bigint[];
  readonly root: bigint;
}

/** Roots of empty subtrees: `ZEROS[i]` is the root of an empty subtree of height i. */
const ZEROS: readonly bigint[] = Array.from({ length: TREE_DEPTH }).reduce<bigint[]>(
  (zeros) => {
    const below = zeros.at(-1) ?? 0n;
    return [...zeros, hashPair(below, below)];
  },
  [0n],
);

/** Append-only tree of a pool's commitments, filled from the left; empty leaves are 0. */
export class MerkleTree {
  /**
   * Nodes of the tree: `#levels[0]` contains the leaves. A level stores only the nodes that have at
   * least one leaf below them.
   */
  readonly #levels: readonly bigint[][] = ZEROS.map(() => []);

  /**
   * Builds a tree of these leaves, in the given sequence. @throws WalletError, see {@link insert}
   */
  static of(leaves: readonly bigint[]): MerkleTree {
    const tree = new MerkleTree();
    tree.#append(leaves);
    return tree;
  }

  /**
   * Returns a new tree with this tree's leaves, followed by `leaves`. This tree is not changed.
   * @throws WalletError, see {@link insert}
   */
  followedBy(leaves: readonly bigint[]): MerkleTree {
    const tree = new MerkleTree();
    for (const [height, nodes] of this.#levels.entries()) tree.#level(height).push(...nodes);
    tree.#append(leaves);
    return tree;
  }

  get size(): number {
    return this.#level(0).length;
  }

  get root(): bigint {
    return this.#node(TREE_DEPTH, 0);
  }

  /**
   * Appends a leaf and returns its index.
   * @throws WalletError TREE_FULL after 1,024 leaves, LEAF_OUT_OF_RANGE unless 0 < leaf < the
   *   scalar field's order
   */
  insert(leaf: bigint): number {
    this.#append([leaf]);
    return this.size - 1;
  }

  /** Returns the index of the first leaf with this value, or undefined. */
  indexOf(leaf: bigint): number | undefined {
    const index = this.#level(0).indexOf(leaf);
    return index === -1 ? undefined : index;
  }

  /** @throws WalletError LEAF_INDEX_OUT_OF_RANGE if the tree has no leaf with this index */
  path(leafIndex: number): MerklePath {
    if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= this.size) {
      throw new WalletError('LEAF_INDEX_OUT_OF_RANGE', `the tree has leaves 0 to ${this.size - 1}`);
    }
    const siblings = Array.from({ length: TREE_DEPTH }, (_, height) =>
      this.#node(height, (leafIndex >> height) ^ 1),
    );
    return { leafIndex, siblings, root: this.root };
  }

  #append(leaves: readonly bigint[]): void {
    if (this.size + leaves.length > TREE_CAPACITY)
      throw new WalletError('TREE_FULL', `a tree holds ${TREE_CAPACITY} leaves`);
    if (!leaves.every((leaf) => leaf > 0n && leaf < SCALAR_FIELD)) {
      throw new WalletError(
        'LEAF_OUT_OF_RANGE',
        'a leaf must be in (0, r) of the BN254 scalar field',
      );
    }
    const first = this.size;
    this.#level(0).push(...leaves);
    for (let height = 1; height <= TREE_DEPTH; height++) {
      for (let index = first >> height; index << height < this.size; index++) {
        this.#level(height)[index] = hashPair(
          this.#node(height - 1, 2 * index),
          this.#node(height - 1, 2 * index + 1),
        );
      }
    }
  }

  #level(height: number): bigint[] {
    const level = this.#levels[height];
    if (level === undefined) throw new Error('the tree has no such level');
    return level;
  }

  #node(height: number, index: number): bigint {
    return this.#level(height)[index] ?? ZEROS[height] ?? 0n;
  }
}

/**
 * Computes the root of a path that starts at `leaf`. The result equals `path.root` if and only if
 * the path belongs to the leaf.
 */
export function foldPath(leaf: bigint, { leafIndex, siblings }: Omit<MerklePath, 'root'>): bigint {
  return siblings.reduce(
    (node, sibling, height) =>
      ((leafIndex >> height) & 1) === 0 ? hashPair(node, sibling) : hashPair(sibling, node),
    leaf,
  );
}

function hashPair(left: bigint, right: bigint): bigint {
  return poseidon2([left, right]);
}
