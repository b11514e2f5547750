import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerDriver, aSignedTransaction, aSubmission, foreign } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';

const { lane } = LedgerDriver;

export function describeLedgerReadsContract(start: StartLedger): void {
  describe('reads and the wipe', () => {
    const stage = LedgerStage.forEachTest(start);

    it('has nothing to tell about what it never stored', async () => {
      const nobody = { key: 'nobody', attempt: 1 };
      expect(await stage.ledger.attemptById('nobody')).toBeNull();
      expect(await stage.ledger.lastAttempt('nobody')).toBeNull();
      expect(await stage.ledger.attempt(nobody)).toBeNull();
      expect(await stage.ledger.transactionsOf(nobody)).toEqual([]);
      expect(await stage.ledger.calldata('nobody')).toBeNull();
      expect(await stage.ledger.signedBytes(toFelt('0x1'))).toBeNull();
      expect(await stage.ledger.nextNonce(lane)).toBeNull();
      expect(await stage.ledger.openNonces(lane)).toEqual([]);
      expect(await stage.ledger.waiting('relay', 10)).toEqual([]);
    });

    it('lists waiting attempts of one role, oldest first, up to a limit', async () => {
      for (const name of ['d', 'c', 'b', 'a']) await stage.driver.request(name, { role: name === 'c' ? 'curator' : 'relay' });
      await stage.driver.broadcast('in flight', 0n);
      const ids = async (limit: number): Promise<string[]> => (await stage.ledger.waiting('relay', limit)).map(({ id }) => id);
      expect(await ids(10)).toEqual(['id-of-d', 'id-of-b', 'id-of-a']);
      expect(await ids(2)).toEqual(['id-of-d', 'id-of-b']);
      expect(await stage.ledger.countWaiting('relay')).toBe(3);
      expect(await stage.ledger.countWaiting('swap_owner')).toBe(0);
      expect(await stage.ledger.waiting('curator', 10)).toMatchObject([{ id: 'id-of-c' }]);
    });

    it('keeps the place of an attempt that comes back to wait', async () => {
      await stage.driver.prepared('first', 0n);
      await stage.driver.accepted('second');
      await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'accepted', atMs: 2_000 });
      expect(await stage.ledger.waiting('relay', 10)).toMatchObject([{ id: 'id-of-first' }, { id: 'id-of-second' }]);
    });

    it('lists the open nonces of one lane, lowest first', async () => {
      await stage.driver.broadcast('a', 9n);
      await stage.driver.broadcast('b', 10n);
      await stage.driver.broadcast('c', 11n);
      await stage.driver.settle(10n, foreign);
      expect((await stage.ledger.openNonces(lane)).map(({ row, owner }) => [row.nonce, owner?.id])).toEqual([
        [9n, 'id-of-a'],
        [11n, 'id-of-c'],
      ]);
      expect(await stage.ledger.nextNonce(lane)).toBe(12n);
      expect(await stage.ledger.openNonces(toFelt('0xbeef'))).toEqual([]);
      expect(await stage.ledger.nextNonce(toFelt('0xbeef'))).toBeNull();
    });

    it('lists the transactions of an attempt across its nonces, oldest first', async () => {
      const a = await stage.driver.broadcast('a', 5n);
      await stage.driver.settle(5n, foreign);
      const again = aSignedTransaction('a again');
      await stage.driver.prepare(a.attempt, 6n, again);
      expect(await stage.ledger.transactionsOf(a.attempt)).toMatchObject([
        { hash: a.transaction.hash, nonce: 5n },
        { hash: again.hash, nonce: 6n },
      ]);
    });

    it('wipes calldata and bytes of attempts that ended before a moment, and nothing else', async () => {
      const done = await stage.driver.broadcast('done', 0n);
      const later = await stage.driver.broadcast('later', 1n);
      const flying = await stage.driver.broadcast('flying', 2n);
      stage.driver.atMs = 2_000;
      await stage.driver.succeed(done);
      stage.driver.atMs = 3_000;
      await stage.driver.succeed(later);
      const before = await stage.ledger.attempt(done.attempt);

      expect(await stage.ledger.wipe(2_000)).toBe(0);
      expect(await stage.ledger.wipe(2_001)).toBe(1);
      expect(await stage.ledger.wipe(2_001)).toBe(0);
      expect(await stage.ledger.calldata('id-of-done')).toBeNull();
      expect(await stage.ledger.signedBytes(done.transaction.hash)).toBeNull();
      expect(await stage.ledger.attempt(done.attempt)).toEqual(before);
      expect((await stage.ledger.calldata('id-of-later'))?.equals(aSubmission('later').calldata)).toBe(true);
      expect((await stage.ledger.calldata('id-of-flying'))?.equals(aSubmission('flying').calldata)).toBe(true);
      expect(await stage.ledger.signedBytes(flying.transaction.hash)).toEqual(flying.transaction.bytes);
    });

    it('wipes bytes that ended without a receipt, and those of settled nonces while their attempt goes on', async () => {
      const refused = await stage.driver.broadcast('refused', 0n);
      const hash = refused.transaction.hash;
      await stage.ledger.record({ type: 'refusal', ...stage.driver.at(0n), hash, code: 'X', cause: 'call', atMs: 2_000 });
      const lost = await stage.driver.broadcast('lost', 0n);
      await stage.driver.settle(0n, foreign);

      expect(await stage.ledger.wipe(5_000)).toBe(1);
      expect(await stage.ledger.signedBytes(hash)).toBeNull();
      expect(await stage.ledger.signedBytes(lost.transaction.hash)).toBeNull();
      expect(await stage.ledger.calldata('id-of-refused')).toBeNull();
      expect(await stage.ledger.calldata('id-of-lost')).not.toBeNull();
    });

    it('wipes any number of attempts at once', async () => {
      const names = Array.from({ length: 150 }, (_, index) => `n${index}`);
      for (const name of names) {
        const attempt = await stage.driver.accepted(name);
        await stage.ledger.record({ type: 'end_waiting', attempt, to: 'expired', code: 'X', atMs: 2_000 });
      }
      expect(await stage.ledger.wipe(5_000)).toBe(names.length);
      expect(await stage.ledger.calldata('id-of-n149')).toBeNull();
    });
  });
}
