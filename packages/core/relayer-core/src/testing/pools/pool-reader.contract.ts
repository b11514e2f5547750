import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { PoolStatus } from '../../pools/domain/pool.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';

export interface PoolReaderHarness {
  readonly subject: PoolReader;
  /** A pool with `deposits` leaves of which the last `undeployed` wait for their batch. */
  readonly pool: Felt;
  /** What the pool says in the latest block. */
  readonly status: PoolStatus;
  /** Deposits of the pre-confirmed block, which the status does not count. */
  readonly preConfirmed: number;
  readonly maxFee: bigint;
  readonly deposits: number;
  readonly undeployed: number;
  readonly knownRoot: bigint;
  /** Roots and nullifiers are full u256 values: their high halves count. */
  readonly unknownRoot: bigint;
  readonly spentNullifier: bigint;
  readonly freshNullifier: bigint;
  /** An address without any contract. */
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describePoolReaderContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<PoolReaderHarness>,
): void {
  describe(`PoolReader contract (${name})`, () => {
    let harness: PoolReaderHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads all that a pool says, and in which block', async () => {
      const { subject, pool, status } = harness;
      expect(await subject.poolStatus(pool)).toEqual(status);
    });

    it('counts the deposits that wait in the pre-confirmed block', async () => {
      expect(await harness.subject.preConfirmedWaiting(harness.pool)).toBe(
        harness.status.undeployedCount + harness.preConfirmed,
      );
    });

    it('reads what a withdrawal depends on', async () => {
      const { subject, pool, knownRoot: root, freshNullifier: nullifierHash } = harness;
      expect(await subject.withdrawalFacts(pool, { root, nullifierHash, batchStart: 0 })).toEqual({
        maxFee: harness.maxFee,
        nextIndex: harness.deposits,
        undeployedCount: harness.undeployed,
        rootKnown: true,
        nullifierSpent: false,
        leaf: null,
      });
    });

    it('distinguishes an unknown root from a known one', async () => {
      const { subject, pool, unknownRoot: root, freshNullifier: nullifierHash } = harness;
      expect(
        await subject.withdrawalFacts(pool, { root, nullifierHash, batchStart: 0 }),
      ).toMatchObject({
        rootKnown: false,
        nullifierSpent: false,
      });
    });

    it('distinguishes a spent nullifier from a fresh one', async () => {
      const { subject, pool, knownRoot: root, spentNullifier, freshNullifier } = harness;
      expect(
        await subject.withdrawalFacts(pool, { root, nullifierHash: spentNullifier, batchStart: 0 }),
      ).toMatchObject({
        nullifierSpent: true,
      });
      expect(await subject.nullifierSpent(pool, spentNullifier)).toBe(true);
      expect(await subject.nullifierSpent(pool, freshNullifier)).toBe(false);
    });

    it('rejects with an error where no pool is', async () => {
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

    it('rejects with an error when the node does not answer', async () => {
      const { subject, pool, knownRoot: root, freshNullifier: nullifierHash } = harness;
      await harness.breakDown();
      await expect(
        subject.withdrawalFacts(pool, { root, nullifierHash, batchStart: 0 }),
      ).rejects.toBeInstanceOf(DomainError);
      await expect(subject.nullifierSpent(pool, nullifierHash)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.poolStatus(pool)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.preConfirmedWaiting(pool)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
