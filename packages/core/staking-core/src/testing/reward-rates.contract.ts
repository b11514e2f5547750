import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import type { RewardRates } from '../ports/reward-rates.port.js';

export interface RewardRatesHarness {
  /** Store of reward rates under test, which contains no rate when a test starts. */
  readonly subject: RewardRates;
  /** Opens the stored rates again, as another process would. */
  reopen(): Promise<RewardRates>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const PRIME = { pool: toFelt('0x451f'), asset: toFelt('0x3fe2') };
const OTHER_ASSET = { ...PRIME, asset: toFelt('0x53c9') };
/** Reward rate that exceeds 64 bits. */
const HUGE = { aprE18: 2n ** 90n, readAtMs: 1_790_000_000_123 };

export function describeRewardRatesContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<RewardRatesHarness>,
): void {
  describe(`RewardRates contract (${name})`, () => {
    let harness: RewardRatesHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns null for a pool whose reward rate was never stored', async () => {
      expect(await harness.subject.last(PRIME)).toBeNull();
    });

    it('stores the last reward rate of each pool and asset exactly, including a rate of 0', async () => {
      const { subject } = harness;
      await subject.keep(PRIME, { aprE18: 1n, readAtMs: 1 });
      await subject.keep(PRIME, HUGE);
      await subject.keep(OTHER_ASSET, { aprE18: 0n, readAtMs: 2 });
      const reopened = await harness.reopen();
      expect(await reopened.last(PRIME)).toEqual(HUGE);
      expect(await reopened.last(OTHER_ASSET)).toEqual({ aprE18: 0n, readAtMs: 2 });
    });

    it('rejects with an error while the store is unavailable', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.last(PRIME)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.keep(PRIME, HUGE)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
