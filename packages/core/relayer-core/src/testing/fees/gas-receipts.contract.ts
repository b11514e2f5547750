import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { GasReceipts } from '../../fees/ports/gas-receipts.port.js';

export interface GasReceiptsHarness {
  readonly subject: GasReceipts;
  /** Hash of a successful transaction in an accepted block. */
  readonly succeeded: Felt;
  readonly reverted: Felt;
  readonly unknown: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeGasReceiptsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<GasReceiptsHarness>,
): void {
  describe(`GasReceipts contract (${name})`, () => {
    let harness: GasReceiptsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the gas that a successful transaction used', async () => {
      const gas = await harness.subject.gasOf(harness.succeeded);
      expect(gas).toEqual({ l2Gas: expect.any(BigInt), l1Gas: 0n, l1DataGas: expect.any(BigInt) });
      expect((gas?.l2Gas ?? 0n) > 0n).toBe(true);
    });

    it('returns null for a reverted transaction and for an unknown transaction', async () => {
      expect(await harness.subject.gasOf(harness.reverted)).toBeNull();
      expect(await harness.subject.gasOf(harness.unknown)).toBeNull();
    });

    it('a read of a transaction’s gas rejects with an error if the node does not respond', async () => {
      await harness.breakDown();
      await expect(harness.subject.gasOf(harness.succeeded)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
