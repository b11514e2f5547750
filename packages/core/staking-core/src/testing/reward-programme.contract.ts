import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { LendingPool } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';

export interface RewardProgrammeHarness {
  readonly subject: RewardProgramme;
  readonly pools: readonly [LendingPool, LendingPool];
  /** Sets the programme's reward rate for a pool; null if the pool has no programme. */
  stage(pool: LendingPool, aprE18: bigint | null): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeRewardProgrammeContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<RewardProgrammeHarness>,
): void {
  describe(`RewardProgramme contract (${name})`, () => {
    let harness: RewardProgrammeHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the reward rate of each lending pool', async () => {
      const [first, second] = harness.pools;
      await harness.stage(first, 12_345_678_901_234_567n);
      await harness.stage(second, 1_500_000_000_000_000_000n);
      expect(await harness.subject.supplyAprE18(first)).toBe(12_345_678_901_234_567n);
      expect(await harness.subject.supplyAprE18(second)).toBe(1_500_000_000_000_000_000n);
    });

    it('returns a reward rate of 0 if the pool has no reward programme', async () => {
      const [pool] = harness.pools;
      await harness.stage(pool, null);
      expect(await harness.subject.supplyAprE18(pool)).toBe(0n);
    });

    it('rejects with an error, instead of returning 0, while the reward programme is unavailable', async () => {
      const [pool] = harness.pools;
      await harness.stage(pool, 1n);
      await harness.breakDown();
      await expect(harness.subject.supplyAprE18(pool)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
