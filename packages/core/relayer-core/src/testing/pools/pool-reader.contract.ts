import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { DepositFacts } from '../../pools/domain/deposit-traffic.js';
import type { PoolStatus } from '../../pools/domain/pool.js';
import type { SwapLeaf, SwapPoolFigures } from '../../pools/domain/swap-leaf.js';
import type { DepositQuestion, PoolReader } from '../../pools/ports/pool-reader.port.js';

/** Harness for reads of withdrawals. */
interface WithdrawalReadsHarness {
  readonly subject: PoolReader;
  /** Pool with `deposits` leaves. The last `undeployed` leaves wait for their batch. */
  readonly pool: Felt;
  /** Status of the pool in the latest block. */
  readonly status: PoolStatus;
  /**
   * Number of waiting deposits that are only in the pre-confirmed block, so that the status does
   * not include them.
   */
  readonly preConfirmed: number;
  readonly maxFee: bigint;
  readonly deposits: number;
  readonly undeployed: number;
  readonly knownRoot: bigint;
  /**
   * Root that the pool does not accept. Like all roots and nullifiers of these tests, it is above
   * 2^128, so that an error in the high half is found.
   */
  readonly unknownRoot: bigint;
  readonly spentNullifier: bigint;
  readonly freshNullifier: bigint;
  /** Address where no contract is deployed. */
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Harness for reads of deposits. */
interface DepositReadsHarness {
  readonly subject: PoolReader;
  /**
   * Input of `depositFacts`: a deployed depositor that has approved the pool, and a commitment that
   * the pool does not contain.
   */
  readonly question: DepositQuestion;
  readonly facts: DepositFacts;
  readonly knownCommitment: bigint;
  /** Address where no contract is deployed. */
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Harness for reads of swap pools. */
interface SwapPoolReadsHarness {
  readonly subject: PoolReader;
  /** Swap pool that contains the note of one swap. */
  readonly swapPool: Felt;
  readonly filled: { readonly leafIndex: number; readonly leaf: SwapLeaf };
  /** Commitment of the note, above 2^128. */
  readonly commitment: bigint;
  readonly figures: Omit<SwapPoolFigures, 'blockNumber' | 'timestamp'>;
  readonly knownRoot: bigint;
  /** Address where no contract is deployed. */
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a chain for each group of tests of this contract suite. No group uses the chain of another
 * group.
 */
export interface PoolReaderStarts {
  withdrawals(): Promise<WithdrawalReadsHarness>;
  deposits(): Promise<DepositReadsHarness>;
  swaps(): Promise<SwapPoolReadsHarness>;
}

export function describePoolReaderContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: PoolReaderStarts,
): void {
  describe(`PoolReader contract (${name})`, () => {
    describe('withdrawals', () => {
      let harness: WithdrawalReadsHarness;
      beforeEach(async () => {
        harness = await start.withdrawals();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns the status of a pool and the block at which the status was read', async () => {
        const { subject, pool, status } = harness;
        expect(await subject.poolStatus(pool)).toEqual(status);
      });

      it('the number of waiting deposits includes deposits of the pre-confirmed block', async () => {
        expect(await harness.subject.preConfirmedWaiting(harness.pool)).toBe(
          harness.status.undeployedCount + harness.preConfirmed,
        );
      });

      it('returns the pool state on which a withdrawal depends', async () => {
        const { subject, pool, knownRoot: root, freshNullifier: nullifierHash } = harness;
        expect(await subject.withdrawalFacts(pool, { root, nullifierHash, batchStart: 0 })).toEqual(
          {
            maxFee: harness.maxFee,
            nextIndex: harness.deposits,
            undeployedCount: harness.undeployed,
            rootKnown: true,
            nullifierSpent: false,
            leaf: null,
          },
        );
      });

      it('reports an unknown root as unknown', async () => {
        const { subject, pool, unknownRoot: root, freshNullifier: nullifierHash } = harness;
        expect(
          await subject.withdrawalFacts(pool, { root, nullifierHash, batchStart: 0 }),
        ).toMatchObject({
          rootKnown: false,
          nullifierSpent: false,
        });
      });

      it('reports a spent nullifier as spent and a fresh nullifier as unspent', async () => {
        const { subject, pool, knownRoot: root, spentNullifier, freshNullifier } = harness;
        expect(
          await subject.withdrawalFacts(pool, {
            root,
            nullifierHash: spentNullifier,
            batchStart: 0,
          }),
        ).toMatchObject({
          nullifierSpent: true,
        });
        expect(await subject.nullifierSpent(pool, spentNullifier)).toBe(true);
        expect(await subject.nullifierSpent(pool, freshNullifier)).toBe(false);
      });

      it('a read of the pool state for a withdrawal rejects with an error if the address has no pool contract', async () => {
        const { subject, nowhere, knownRoot: root, freshNullifier: nullifierHash } = harness;
        await expect(
          subject.withdrawalFacts(nowhere, { root, nullifierHash, batchStart: 0 }),
        ).rejects.toBeInstanceOf(DomainError);
        await expect(subject.nullifierSpent(nowhere, nullifierHash)).rejects.toBeInstanceOf(
          DomainError,
        );
        await expect(subject.poolStatus(nowhere)).rejects.toBeInstanceOf(DomainError);
        await expect(subject.preConfirmedWaiting(nowhere)).rejects.toBeInstanceOf(DomainError);
      });

      it('a read of the pool state for a withdrawal rejects with an error if the node does not respond', async () => {
        const { subject, pool, knownRoot: root, freshNullifier: nullifierHash } = harness;
        await harness.breakDown();
        await expect(
          subject.withdrawalFacts(pool, { root, nullifierHash, batchStart: 0 }),
        ).rejects.toBeInstanceOf(DomainError);
        await expect(subject.nullifierSpent(pool, nullifierHash)).rejects.toBeInstanceOf(
          DomainError,
        );
        await expect(subject.poolStatus(pool)).rejects.toBeInstanceOf(DomainError);
        await expect(subject.preConfirmedWaiting(pool)).rejects.toBeInstanceOf(DomainError);
      });
    });

    describe('deposits', () => {
      let harness: DepositReadsHarness;
      beforeEach(async () => {
        harness = await start.deposits();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns the pool state on which a deposit depends', async () => {
        const { subject, question, facts, knownCommitment, nowhere } = harness;
        expect(await subject.depositFacts(question)).toEqual(facts);
        expect(await subject.depositFacts({ ...question, commitment: knownCommitment })).toEqual({
          ...facts,
          commitmentKnown: true,
        });
        expect(await subject.depositFacts({ ...question, depositor: nowhere })).toEqual({
          ...facts,
          depositorClass: null,
          balance: 0n,
          allowance: 0n,
        });
        const { pool } = question;
        const pending = [
          { id: 'in flight', pool, commitment: question.commitment },
          { id: 'landed', pool, commitment: knownCommitment },
        ];
        expect(await subject.depositFacts({ ...question, pending })).toEqual({
          ...facts,
          includedIds: ['landed'],
        });
        await expect(subject.depositFacts({ ...question, pool: nowhere })).rejects.toBeInstanceOf(
          DomainError,
        );
      });

      it('a read of the pool state for a deposit rejects with an error if the node does not respond', async () => {
        const { subject, question } = harness;
        await harness.breakDown();
        await expect(subject.depositFacts(question)).rejects.toBeInstanceOf(DomainError);
      });
    });

    describe('swap pools', () => {
      let harness: SwapPoolReadsHarness;
      beforeEach(async () => {
        harness = await start.swaps();
      });
      afterEach(async () => {
        await harness.stop();
      });

      it('returns the leaf of a swap with the leaf’s maximum fee', async () => {
        const { subject, swapPool, filled } = harness;
        expect(await subject.leaf(swapPool, filled.leafIndex)).toEqual(filled.leaf);
      });

      it('returns null for a leaf that no swap has filled', async () => {
        const { subject, swapPool, figures } = harness;
        expect(await subject.leaf(swapPool, figures.nextIndex)).toBeNull();
        expect(await subject.leaf(swapPool, 2 ** 32 - 1)).toBeNull();
      });

      it('returns the swap pool’s number of notes and swaps, and the block in which they were read', async () => {
        const { subject, swapPool, figures } = harness;
        const { blockNumber, timestamp, ...read } = await subject.figures(swapPool);
        expect(read).toEqual(figures);
        expect(blockNumber).toBeGreaterThan(0);
        expect(timestamp).toBeGreaterThan(1_500_000_000);
      });

      it('a withdrawal’s pool state contains the same leaf as a separate read of the leaf', async () => {
        const { subject, swapPool, filled, figures, knownRoot: root } = harness;
        const leaf = await subject.leaf(swapPool, filled.leafIndex);
        const place = { root, nullifierHash: 7n };
        expect(
          await subject.withdrawalFacts(swapPool, { ...place, batchStart: filled.leafIndex }),
        ).toEqual({
          maxFee: filled.leaf.maxFee,
          nextIndex: figures.nextIndex,
          undeployedCount: 0,
          rootKnown: true,
          nullifierSpent: false,
          leaf,
        });
        const further = { root: root + 1n, nullifierHash: 7n, batchStart: figures.nextIndex };
        expect(await subject.withdrawalFacts(swapPool, further)).toMatchObject({
          rootKnown: false,
          leaf: null,
        });
        expect(await subject.nullifierSpent(swapPool, 7n)).toBe(false);
      });

      it('finds a commitment that is in the swap pool’s tree, and no other commitment', async () => {
        const { subject, swapPool, commitment } = harness;
        expect(await subject.hasCommitment(swapPool, commitment)).toBe(true);
        expect(await subject.hasCommitment(swapPool, commitment + 1n)).toBe(false);
      });

      it('a read of a swap pool’s leaf rejects with an error if the address has no swap pool contract', async () => {
        const { subject, nowhere } = harness;
        await expect(subject.leaf(nowhere, 0)).rejects.toBeInstanceOf(DomainError);
        await expect(subject.figures(nowhere)).rejects.toBeInstanceOf(DomainError);
      });

      it('a read of a swap pool’s leaf rejects with an error if the node does not respond', async () => {
        const { subject, swapPool, filled } = harness;
        await harness.breakDown();
        await expect(subject.leaf(swapPool, filled.leafIndex)).rejects.toBeInstanceOf(DomainError);
        await expect(subject.figures(swapPool)).rejects.toBeInstanceOf(DomainError);
        await expect(subject.hasCommitment(swapPool, 1n)).rejects.toBeInstanceOf(DomainError);
      });
    });
  });
}
