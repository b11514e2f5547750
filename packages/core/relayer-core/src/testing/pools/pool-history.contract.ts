import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { PoolHistory } from '../../pools/ports/pool-history.port.js';

export interface PoolHistoryHarness {
  readonly subject: PoolHistory;
  /** Two pools without deposits. */
  readonly pools: readonly [Felt, Felt];
  /**
   * Makes so many deposits, each in the next leaf of its pool, in a block of their own; every third
   * makes a batch of those that wait.
   */
  deposit(pool: Felt, count: number): Promise<void>;
  /** The chain's clock moves on, and a block shows it. */
  pass(seconds: number): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Of all ages here. A block or two may pass beside what a test asks for. */
const STEP_SECONDS = 120;
const inSteps = (ages: readonly number[]): readonly number[] =>
  ages.map((age) => age - (age % STEP_SECONDS));

export function describePoolHistoryContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<PoolHistoryHarness>,
): void {
  describe(`PoolHistory contract (${name})`, () => {
    let harness: PoolHistoryHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the age of each leaf of a range, oldest first, and higher ages later', async () => {
      const { subject, pools } = harness;
      await harness.deposit(pools[0], 2);
      await harness.pass(3_600);
      await harness.deposit(pools[0], 1);
      await harness.pass(600);
      expect(inSteps(await subject.agesOf(pools[0], 0, 3))).toEqual([4_200, 4_200, 600]);
      expect(inSteps(await subject.agesOf(pools[0], 2, 1))).toEqual([600]);
      await harness.pass(960);
      await harness.deposit(pools[0], 1);
      expect(inSteps(await subject.agesOf(pools[0], 1, 3))).toEqual([5_160, 1_560, 0]);
    });

    it('keeps pools apart', async () => {
      const { subject, pools } = harness;
      await harness.deposit(pools[0], 1);
      await harness.pass(7_200);
      await harness.deposit(pools[1], 1);
      expect(inSteps(await subject.agesOf(pools[0], 0, 1))).toEqual([7_200]);
      expect(inSteps(await subject.agesOf(pools[1], 0, 1))).toEqual([0]);
    });

    it('has nothing to say of no leaves', async () => {
      expect(await harness.subject.agesOf(harness.pools[0], 0, 0)).toEqual([]);
    });

    it('rejects with an error for a leaf that no deposit has filled: its age is not 0', async () => {
      const { subject, pools } = harness;
      await harness.deposit(pools[0], 1);
      await expect(subject.agesOf(pools[0], 0, 2)).rejects.toBeInstanceOf(DomainError);
      await harness.deposit(pools[0], 1);
      expect(inSteps(await subject.agesOf(pools[0], 0, 2))).toEqual([0, 0]);
    });

    it('returns every batch of a pool, oldest first', async () => {
      const { subject, pools } = harness;
      expect(await subject.batchesOf(pools[0])).toEqual([]);
      await harness.deposit(pools[0], 4);
      expect(await subject.batchesOf(pools[0])).toEqual([{ id: 0, start: 0, size: 3 }]);
      await harness.deposit(pools[0], 2);
      expect(await subject.batchesOf(pools[0])).toEqual([
        { id: 0, start: 0, size: 3 },
        { id: 1, start: 3, size: 3 },
      ]);
      expect(await subject.batchesOf(pools[1])).toEqual([]);
    });

    it('rejects with an error when the node does not answer', async () => {
      const { subject, pools } = harness;
      await harness.deposit(pools[0], 1);
      await harness.breakDown();
      await expect(subject.agesOf(pools[0], 0, 1)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.batchesOf(pools[0])).rejects.toBeInstanceOf(DomainError);
    });
  });
}
