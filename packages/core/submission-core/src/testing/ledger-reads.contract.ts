import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import { LedgerDriver, aSignedTransaction, aSubmission, foreign } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { keptBytes } from './kept-bytes.js';

const { lane } = LedgerDriver;

export function describeLedgerReadsContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('reads', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    it('the calldata of a call is stored only once, and is returned with each of the call’s transactions', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      const { calldata, target } = aSubmission('a');
      const parts = await stage.ledger.signedParts(transaction.hash);
      const text = Buffer.from(calldata.toBytes()).toString('hex');
      expect(Buffer.from(transaction.bytes).includes(text)).toBe(true);
      expect(Buffer.from(parts?.envelope.bytes ?? []).includes(text)).toBe(false);
      expect(parts?.target).toEqual(target);
      expect(parts?.calldata?.equals(calldata)).toBe(true);
      expect(await keptBytes(stage.ledger, transaction.hash)).toEqual(transaction.bytes);
    });

    it('stores the bytes of a no-op completely', async () => {
      await stage.driver.broadcast('a', 0n);
      const noop = aSignedTransaction('no-op', LedgerDriver.ceilingL2PriceFri);
      expect(await stage.driver.store(null, 0n, noop)).toMatchObject({ applied: true });
      const parts = await stage.ledger.signedParts(noop.hash);
      expect(parts).toMatchObject({ envelope: { calldataAt: null }, target: null, calldata: null });
      expect(Uint8Array.from(parts?.envelope.bytes ?? [])).toEqual(noop.bytes);
    });

    it('stores the bytes that were signed last if a transaction was signed twice with the same hash', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, transaction.hash, { cause: 'price' });
      const bytes = Uint8Array.of(1, 2, 3, ...transaction.bytes);
      const at = transaction.calldataAt ?? { start: 0, end: 0 };
      const calldataAt = { start: at.start + 3, end: at.end + 3 };
      const again = { ...transaction, bytes, calldataAt };
      expect(await stage.driver.store(attempt, 0n, again)).toMatchObject({ applied: true });
      expect(await keptBytes(stage.ledger, again.hash)).toEqual(bytes);
    });

    it('returns null or an empty list for unknown keys, hashes and lanes', async () => {
      const unknown = { key: 'unknown', attempt: 1 };
      expect(await stage.ledger.attemptById('unknown')).toBeNull();
      expect(await stage.ledger.lastAttempt('unknown')).toBeNull();
      expect(await stage.ledger.attempt(unknown)).toBeNull();
      expect(await stage.ledger.transactionsOf(unknown)).toEqual([]);
      expect(await stage.ledger.calldata('unknown')).toBeNull();
      expect(await keptBytes(stage.ledger, toFelt('0x1'))).toBeNull();
      expect(await stage.ledger.unfinalNonces(lane, 'newest', 10)).toEqual([]);
      expect(await stage.ledger.finalNonces(lane, 10)).toEqual([]);
      expect(await stage.ledger.openNonces(lane)).toEqual([]);
      expect(await stage.ledger.waiting('relay', 10)).toEqual([]);
    });

    it('lists waiting attempts of one role, oldest first, up to a limit', async () => {
      for (const name of ['d', 'c', 'b', 'a'])
        await stage.driver.request(name, { role: name === 'c' ? 'curator' : 'relay' });
      await stage.driver.broadcast('in flight', 0n);
      const ids = async (limit: number): Promise<string[]> =>
        (await stage.ledger.waiting('relay', limit)).map(({ id }) => id);
      expect(await ids(10)).toEqual(['id-of-d', 'id-of-b', 'id-of-a']);
      expect(await ids(2)).toEqual(['id-of-d', 'id-of-b']);
      expect(await stage.ledger.countWaiting('relay')).toBe(3);
      expect(await stage.ledger.countWaiting('swap_owner')).toBe(0);
      expect(await stage.ledger.waiting('curator', 10)).toMatchObject([{ id: 'id-of-c' }]);
    });

    it('an attempt that waits again after a refusal has its original position in the list', async () => {
      const { transaction } = await stage.driver.broadcast('first', 0n);
      await stage.driver.accepted('second');
      await stage.driver.refuse(0n, transaction.hash, { cause: 'price' });
      expect(await stage.ledger.waiting('relay', 10)).toMatchObject([
        { id: 'id-of-first' },
        { id: 'id-of-second' },
      ]);
    });

    it('lists the open nonces of one lane, lowest first', async () => {
      await stage.driver.broadcast('a', 9n);
      await stage.driver.broadcast('b', 10n);
      await stage.driver.broadcast('c', 11n);
      await stage.driver.settle(10n, foreign);
      expect(
        (await stage.ledger.openNonces(lane)).map(({ row, owner }) => [row.nonce, owner?.id]),
      ).toEqual([
        [9n, 'id-of-a'],
        [11n, 'id-of-c'],
      ]);
      expect(await stage.ledger.openNonces(toFelt('0xbeef'))).toEqual([]);
      expect(await stage.ledger.unfinalNonces(toFelt('0xbeef'), 'oldest', 10)).toEqual([]);
    });

    it('lists the transactions of an attempt under all of its nonces, oldest first', async () => {
      const a = await stage.driver.broadcast('a', 5n);
      await stage.driver.settle(5n, foreign);
      const again = aSignedTransaction('a again');
      await stage.driver.store(a.attempt, 6n, again);
      expect(await stage.ledger.transactionsOf(a.attempt)).toMatchObject([
        { hash: a.transaction.hash, nonce: 5n },
        { hash: again.hash, nonce: 6n },
      ]);
      expect(await stage.ledger.attemptWithTransactions('id-of-a')).toEqual({
        attempt: await stage.ledger.attemptById('id-of-a'),
        transactions: await stage.ledger.transactionsOf(a.attempt),
      });
    });

    it('returns all fields of an attempt that has no transactions', async () => {
      await stage.driver.request('a');
      expect(await stage.ledger.attemptWithTransactions('id-of-a')).toEqual({
        attempt: await stage.ledger.attemptById('id-of-a'),
        transactions: [],
      });
      expect(await stage.ledger.attemptWithTransactions('unknown')).toBeNull();
    });
  });
}
