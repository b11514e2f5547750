import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';

export interface LeveragePositionsHarness {
  readonly subject: LeveragePositions;
  /** A vault without collateral or debt. */
  readonly vault: LeveragedVault;
  /** Highest loan-to-value of its pair at the pool; 1e18 is 100 %. */
  readonly maxLtvE18: bigint;
  latest(): Promise<Snapshot>;
  /**
   * Makes the vault supply and borrow, in the smallest units. Resolves to the latest accepted
   * block, which shows it.
   */
  lever(collateral: bigint, debt: bigint): Promise<Snapshot>;
  /** Sends this amount of the debt's token to the vault; resolves as {@link lever} does. */
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

    it('reads a vault without a position, with the limits of its pool', async () => {
      const { subject, vault, maxLtvE18 } = harness;
      const position = await subject.read(vault, await harness.latest());
      const nothing = { collateral: 0n, debt: 0n, nominalDebt: 0n, held: 0n };
      expect(position).toMatchObject({ ...nothing, maxLtvE18 });
      expect(position.borrowRateE18 >= 0n && position.supplyRateE18 >= 0n).toBe(true);
    });

    it('reads collateral, debt and a free liquidity that is lower by the debt', async () => {
      const { subject, vault } = harness;
      const before = await subject.read(vault, await harness.latest());
      const after = await subject.read(vault, await harness.lever(COLLATERAL, DEBT));
      expect(after).toMatchObject({ collateral: COLLATERAL, debt: DEBT });
      expect(before.freeLiquidity - after.freeLiquidity).toBe(DEBT);
    });

    it('reads the vault’s own balance of the debt’s token, which does not change the debt', async () => {
      const { subject, vault } = harness;
      const before = await subject.read(vault, await harness.lever(COLLATERAL, DEBT));
      expect(before.nominalDebt).toBeGreaterThan(0n);
      const after = await subject.read(vault, await harness.give(DEBT / 2n));
      expect(after).toEqual({ ...before, held: before.held + DEBT / 2n });
    });

    it('reads the state of an older block', async () => {
      const { subject, vault } = harness;
      const before = await harness.latest();
      await harness.lever(COLLATERAL, DEBT);
      expect(await subject.read(vault, before)).toMatchObject({ collateral: 0n, debt: 0n });
    });

    it('rejects with an error when the node does not answer', async () => {
      const at = await harness.latest();
      await harness.breakDown();
      await expect(harness.subject.read(harness.vault, at)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
