import { describe, expect, it } from '@jest/globals';
import { poseidon2 } from 'poseidon-lite';
import {
  insertLeaf,
  isKnownRoot,
  lastRoot,
  nextLeafIndex,
} from '../../../src/contracts/merkle-tree.js';
import { recordStorage } from '../../../src/contracts/storage.js';

/** Poseidon hash of two zeros, as published by users of circomlib. */
const POSEIDON_0_0 = 0x2098f5fb9e239eab3ceac3f27b81e481dc3124d55ffed523a839ee8446b64864n;

const known = new Map<string, bigint>();
function hashPair(left: bigint, right: bigint): bigint {
  const key = `${left},${right}`;
  const hash = known.get(key) ?? poseidon2([left, right]);
  known.set(key, hash);
  return hash;
}

/** Computes the root from all 1,024 leaves, level by level, without the stored subtrees. */
function rootOf(leaves: readonly bigint[]): bigint {
  let level = Array.from({ length: 1024 }, (_, index) => leaves[index] ?? 0n);
  while (level.length > 1)
    level = level.flatMap((node, index) =>
      index % 2 === 0 ? [hashPair(node, level[index + 1] ?? 0n)] : [],
    );
  return level[0] ?? 0n;
}

describe('Merkle tree in storage', () => {
  it('Poseidon hashes equal circomlib’s hashes', () => {
    expect(poseidon2([0n, 0n])).toBe(POSEIDON_0_0);
  });

  it('a Merkle tree without deposits has the root of 1,024 zero leaves', () => {
    expect(lastRoot(recordStorage({}))).toBe(rootOf([]));
  });

  it('the root after each inserted leaf equals the root that is computed from all leaves', () => {
    const storage = recordStorage({});
    const leaves: bigint[] = [];
    for (let leaf = 1n; leaf <= 20n; leaf += 1n) {
      expect(insertLeaf(storage, leaf * 7n)).toBe(leaves.length);
      leaves.push(leaf * 7n);
      expect(lastRoot(storage)).toBe(rootOf(leaves));
    }
    expect(nextLeafIndex(storage)).toBe(20);
  });

  it('only the last 30 roots of the Merkle tree are known', () => {
    const storage = recordStorage({});
    const roots = [lastRoot(storage)];
    for (let leaf = 1n; leaf <= 33n; leaf += 1n) {
      insertLeaf(storage, leaf);
      roots.push(lastRoot(storage));
      expect(roots.map((root) => isKnownRoot(storage, root))).toEqual(
        roots.map((_, index) => index >= roots.length - 30),
      );
    }
    expect(isKnownRoot(storage, 0n)).toBe(false);
    expect(isKnownRoot(storage, 12345n)).toBe(false);
  });

  it('the Merkle tree accepts 1,024 leaves and rejects one more', () => {
    const storage = recordStorage({});
    const leaves = Array.from({ length: 1024 }, (_, index) => BigInt(index + 1));
    for (const leaf of leaves) insertLeaf(storage, leaf);
    expect(lastRoot(storage)).toBe(rootOf(leaves));
    expect(() => insertLeaf(storage, 5n)).toThrow('tree full');
    expect(nextLeafIndex(storage)).toBe(1024);
  });
});
