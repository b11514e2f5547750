import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { FakeUpstreamDown, ManualClock } from '@sotto/kernel/testing';
import { KnownLeaves } from '../../src/index.js';
import { FakeLatestBlock } from '@sotto/submission-core/testing';
import { InMemoryPools } from '../../src/testing/index.js';

const POOL = toFelt('0x59ab');
const TOKEN = toFelt('0x4718');
const FRESH_MS = 5_000;

let leaves: InMemoryPools;
let latestBlock: FakeLatestBlock;
let clock: ManualClock;
let reads: string[];
let subject: KnownLeaves;

beforeEach(() => {
  leaves = new InMemoryPools();
  leaves.setSwapPool(POOL);
  leaves.fill(POOL, TOKEN, 1_000n);
  latestBlock = new FakeLatestBlock();
  clock = new ManualClock(1_000);
  reads = [];
  subject = new KnownLeaves(
    {
      leaf: async (pool, index) => {
        reads.push(`leaf ${index}`);
        return leaves.leaf(pool, index);
      },
      figures: async (pool) => {
        reads.push('figures');
        return leaves.figures(pool);
      },
    },
    latestBlock,
    clock,
  );
});

const unknown = async (): Promise<readonly unknown[]> =>
  Promise.all(Array.from({ length: 380 }, async (_, index) => subject.leaf(POOL, 1 + index)));

describe('KnownLeaves', () => {
  it('T9 reads the swap pool’s totals only once for 380 leaf indices that no swap has filled', async () => {
    expect(new Set(await unknown())).toEqual(new Set([null]));
    await unknown();
    expect(reads).toEqual(['figures']);
  });

  it('T9 reads a leaf that a swap has filled once per block', async () => {
    for (let times = 0; times < 3; times += 1)
      expect(await subject.leaf(POOL, 0)).toMatchObject({ token: TOKEN, amount: 1_000n });
    expect(reads).toEqual(['figures', 'leaf 0']);
    latestBlock.mine();
    await subject.leaf(POOL, 0);
    expect(reads).toEqual(['figures', 'leaf 0', 'figures', 'leaf 0']);
  });

  it.each([
    ['in the next block', () => latestBlock.mine()],
    ['some seconds later, if a node that lags answered', () => clock.advance(FRESH_MS)],
  ])('a leaf that has been filled since the last read is found %s', async (_when, passes) => {
    expect(await subject.leaf(POOL, 1)).toBeNull();
    leaves.fill(POOL, TOKEN, 2_000n);
    expect(await subject.leaf(POOL, 1)).toBeNull();
    passes();
    expect(await subject.leaf(POOL, 1)).toMatchObject({ amount: 2_000n });
  });

  it('does not cache a failed read of a leaf', async () => {
    leaves.failReads();
    await expect(subject.leaf(POOL, 0)).rejects.toThrow(FakeUpstreamDown);
    leaves.failReads(null);
    expect(await subject.leaf(POOL, 0)).toMatchObject({ amount: 1_000n });
  });
});
