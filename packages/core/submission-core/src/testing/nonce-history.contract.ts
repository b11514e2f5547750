import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { NonceHistory } from '../ports/chain.port.js';

export interface NonceHistoryHarness {
  readonly subject: NonceHistory;
  /** Two accounts that have sent no transactions. */
  readonly accounts: readonly [Felt, Felt];
  /**
   * Adds a transaction of the account to the node's mempool, under the account's next unused nonce.
   */
  send(account: Felt): Promise<Felt>;
  preConfirm(hash: Felt): Promise<void>;
  /** Includes these transactions in the given order. */
  accept(hashes: readonly Felt[]): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeNonceHistoryContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<NonceHistoryHarness>,
): void {
  describe(`NonceHistory contract (${name})`, () => {
    let harness: NonceHistoryHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('finds the transaction that consumed a nonce among the other transactions of the blocks', async () => {
      const { subject, accounts } = harness;
      const consumers: Felt[] = [];
      for (let nonce = 0; nonce < 5; nonce += 1) {
        const ours = await harness.send(accounts[0]);
        const other = await harness.send(accounts[1]);
        await harness.accept([other, ours]);
        consumers.push(ours);
      }
      const found = await Promise.all(
        consumers.map((_hash, nonce) => subject.consumerOf(accounts[0], BigInt(nonce))),
      );
      expect(found).toEqual(consumers);
    });

    it('finds the transactions that consumed several consecutive nonces', async () => {
      const { subject, accounts } = harness;
      const hashes = [
        await harness.send(accounts[0]),
        await harness.send(accounts[0]),
        await harness.send(accounts[0]),
      ];
      await harness.accept(hashes);
      expect(
        await Promise.all([0n, 1n, 2n].map((nonce) => subject.consumerOf(accounts[0], nonce))),
      ).toEqual(hashes);
    });

    it('returns null for a nonce that no transaction has consumed yet', async () => {
      const { subject, accounts } = harness;
      expect(await subject.consumerOf(accounts[0], 0n)).toBeNull();
      await harness.accept([await harness.send(accounts[0])]);
      expect(await subject.consumerOf(accounts[0], 1n)).toBeNull();
    });

    it('ignores a transaction that is only pre-confirmed', async () => {
      const { subject, accounts } = harness;
      await harness.preConfirm(await harness.send(accounts[0]));
      expect(await subject.consumerOf(accounts[0], 0n)).toBeNull();
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.consumerOf(harness.accounts[0], 0n)).rejects.toBeInstanceOf(
        DomainError,
      );
    });
  });
}
