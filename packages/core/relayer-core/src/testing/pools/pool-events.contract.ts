import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { PoolDeposit, PoolEvents, SwapDeposit } from '../../pools/ports/pool-events.port.js';

/** Harness for reads of deposits and batches with their times. */
interface PoolHistoryHarness {
  readonly subject: PoolEvents;
  /** Two pools without deposits. */
  readonly pools: readonly [Felt, Felt];
  /**
   * Makes this many deposits, each in the next leaf of its pool and in its own block. After every
   * third deposit, the pool deploys all waiting deposits as a batch.
   */
  deposit(pool: Felt, count: number): Promise<void>;
  /** Advances the chain's clock and makes a block. */
  pass(seconds: number): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Harness for reads of the receipts of deposits. */
interface PoolReceiptsHarness {
  readonly subject: PoolEvents;
  readonly pool: Felt;
  /**
   * Two successful deposits, the first of which completed no batch and the second of which
   * completed a batch.
   */
  readonly landed: readonly { readonly transactionHash: Felt; readonly deposit: PoolDeposit }[];
  /** Contract that is not the pool. */
  readonly other: Felt;
  /** Hash of a transaction whose receipt contains no deposit. */
  readonly without: Felt;
  /** Hash that no transaction has. */
  readonly unknown: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Harness for reads of the receipts of private swaps. */
interface SwapReceiptsHarness {
  readonly subject: PoolEvents;
  /**
   * Successful private swap and its deposit. Commitment and amount are above 2^128, so that an
   * error in their high halves is found.
   */
  readonly swap: { readonly transactionHash: Felt; readonly deposit: SwapDeposit };
  /**
   * Hash of a transaction whose receipt has no deposit of the swap pool, such as a reverted swap or
   * a plain transfer.
   */
  readonly without: Felt;
  /** Hash that no transaction has. */
  readonly unknown: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Harness for reads of spent notes. */
interface SpentNotesHarness {
  readonly subject: PoolEvents;
  /** Addresses of two pools with deposits. */
  readonly pools: readonly [Felt, Felt];
  /**
   * Nullifier hash of a note in the first pool, above 2^128. The note is unspent when a test
   * begins.
   */
  readonly nullifierHash: bigint;
  /** Spends the note in a block. Resolves to the hash of the spending transaction. */
  spend(): Promise<Felt>;
  /**
   * Spends the note in a block that is only pre-confirmed. Resolves to the hash of the spending
   * transaction.
   */
  spendPreConfirmed(): Promise<Felt>;
  /** Removes the latest block by a reorg; its transactions are never included again. */
  rollback(): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a chain for each group of tests of this contract suite. No group uses the chain of another
 * group.
 */
export interface PoolEventsStarts {
  history(): Promise<PoolHistoryHarness>;
  receipts(): Promise<PoolReceiptsHarness>;
  swaps(): Promise<SwapReceiptsHarness>;
  spentNotes(): Promise<SpentNotesHarness>;
}

/**
 * Seconds to which all ages in these tests are rounded, because one or two blocks more than
 * requested may pass.
 */
const STEP_SECONDS = 120;
const inSteps = (ages: readonly number[]): readonly number[] =>
  ages.map((age) => age - (age % STEP_SECONDS));
const LOW_HALF = (1n << 128n) - 1n;

export function describePoolEventsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: PoolEventsStarts,
): void {
  describe(`PoolEvents contract (${name})`, () => {
    describe('deposits and batches', () => {
      let harness: PoolHistoryHarness;
      beforeEach(async () => {
        harness = await start.history();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns the age of each leaf in a range, oldest leaf first, and a higher age after time passes', async () => {
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

      it('reports the ages of the leaves of two pools separately', async () => {
        const { subject, pools } = harness;
        await harness.deposit(pools[0], 1);
        await harness.pass(7_200);
        await harness.deposit(pools[1], 1);
        expect(inSteps(await subject.agesOf(pools[0], 0, 1))).toEqual([7_200]);
        expect(inSteps(await subject.agesOf(pools[1], 0, 1))).toEqual([0]);
      });

      it('returns no ages for an empty range of leaves', async () => {
        expect(await harness.subject.agesOf(harness.pools[0], 0, 0)).toEqual([]);
      });

      it('a query for the ages of leaves rejects with an error if a leaf has no deposit, instead of returning age 0', async () => {
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

      it('a read of a pool’s deposits and batches rejects with an error if the node does not respond', async () => {
        const { subject, pools } = harness;
        await harness.deposit(pools[0], 1);
        await harness.breakDown();
        await expect(subject.agesOf(pools[0], 0, 1)).rejects.toBeInstanceOf(DomainError);
        await expect(subject.batchesOf(pools[0])).rejects.toBeInstanceOf(DomainError);
      });
    });

    describe('receipts', () => {
      let harness: PoolReceiptsHarness;
      beforeEach(async () => {
        harness = await start.receipts();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns the deposit of a transaction and the batch that the deposit completed', async () => {
        const { subject, pool, landed, other, without, unknown } = harness;
        for (const { transactionHash, deposit } of landed) {
          expect(await subject.depositOf(pool, transactionHash)).toEqual(deposit);
          expect(await subject.depositOf(other, transactionHash)).toBeNull();
        }
        expect(await subject.depositOf(pool, without)).toBeNull();
        expect(await subject.depositOf(pool, unknown)).toBeNull();
      });

      it('a read of a deposit’s receipt rejects with an error if the node does not respond', async () => {
        const { subject, pool, without } = harness;
        await harness.breakDown();
        await expect(subject.depositOf(pool, without)).rejects.toBeInstanceOf(DomainError);
      });
    });

    describe('receipts of swaps', () => {
      let harness: SwapReceiptsHarness;
      beforeEach(async () => {
        harness = await start.swaps();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns the deposit of a private swap, also in a second call', async () => {
        const { subject, swap } = harness;
        expect(await subject.swapDepositOf(swap.transactionHash)).toEqual(swap.deposit);
        expect(await subject.swapDepositOf(swap.transactionHash)).toEqual(swap.deposit);
      });

      it('returns null if the receipt contains no deposit of a private swap', async () => {
        expect(await harness.subject.swapDepositOf(harness.without)).toBeNull();
      });

      it('returns null as the deposit of a swap if the swap’s transaction has no receipt', async () => {
        expect(await harness.subject.swapDepositOf(harness.unknown)).toBeNull();
      });

      it('a read of a swap’s receipt rejects with an error if the node does not respond', async () => {
        await harness.breakDown();
        await expect(
          harness.subject.swapDepositOf(harness.swap.transactionHash),
        ).rejects.toBeInstanceOf(DomainError);
      });
    });

    describe('spent notes', () => {
      let harness: SpentNotesHarness;
      beforeEach(async () => {
        harness = await start.spentNotes();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns null as the spending transaction of an unspent note', async () => {
        const { subject, pools, nullifierHash } = harness;
        expect(await subject.spenderOf(pools[0], nullifierHash)).toBeNull();
      });

      it('returns the transaction that spent a note, also in a second call', async () => {
        const { subject, pools, nullifierHash } = harness;
        const hash = await harness.spend();
        expect(await subject.spenderOf(pools[0], nullifierHash)).toBe(hash);
        expect(await subject.spenderOf(pools[0], nullifierHash)).toBe(hash);
      });

      it('finds a spent note only by its pool and both halves of its nullifier hash', async () => {
        const { subject, pools, nullifierHash } = harness;
        await harness.spend();
        expect(await subject.spenderOf(pools[1], nullifierHash)).toBeNull();
        expect(await subject.spenderOf(pools[0], nullifierHash & LOW_HALF)).toBeNull();
        expect(await subject.spenderOf(pools[0], nullifierHash & ~LOW_HALF)).toBeNull();
      });

      it('ignores a spending transaction that is only pre-confirmed', async () => {
        const { subject, pools, nullifierHash } = harness;
        await harness.spendPreConfirmed();
        expect(await subject.spenderOf(pools[0], nullifierHash)).toBeNull();
      });

      it('ignores a spending transaction that was rolled back', async () => {
        const { subject, pools, nullifierHash } = harness;
        await harness.spend();
        await harness.rollback();
        expect(await subject.spenderOf(pools[0], nullifierHash)).toBeNull();
      });

      it('the search for the transaction that spent a note rejects with an error if the node does not respond', async () => {
        await harness.breakDown();
        await expect(
          harness.subject.spenderOf(harness.pools[0], harness.nullifierHash),
        ).rejects.toBeInstanceOf(DomainError);
      });
    });
  });
}
