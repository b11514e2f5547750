import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { SwapDeposit, SwapDeposits } from '../../pools/ports/swap-deposits.port.js';

export interface SwapDepositsHarness {
  readonly subject: SwapDeposits;
  /**
   * A private swap that succeeded, and what it left. Commitment and amount are full u256 values:
   * their high halves count.
   */
  readonly swap: { readonly transactionHash: Felt; readonly deposit: SwapDeposit };
  /**
   * A transaction whose receipt has no deposit of the swap pool, such as a swap that reverted or a
   * plain transfer.
   */
  readonly without: Felt;
  /** A hash that no transaction has. */
  readonly unknown: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeSwapDepositsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SwapDepositsHarness>,
): void {
  describe(`SwapDeposits contract (${name})`, () => {
    let harness: SwapDepositsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads what a private swap left in the swap pool, any number of times', async () => {
      const { subject, swap } = harness;
      expect(await subject.depositOf(swap.transactionHash)).toEqual(swap.deposit);
      expect(await subject.depositOf(swap.transactionHash)).toEqual(swap.deposit);
    });

    it('finds nothing in a receipt without a deposit', async () => {
      expect(await harness.subject.depositOf(harness.without)).toBeNull();
    });

    it('finds nothing for a hash without a receipt', async () => {
      expect(await harness.subject.depositOf(harness.unknown)).toBeNull();
    });

    it('distinguishes a commitment of the tree from one that is not there', async () => {
      const { subject, swap } = harness;
      expect(await subject.hasCommitment(swap.deposit.commitment)).toBe(true);
      expect(await subject.hasCommitment(swap.deposit.commitment + 1n)).toBe(false);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.depositOf(harness.swap.transactionHash)).rejects.toBeInstanceOf(
        DomainError,
      );
      await expect(harness.subject.hasCommitment(1n)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
