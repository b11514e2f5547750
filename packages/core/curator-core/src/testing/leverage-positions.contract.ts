import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';

export interface LeveragePositionsHarness {
  readonly subject: LeveragePositions;
  /** A vault without collateral or debt. */
  readonly vault: LeveragedVault;
  /** Highest loan-to-value of the vault's pair at the pool; 1e18 is 100 %. */
  readonly maxLtvE18: bigint;
  latest(): Promise<Snapshot>;
  /**
   * Makes the vault supply and borrow these amounts, in the smallest units. Resolves to the latest
   * accepted block, which contains the change.
   */
  lever(collateral: bigint, debt: bigint): Promise<Snapshot>;
  /**
   * Sends this amount of the debt's ERC-20 token to the vault. Resolves to the latest accepted
   * block, which contains the transfer, as {@link lever} does.
   */
  give(amount: bigint): Promise<Snapshot>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const COLLATERAL = 50_000_000n;
const DEBT = 1_000_000n;

export function describeLeveragePositionsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<LeveragePositionsHarness>,
): void {
  describe(`LeveragePositions contract (${name})`, () => {
    let harness: LeveragePositionsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('the position of a vault without collateral and debt has zero amounts and the lending pool’s limits', async () => {
      const { subject, vault, maxLtvE18 } = harness;
      const position = await subject.read(vault, await harness.latest());
      const nothing = { collateral: 0n, debt: 0n, nominalDebt: 0n, held: 0n };
      expect(position).toMatchObject({ ...nothing, maxLtvE18 });
      expect(position.borrowRateE18 >= 0n && position.supplyRateE18 >= 0n).toBe(true);
    });

    it('reads a vault’s collateral and debt, and the lending pool’s free liquidity, which the debt reduces', async () => {
      const { subject, vault } = harness;
      const before = await subject.read(vault, await harness.latest());
      const after = await subject.read(vault, await harness.lever(COLLATERAL, DEBT));
      expect(after).toMatchObject({ collateral: COLLATERAL, debt: DEBT });
      expect(before.freeLiquidity - after.freeLiquidity).toBe(DEBT);
    });

    it('a vault’s own balance of debt tokens does not change the vault’s debt', async () => {
      const { subject, vault } = harness;
      const before = await subject.read(vault, await harness.lever(COLLATERAL, DEBT));
      expect(before.nominalDebt).toBeGreaterThan(0n);
      const after = await subject.read(vault, await harness.give(DEBT / 2n));
      expect(after).toEqual({ ...before, held: before.held + DEBT / 2n });
    });

    it('reads a vault’s position as of an older block', async () => {
      const { subject, vault } = harness;
      const before = await harness.latest();
      await harness.lever(COLLATERAL, DEBT);
      expect(await subject.read(vault, before)).toMatchObject({ collateral: 0n, debt: 0n });
    });

    it('a read of a vault’s position fails with a DomainError while the node is unavailable', async () => {
      const at = await harness.latest();
      await harness.breakDown();
      await expect(harness.subject.read(harness.vault, at)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
