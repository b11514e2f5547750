import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { Balances } from '../ports/balances.port.js';

export interface BalancesHarness {
  readonly subject: Balances;
  readonly token: Felt;
  /** An account that the token may know already. */
  readonly account: Felt;
  /** An account that the token has never seen. */
  readonly stranger: Felt;
  /** An address without a contract. */
  readonly nowhere: Felt;
  /**
   * Increases the account's balance by this amount; resolves to an ACCEPTED_ON_L2 block that shows
   * it.
   */
  fund(amount: bigint): Promise<Snapshot>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** More than 64 bits: a supply of STRK is less than 2^94 fri. */
const LARGE = 2n ** 70n + 5n;

export function describeBalancesContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<BalancesHarness>,
): void {
  describe(`Balances contract (${name})`, () => {
    let harness: BalancesHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the balance of the given block, regardless of later changes', async () => {
      const { subject, token, account } = harness;
      const first = await harness.fund(3n);
      const before = await subject.of(token, account, first);
      expect(before).toBeGreaterThanOrEqual(3n);
      const second = await harness.fund(7n);
      expect(await subject.of(token, account, second)).toBe(before + 7n);
      expect(await subject.of(token, account, first)).toBe(before);
    });

    it('returns 0 for an account that the token has never seen', async () => {
      const at = await harness.fund(1n);
      expect(await harness.subject.of(harness.token, harness.stranger, at)).toBe(0n);
    });

    it('returns large amounts exactly', async () => {
      const { subject, token, account } = harness;
      const before = await subject.of(token, account, await harness.fund(1n));
      expect(await subject.of(token, account, await harness.fund(LARGE))).toBe(before + LARGE);
    });

    it('rejects with an error for a block that the node does not have', async () => {
      const { hash, ...at } = await harness.fund(1n);
      const elsewhere: Snapshot = { ...at, hash: harness.nowhere };
      expect(hash).not.toBe(elsewhere.hash);
      await expect(
        harness.subject.of(harness.token, harness.account, elsewhere),
      ).rejects.toBeInstanceOf(DomainError);
    });

    it('rejects with an error for an address without a token', async () => {
      const at = await harness.fund(1n);
      await expect(harness.subject.of(harness.nowhere, harness.account, at)).rejects.toBeInstanceOf(
        DomainError,
      );
    });

    it('rejects with an error while the node is unavailable', async () => {
      const at = await harness.fund(1n);
      await harness.breakDown();
      await expect(harness.subject.of(harness.token, harness.account, at)).rejects.toBeInstanceOf(
        DomainError,
      );
    });
  });
}
