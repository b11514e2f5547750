import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { Balances } from '../ports/balances.port.js';

export interface BalancesHarness {
  readonly subject: Balances;
  readonly token: Felt;
  /** Account that may already have a balance of the ERC-20 token. */
  readonly account: Felt;
  /** Account that has never had a balance of the ERC-20 token. */
  readonly stranger: Felt;
  /** Address at which no contract is deployed. */
  readonly nowhere: Felt;
  /**
   * Increases the account's balance by this amount. Resolves to an ACCEPTED_ON_L2 block that
   * contains the increase.
   */
  fund(amount: bigint): Promise<Snapshot>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Amount that does not fit into 64 bits. The supply of STRK is less than 2^94 fri. */
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

    it('returns the account’s balance at the specified block, regardless of later changes', async () => {
      const { subject, token, account } = harness;
      const first = await harness.fund(3n);
      const before = await subject.of(token, account, first);
      expect(before).toBeGreaterThanOrEqual(3n);
      const second = await harness.fund(7n);
      expect(await subject.of(token, account, second)).toBe(before + 7n);
      expect(await subject.of(token, account, first)).toBe(before);
    });

    it('returns 0 for an account that never had a balance of the ERC-20 token', async () => {
      const at = await harness.fund(1n);
      expect(await harness.subject.of(harness.token, harness.stranger, at)).toBe(0n);
    });

    it('returns balances above 64 bits exactly', async () => {
      const { subject, token, account } = harness;
      const before = await subject.of(token, account, await harness.fund(1n));
      expect(await subject.of(token, account, await harness.fund(LARGE))).toBe(before + LARGE);
    });

    it('a read of a balance rejects with a DomainError if the node does not have the specified block', async () => {
      const { hash, ...at } = await harness.fund(1n);
      const elsewhere: Snapshot = { ...at, hash: harness.nowhere };
      expect(hash).not.toBe(elsewhere.hash);
      await expect(
        harness.subject.of(harness.token, harness.account, elsewhere),
      ).rejects.toBeInstanceOf(DomainError);
    });

    it('a read of a balance rejects with a DomainError for an address without an ERC-20 contract', async () => {
      const at = await harness.fund(1n);
      await expect(harness.subject.of(harness.nowhere, harness.account, at)).rejects.toBeInstanceOf(
        DomainError,
      );
    });

    it('a read of a balance rejects with a DomainError while the node is unavailable', async () => {
      const at = await harness.fund(1n);
      await harness.breakDown();
      await expect(harness.subject.of(harness.token, harness.account, at)).rejects.toBeInstanceOf(
        DomainError,
      );
    });
  });
}
