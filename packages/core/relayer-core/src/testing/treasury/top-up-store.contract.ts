import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt, type Felt } from '@sotto/kernel';
import type { TopUpStore } from '../../treasury/ports/top-up-store.port.js';

/**
 * Submission that a test adds to the ledger. The submission is accepted and ended at `atMs`. If
 * `end` is null, the submission is in flight and has not ended.
 */
export interface StagedTopUp {
  readonly kind: string;
  readonly subject: Felt;
  readonly memo: string;
  readonly end: 'succeeded' | 'reverted' | 'refused' | null;
  readonly atMs: number;
}

export interface TopUpStoreHarness {
  /** Top-up store under test. The store contains no top-up when a test starts. */
  readonly subject: TopUpStore;
  stage(topUp: StagedTopUp): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const LANE = toFelt('0xaa1');
const NOW_MS = 1_760_000_000_000;
/** Amount that exceeds 64 bits. */
const LARGE = 2n ** 70n + 7n;

const aTopUp = (changes: Partial<StagedTopUp>): StagedTopUp => ({
  kind: 'top_up',
  subject: LANE,
  memo: '5',
  end: 'succeeded',
  atMs: NOW_MS,
  ...changes,
});

export function describeTopUpStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<TopUpStoreHarness>,
): void {
  describe(`TopUpStore contract (${name})`, () => {
    let harness: TopUpStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the lane top-ups that were paid at or after a given time, and all lane top-ups in flight', async () => {
      const other = toFelt('0xaa2');
      await harness.stage(aTopUp({ memo: '1', atMs: NOW_MS - 1 }));
      await harness.stage(aTopUp({ memo: '2', atMs: NOW_MS - 1, end: null }));
      await harness.stage(aTopUp({ memo: '3' }));
      await harness.stage(aTopUp({ memo: String(LARGE), subject: other, atMs: NOW_MS + 1 }));
      const paid = await harness.subject.since(NOW_MS);
      expect(paid).toHaveLength(3);
      expect(paid).toEqual(
        expect.arrayContaining([
          { lane: LANE, amountFri: 2n, isLive: true },
          { lane: LANE, amountFri: 3n, isLive: false },
          { lane: other, amountFri: LARGE, isLive: false },
        ]),
      );
    });

    it('omits failed top-ups and other kinds of submissions', async () => {
      await harness.stage(aTopUp({ end: 'reverted' }));
      await harness.stage(aTopUp({ end: 'refused' }));
      await harness.stage(aTopUp({ kind: 'swap_fees' }));
      await harness.stage(aTopUp({ kind: 'swap_fees', end: null }));
      expect(await harness.subject.since(0)).toEqual([]);
    });

    it('calls of the top-up store reject with an error if the store does not respond', async () => {
      await harness.breakDown();
      await expect(harness.subject.since(0)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
