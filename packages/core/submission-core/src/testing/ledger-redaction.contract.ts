import type { TestRunner } from '@sotto/kernel/testing';
import {
  LedgerDriver,
  aSignedCall,
  aSignedTransaction,
  aSubmission,
  foreign,
  took,
  type Broadcast,
} from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { keptBytes } from './kept-bytes.js';

const { lane } = LedgerDriver;
const RETENTION_MS = 10_000;

export function describeRedactionContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('the wipe', () => {
    const stage = LedgerStage.forEachTest(runner, start);
    const wipe = () => stage.ledger.redact(RETENTION_MS);
    const hasCalldata = async (name: string): Promise<boolean> =>
      (await stage.ledger.calldata(`id-of-${name}`)) !== null;
    const hasBytes = async ({ transaction }: Broadcast): Promise<boolean> =>
      (await keptBytes(stage.ledger, transaction.hash)) !== null;

    it('redacts an attempt only after the retention time by the store’s clock', async () => {
      const done = await stage.driver.broadcast('done', 0n);
      const later = await stage.driver.broadcast('later', 1n);
      const flying = await stage.driver.broadcast('flying', 2n);
      await stage.driver.succeed(done);
      stage.pass(1);
      await stage.driver.succeed(later);
      const before = await stage.ledger.attempt(done.attempt);

      stage.stepWallClock(3_600_000);
      stage.pass(RETENTION_MS - 1);
      expect(await wipe()).toBe(0);
      stage.pass(1);
      expect(await wipe()).toBe(1);
      expect(await wipe()).toBe(0);
      expect([await hasCalldata('done'), await hasBytes(done)]).toEqual([false, false]);
      expect(await stage.ledger.attempt(done.attempt)).toEqual(before);
      expect(
        (await stage.ledger.calldata('id-of-later'))?.equals(aSubmission('later').calldata),
      ).toBe(true);
      expect(
        (await stage.ledger.calldata('id-of-flying'))?.equals(aSubmission('flying').calldata),
      ).toBe(true);
      expect(await keptBytes(stage.ledger, flying.transaction.hash)).toEqual(
        flying.transaction.bytes,
      );
    });

    it('redacts an attempt as soon as its end is final', async () => {
      const final = await stage.driver.broadcast('final', 0n);
      const unfinal = await stage.driver.broadcast('unfinal', 1n);
      for (const broadcast of [final, unfinal]) await stage.driver.succeed(broadcast);
      expect(await wipe()).toBe(0);
      await stage.driver.finalize(0n);
      expect(await wipe()).toBe(1);
      expect([await hasCalldata('final'), await hasBytes(final)]).toEqual([false, false]);
      expect([await hasCalldata('unfinal'), await hasBytes(unfinal)]).toEqual([true, true]);
      await stage.driver.reopen(1n);
      expect(await keptBytes(stage.ledger, unfinal.transaction.hash)).toEqual(
        unfinal.transaction.bytes,
      );
      await stage.driver.succeed(unfinal);
      await stage.driver.finalize(1n);
      expect(await wipe()).toBe(1);
    });

    it('the bytes under a final nonce are redacted, even if the attempt that lost this nonce is still live', async () => {
      const lost = await stage.driver.broadcast('lost', 0n);
      await stage.driver.settle(0n, foreign);
      expect(await wipe()).toBe(0);
      expect(await hasBytes(lost)).toBe(true);
      await stage.driver.finalize(0n);
      expect(await wipe()).toBe(0);
      expect([await hasCalldata('lost'), await hasBytes(lost)]).toEqual([true, false]);
      const again = aSignedTransaction('lost again');
      await stage.driver.store(lost.attempt, 1n, again);
      await stage.driver.settle(1n, took(again.hash));
      await stage.driver.finalize(1n);
      expect(await wipe()).toBe(1);
      expect(await keptBytes(stage.ledger, again.hash)).toBeNull();
    });

    it('the calldata of a final attempt is not redacted while another transaction of this attempt may be sent again', async () => {
      const refused = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, refused.transaction.hash, { cause: 'price' });
      const again = aSignedCall('a again', aSubmission('a').calldata);
      await stage.driver.store(refused.attempt, 1n, again);
      // The refusal was wrong: the first transaction has landed, although the attempt was then sent
      // again under another nonce.
      await stage.driver.settle(0n, took(refused.transaction.hash));
      await stage.driver.settle(1n, foreign);
      await stage.driver.finalize(0n);
      expect(await stage.ledger.attempt(refused.attempt)).toMatchObject({ isFinal: true });
      expect(await wipe()).toBe(0);
      await stage.driver.reopen(1n);
      expect(await keptBytes(stage.ledger, again.hash)).toEqual(again.bytes);
      expect(await wipe()).toBe(0);
      expect(await keptBytes(stage.ledger, again.hash)).toEqual(again.bytes);
      await stage.driver.settle(1n, foreign);
      await stage.driver.finalize(1n);
      expect(await wipe()).toBe(1);
      expect([await hasCalldata('a'), await stage.ledger.signedParts(again.hash)]).toEqual([
        false,
        null,
      ]);
    });

    it('redacts the bytes under a nonce that was settled longer ago than the retention time', async () => {
      const lost = await stage.driver.broadcast('lost', 0n);
      await stage.driver.settle(0n, foreign);
      stage.pass(RETENTION_MS + 1);
      expect(await wipe()).toBe(0);
      expect([await hasCalldata('lost'), await hasBytes(lost)]).toEqual([true, false]);
    });

    it('an attempt that ended without a receipt is redacted after the retention time, even if its nonce is still open', async () => {
      const refused = await stage.driver.broadcast('refused', 0n);
      await stage.driver.refuse(0n, refused.transaction.hash);
      const other = await stage.driver.broadcast('other', 0n);
      expect(await wipe()).toBe(0);
      stage.pass(RETENTION_MS + 1);
      expect(await wipe()).toBe(1);
      expect([await hasCalldata('refused'), await hasBytes(refused)]).toEqual([false, false]);
      expect([await hasCalldata('other'), await hasBytes(other)]).toEqual([true, true]);
    });

    it('stores new bytes for a redacted attempt after its nonce was reopened', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      await stage.driver.succeed(a);
      stage.pass(RETENTION_MS + 1);
      expect(await wipe()).toBe(1);
      await stage.driver.reopen(0n);
      const dearer = aSignedTransaction('a', 30_000_000_000n);
      await stage.driver.store(a.attempt, 0n, dearer);
      expect(await wipe()).toBe(0);
      expect(await keptBytes(stage.ledger, dearer.hash)).toEqual(dearer.bytes);
      await stage.driver.settle(0n, took(dearer.hash));
      await stage.driver.finalize(0n);
      await wipe();
      expect(await keptBytes(stage.ledger, dearer.hash)).toBeNull();
    });

    it('redacts any number of attempts and nonces in one call', async () => {
      const names = Array.from({ length: 150 }, (_, index) => `n${index}`);
      for (const name of names) await stage.driver.endWaiting(await stage.driver.accepted(name));
      for (let nonce = 0n; nonce < 70n; nonce += 1n) {
        await stage.driver.succeed(await stage.driver.broadcast(`at ${nonce}`, nonce));
        await stage.driver.finalize(nonce);
      }
      expect(await wipe()).toBe(70);
      expect(await keptBytes(stage.ledger, aSignedTransaction('at 69').hash)).toBeNull();
      stage.pass(RETENTION_MS + 1);
      expect(await wipe()).toBe(names.length);
      expect(await hasCalldata('n149')).toBe(false);
      expect((await stage.ledger.openNonces(lane)).length).toBe(0);
    });
  });
}
