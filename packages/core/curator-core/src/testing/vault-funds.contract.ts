import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { VaultFunds } from '../ports/vault-funds.port.js';

export interface VaultFundsHarness {
  readonly subject: VaultFunds;
  /** Two vaults without idle funds. */
  readonly vaults: readonly [Felt, Felt];
  latest(): Promise<Snapshot>;
  /**
   * Deposits this many sats into a vault. Resolves to the latest accepted block, which contains the
   * deposit.
   */
  deposit(vault: Felt, sats: bigint): Promise<Snapshot>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeVaultFundsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<VaultFundsHarness>,
): void {
  describe(`VaultFunds contract (${name})`, () => {
    let harness: VaultFundsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads 0 from a vault without idle funds', async () => {
      const { subject, vaults } = harness;
      expect(await subject.idle(vaults[0], await harness.latest())).toBe(0n);
    });

    it('reads the idle balance of each vault separately', async () => {
      const { subject, vaults } = harness;
      await harness.deposit(vaults[0], 1n);
      const at = await harness.deposit(vaults[1], 123_456_789n);
      expect(await Promise.all(vaults.map((vault) => subject.idle(vault, at)))).toEqual([
        1n,
        123_456_789n,
      ]);
    });

    it('the idle balance of a vault includes a deposit only from the deposit’s block on', async () => {
      const { subject, vaults } = harness;
      const before = await harness.deposit(vaults[0], 20_000n);
      expect(await subject.idle(vaults[0], before)).toBe(20_000n);
      const after = await harness.deposit(vaults[0], 1n);
      expect(after.number).toBeGreaterThan(before.number);
      expect(await subject.idle(vaults[0], after)).toBe(20_001n);
      expect(await subject.idle(vaults[0], before)).toBe(20_000n);
    });

    it('a read of idle funds fails with a DomainError while the node is unavailable', async () => {
      const at = await harness.latest();
      await harness.breakDown();
      await expect(harness.subject.idle(harness.vaults[0], at)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
