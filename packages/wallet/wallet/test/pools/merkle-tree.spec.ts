import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { init, poseidonHashBN254 } from 'garaga';

import { foldPath, MerkleTree, TREE_CAPACITY, TREE_DEPTH } from '../../src/advanced.js';
import { codeOf } from '../support/code-of.js';

const SCALAR_FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const leaf = fc.bigInt({ min: 1n, max: SCALAR_FIELD - 1n });

/**
 * Computes the root of the whole tree without optimisation, with a second implementation of the
 * hash.
 */
async function plainRoot(leaves: readonly bigint[], depth = TREE_DEPTH): Promise<bigint> {
  await init();
  let zero = 0n;
  let level = [...leaves];
  for (let height = 0; height < depth; height++) {
    const parents: bigint[] = [];
    for (let index = 0; index < level.length; index += 2)
      parents.push(poseidonHashBN254(level[index] ?? zero, level[index + 1] ?? zero));
    zero = poseidonHashBN254(zero, zero);
    level = parents;
  }
  return level[0] ?? zero;
}

describe('MerkleTree', () => {
  it('a MerkleTree without leaves has the root of the zero subtree', async () => {
    expect(new MerkleTree().root).toBe(await plainRoot([]));
    expect(new MerkleTree().size).toBe(0);
  });

  it('a MerkleTree has the same root as a simple implementation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(leaf, { maxLength: 40 }), async (leaves) => {
        expect(MerkleTree.of(leaves).root).toBe(await plainRoot(leaves));
      }),
      { numRuns: 10 },
    );
  });

  it('a MerkleTree does not depend on whether its leaves are inserted one by one or all at once', () => {
    fc.assert(
      fc.property(
        fc.array(leaf, { maxLength: 12 }),
        fc.array(leaf, { maxLength: 12 }),
        (first, second) => {
          const grown = MerkleTree.of(first);
          second.forEach((value, index) => expect(grown.insert(value)).toBe(first.length + index));
          expect(grown.root).toBe(MerkleTree.of([...first, ...second]).root);
          const before = MerkleTree.of(first);
          const { root } = before;
          expect(before.followedBy(second).root).toBe(grown.root);
          expect([before.root, before.size]).toEqual([root, first.length]);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('MerkleTree.path returns a path that leads to the root only for its own leaf', () => {
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1, maxLength: 20 }), fc.nat(), (leaves, pick) => {
        const tree = MerkleTree.of(leaves);
        const index = pick % leaves.length;
        const path = tree.path(index);
        expect(path).toMatchObject({ leafIndex: index, root: tree.root });
        expect(path.siblings).toHaveLength(TREE_DEPTH);
        expect(foldPath(leaves[index] ?? 0n, path)).toBe(tree.root);
        expect(foldPath((leaves[index] ?? 0n) - 1n, path)).not.toBe(tree.root);
      }),
      { numRuns: 10 },
    );
  });

  it('indexOf finds a leaf of the tree by its value', () => {
    const tree = MerkleTree.of([5n, 6n, 7n]);
    expect([tree.indexOf(6n), tree.indexOf(8n)]).toEqual([1, undefined]);
  });

  it('a MerkleTree accepts 1,024 leaves and no more', async () => {
    const tree = MerkleTree.of(
      Array.from({ length: TREE_CAPACITY }, (_, index) => BigInt(index + 1)),
    );
    const { root } = tree;
    expect(foldPath(1024n, tree.path(1023))).toBe(root);
    expect(await codeOf(() => tree.insert(1n))).toBe('TREE_FULL');
    expect([tree.size, tree.root]).toEqual([TREE_CAPACITY, root]);
  });

  it.each([
    ['zero, the empty leaf', 0n],
    ['a negative leaf', -1n],
    ['a leaf outside the field', SCALAR_FIELD],
  ])('a MerkleTree rejects %s', async (_, value) => {
    const tree = MerkleTree.of([1n]);
    expect(await codeOf(() => tree.insert(value))).toBe('LEAF_OUT_OF_RANGE');
    expect(await codeOf(() => MerkleTree.of([1n, value]))).toBe('LEAF_OUT_OF_RANGE');
    expect(tree.size).toBe(1);
  });

  it.each([-1, 1, 0.5, Number.NaN])(
    'a MerkleTree with one leaf rejects the path of leaf %d',
    async (index) => {
      expect(await codeOf(() => MerkleTree.of([1n]).path(index))).toBe('LEAF_INDEX_OUT_OF_RANGE');
    },
  );
});
