import type { TestRunner } from '@sotto/kernel/testing';
import type { OpenNonce } from '../domain/rows.js';
import {
  LedgerDriver,
  aSignedTransaction,
  foreign,
  took,
  type Broadcast,
} from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';

const EQUAL_REQUESTS = 50;

export function describeConcurrentRecordsContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('records at the same time', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    it('creates one attempt for fifty equal concurrent requests', async () => {
      const requests = Array.from({ length: EQUAL_REQUESTS }, (_, index) =>
        stage.driver.request('a', { id: `id-${index}` }),
      );
      const recorded = await Promise.all(requests);
      const ids = new Set(recorded.map(({ attempt }) => attempt?.id));
      expect(recorded.filter(({ applied }) => applied)).toHaveLength(1);
      expect(ids.size).toBe(1);
      expect(await stage.ledger.waiting('relay', EQUAL_REQUESTS)).toHaveLength(1);
    });

    it('assigns a nonce to only one of several concurrent attempts', async () => {
      const names = Array.from({ length: 8 }, (_, index) => `attempt-${index}`);
      const attempts = await Promise.all(names.map((name) => stage.driver.accepted(name)));
      await stage.driver.introduce(0n);
      const stores = attempts.map((attempt) =>
        stage.driver.store(attempt, 0n, aSignedTransaction(attempt.key), { version: 0 }),
      );
      const recorded = await Promise.all(stores);
      expect(recorded.filter(({ applied }) => applied)).toHaveLength(1);
      expect(
        recorded.filter((outcome) => !outcome.applied && outcome.because === 'stale_version'),
      ).toHaveLength(names.length - 1);
      expect(await stage.ledger.openNonces(LedgerDriver.lane)).toHaveLength(1);
    });

    it('assigns only one of several free nonces to an attempt', async () => {
      const nonces = [0n, 1n, 2n, 3n];
      for (const nonce of nonces) {
        const { transaction } = await stage.driver.broadcast(`before at ${nonce}`, nonce);
        await stage.driver.refuse(nonce, transaction.hash);
      }
      const attempt = await stage.driver.accepted('a');
      const stores = nonces.map((nonce) =>
        stage.driver.store(attempt, nonce, aSignedTransaction(`at ${nonce}`), { version: 2 }),
      );
      const recorded = await Promise.all(stores);
      expect(recorded.filter(({ applied }) => applied)).toHaveLength(1);
      expect(await stage.ledger.transactionsOf(attempt)).toHaveLength(1);
    });

    it('two concurrent claims of one transaction are both counted', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await Promise.all([
        stage.driver.claim(0n, transaction.hash),
        stage.driver.claim(0n, transaction.hash),
      ]);
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([{ sendCount: 2 }]);
    });

    it('applies only one of two concurrent commands that are based on the same row version', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const dearer = aSignedTransaction('a', 30_000_000_000n);
      const [replaced, settled] = await Promise.all([
        stage.driver.store(attempt, 0n, dearer, { version: 1 }),
        stage.driver.settle(0n, took(transaction.hash), { version: 1 }),
      ]);
      expect([replaced, settled].filter(({ applied }) => applied)).toHaveLength(1);
      const [again, other] = await Promise.all([
        stage.driver.settle(0n, foreign, { version: 2 }),
        stage.driver.settle(0n, took(dearer.hash), { version: 2 }),
      ]);
      expect([again, other].filter(({ applied }) => applied)).toHaveLength(settled.applied ? 0 : 1);
    });

    it('concurrent commands introduce a lane only once, and put it into quarantine only once', async () => {
      const introduced = await Promise.all(
        [1n, 2n, 3n].map((accountNonce) => stage.driver.introduce(accountNonce)),
      );
      expect(introduced.filter(({ applied }) => applied)).toHaveLength(1);
      const quarantined = await Promise.all(
        [7n, 8n, 9n].map((until) => stage.driver.quarantine(until)),
      );
      expect(quarantined.filter(({ applied }) => applied)).toHaveLength(1);
    });

    it('concurrent readers see no partial write', async () => {
      const flying: Broadcast[] = [];
      for (const nonce of [0n, 1n, 2n, 3n])
        flying.push(await stage.driver.broadcast(`at ${nonce}`, nonce));
      const reads: OpenNonce[] = [];
      const reading = Array.from({ length: 5 }, async () => {
        for (let round = 0; round < 10; round += 1)
          reads.push(...(await stage.ledger.openNonces(LedgerDriver.lane)));
      });
      // Run the writes one after another, because the result of concurrent writes would differ
      // between runs.
      const moving = async (): Promise<void> => {
        for (const [index, broadcast] of flying.entries()) {
          await stage.driver.succeed(broadcast);
          await stage.driver.broadcast(`above ${index}`, 4n + BigInt(index));
        }
      };
      await Promise.all([...reading, moving()]);
      expect(
        reads.filter(({ row, owner }) => owner?.state !== 'broadcast' || owner.nonce !== row.nonce),
      ).toEqual([]);
      expect(reads.filter(({ transactions }) => transactions.length !== 1)).toEqual([]);
      expect(reads.length).toBeGreaterThan(0);
      expect(
        (await stage.ledger.openNonces(LedgerDriver.lane)).map(({ row }) => row.nonce),
      ).toEqual([4n, 5n, 6n, 7n]);
    });
  });
}
