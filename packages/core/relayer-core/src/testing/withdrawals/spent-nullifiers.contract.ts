import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { SpentNullifiers } from '../../withdrawals/ports/spent-nullifiers.port.js';

const LOW_HALF = (1n << 128n) - 1n;

export interface SpentNullifiersHarness {
  readonly subject: SpentNullifiers;
  /** Two pools with deposits. */
  readonly pools: readonly [Felt, Felt];
  /** Of a note in the first pool, above 2^128. Nothing has spent it when a test begins. */
  readonly nullifierHash: bigint;
  /** Spends the note in a block; resolves to the transaction. */
  spend(): Promise<Felt>;
  /** The same in a block that is only pre-confirmed. */
  spendPreConfirmed(): Promise<Felt>;
  /** Undoes the latest block; what stood in it does not come again. */
  rollback(): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeSpentNullifiersContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SpentNullifiersHarness>,
): void {
  describe(`SpentNullifiers contract (${name})`, () => {
    let harness: SpentNullifiersHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('finds nothing for a note that is not spent', async () => {
      const { subject, pools, nullifierHash } = harness;
      expect(await subject.spenderOf(pools[0], nullifierHash)).toBeNull();
    });

    it('finds the transaction that spent a note, any number of times', async () => {
      const { subject, pools, nullifierHash } = harness;
      const hash = await harness.spend();
      expect(await subject.spenderOf(pools[0], nullifierHash)).toBe(hash);
      expect(await subject.spenderOf(pools[0], nullifierHash)).toBe(hash);
    });

    it('distinguishes notes by pool and by both halves of the hash', async () => {
      const { subject, pools, nullifierHash } = harness;
      await harness.spend();
      expect(await subject.spenderOf(pools[1], nullifierHash)).toBeNull();
      expect(await subject.spenderOf(pools[0], nullifierHash & LOW_HALF)).toBeNull();
      expect(await subject.spenderOf(pools[0], nullifierHash & ~LOW_HALF)).toBeNull();
    });

    it('shows nothing that is only pre-confirmed', async () => {
      const { subject, pools, nullifierHash } = harness;
      await harness.spendPreConfirmed();
      expect(await subject.spenderOf(pools[0], nullifierHash)).toBeNull();
    });

    it('shows nothing that was undone', async () => {
      const { subject, pools, nullifierHash } = harness;
      await harness.spend();
      await harness.rollback();
      expect(await subject.spenderOf(pools[0], nullifierHash)).toBeNull();
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(
        harness.subject.spenderOf(harness.pools[0], harness.nullifierHash),
      ).rejects.toBeInstanceOf(DomainError);
    });
  });
}
