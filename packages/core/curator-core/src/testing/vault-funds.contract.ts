import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type Felt } from '@sotto/kernel';
import type { VaultFunds } from '../ports/vault-funds.port.js';

export interface VaultFundsHarness {
  readonly subject: VaultFunds;
  /** Two vaults in which nothing lies idle. */
  readonly vaults: readonly [Felt, Felt];
  /** Puts so many sats into a vault; resolves to the latest accepted block, which shows it. */
  deposit(vault: Felt, sats: bigint): Promise<number>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeVaultFundsContract(
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

    it('reads 0 where nothing lies idle', async () => {
      const { subject, vaults } = harness;
      expect(await subject.idle(vaults[0])).toMatchObject({ idleSats: 0n });
    });

    it('reads each vault by itself, with the block that shows it', async () => {
      const { subject, vaults } = harness;
      await harness.deposit(vaults[0], 1n);
      const blockNumber = await harness.deposit(vaults[1], 123_456_789n);
      expect(await Promise.all(vaults.map((vault) => subject.idle(vault)))).toEqual([
        { idleSats: 1n, blockNumber },
        { idleSats: 123_456_789n, blockNumber },
      ]);
    });

    it('sees what has arrived since', async () => {
      const { subject, vaults } = harness;
      const before = await harness.deposit(vaults[0], 20_000n);
      expect(await subject.idle(vaults[0])).toEqual({ idleSats: 20_000n, blockNumber: before });
      const after = await harness.deposit(vaults[0], 1n);
      expect(after).toBeGreaterThan(before);
      expect(await subject.idle(vaults[0])).toEqual({ idleSats: 20_001n, blockNumber: after });
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.idle(harness.vaults[0])).rejects.toBeInstanceOf(DomainError);
    });
  });
}
