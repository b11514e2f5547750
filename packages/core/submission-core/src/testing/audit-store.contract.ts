import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import type { AuditStore, EndedCursor } from '../audit/audit-store.port.js';
import { aBlock, aSignedTransaction, foreign, LedgerDriver, took } from './ledger-driver.js';
import { LedgerStage, type LedgerContractOptions, type LedgerHarness } from './ledger-harness.js';

export interface AuditStoreHarness extends LedgerHarness {
  /** Audit store that reads the rows of `ledger`. */
  readonly store: AuditStore;
}

const lane = LedgerDriver.lane;
const START: EndedCursor = { endedAtMs: 0, id: '' };
const LATEST_MS = 2 ** 53 - 1;

const cursorOf = (end: EndedCursor | undefined): EndedCursor => ({
  endedAtMs: end?.endedAtMs ?? 0,
  id: end?.id ?? '',
});

/** Tests that apply to every `AuditStore`. */
export function describeAuditStoreContract(
  runner: TestRunner,
  name: string,
  start: (options: LedgerContractOptions) => Promise<AuditStoreHarness>,
): void {
  const { beforeEach, describe, expect, it } = runner;
  describe(`AuditStore contract (${name})`, () => {
    let started: AuditStoreHarness | null = null;
    const stage = LedgerStage.forEachTest(runner, async (options) => {
      started = await start(options);
      return started;
    });
    const store = (): AuditStore => {
      if (started === null) throw new Error('the book is there only while a test runs');
      return started.store;
    };

    describe('nonces', () => {
      it('returns no rows for a lane without rows', async () => {
        expect(await store().firstNonce(lane)).toBeNull();
        expect(await store().nonces(lane, 0n, 100n, 10)).toEqual({
          rows: [],
          transactions: [],
          keys: [],
          next: null,
        });
      });

      it('returns open and settled nonces of the range with all of their transactions and keys', async () => {
        const a = await stage.driver.broadcast('a', 7n);
        const b = await stage.driver.broadcast('b', 8n);
        const c = await stage.driver.broadcast('c', 9n);
        await stage.driver.succeed(a);
        await stage.driver.refuse(8n, b.transaction.hash);
        await stage.driver.settle(8n, foreign);

        expect(await store().firstNonce(lane)).toBe(7n);
        const page = await store().nonces(lane, 7n, 8n, 10);
        expect(page.rows.map(({ nonce, state }) => [nonce, state])).toEqual([
          [7n, 'settled'],
          [8n, 'settled'],
        ]);
        expect(page.rows[1]?.settlement).toMatchObject({
          hash: foreign.hash,
          isForeign: true,
          execution: 'SUCCEEDED',
          block: foreign.block,
        });
        expect(page.transactions.map(({ hash, gone }) => [hash, gone])).toEqual([
          [a.transaction.hash, null],
          [b.transaction.hash, 'refused'],
        ]);
        expect(new Set(page.keys)).toEqual(new Set([a.attempt.key, b.attempt.key]));
        expect(page.next).toBeNull();
        expect((await store().nonces(lane, 9n, 9n, 10)).rows).toMatchObject([
          { nonce: 9n, state: 'open', settlement: null },
        ]);
        expect((await store().nonces(lane, 9n, 9n, 10)).keys).toEqual([c.attempt.key]);
        expect((await store().nonces(toFelt('0x77'), 7n, 9n, 10)).rows).toEqual([]);
      });

      it('returns nonces in pages, each with the transactions and keys of its nonces', async () => {
        for (const [index, key] of ['a', 'b', 'c'].entries())
          await stage.driver.broadcast(key, BigInt(index));
        const first = await store().nonces(lane, 0n, 2n, 2);
        expect(first).toMatchObject({ rows: [{ nonce: 0n }, { nonce: 1n }], next: 2n });
        expect(first.transactions).toHaveLength(2);
        expect(first.keys).toHaveLength(2);
        const second = await store().nonces(lane, 2n, 2n, 2);
        expect(second).toMatchObject({ rows: [{ nonce: 2n }], next: null });
        expect(second.transactions).toHaveLength(1);
      });

      it('returns no next nonce when the range contains exactly as many nonces as the limit allows', async () => {
        await stage.driver.broadcast('a', 0n);
        await stage.driver.broadcast('b', 1n);
        expect(await store().nonces(lane, 0n, 1n, 2)).toMatchObject({
          rows: [{ nonce: 0n }, { nonce: 1n }],
          next: null,
        });
      });

      it('returns an imported range as one row, with the keys of adopted outcomes in the requested part of the range', async () => {
        await stage.driver.introduce(5n);
        await stage.driver.import(5n, 9n);
        await stage.driver.adopt(7n, 'lost', took(toFelt('0x10577')));
        const page = await store().nonces(lane, 6n, 8n, 10);
        expect(page.rows).toMatchObject([{ nonce: 5n, through: 9n, state: 'settled' }]);
        expect(page.transactions).toEqual([]);
        expect(page.keys).toEqual(['chain|pool|lost']);
        expect((await store().nonces(lane, 8n, 8n, 10)).keys).toEqual([]);
      });

      it('accepts the highest nonce that a row can have as the end of the range', async () => {
        await stage.driver.broadcast('a', 3n);
        expect((await store().nonces(lane, 3n, 2n ** 63n - 1n, 10)).rows).toHaveLength(1);
      });
    });

    describe('submissions', () => {
      it('returns every attempt of a key with all of its transactions, under any nonce', async () => {
        const first = await stage.driver.broadcast('a', 0n);
        await stage.driver.settle(
          0n,
          took(first.transaction.hash, { execution: 'REVERTED', revertReason: 'no' }),
        );
        await stage.driver.finalize(0n);
        const again = await stage.driver.request('a', { id: 'again' });
        const transaction = aSignedTransaction('a again');
        await stage.driver.store(again.attempt, 1n, transaction);
        await stage.driver.broadcast('b', 2n);

        const [submission, ...others] = await store().submissions([
          'chain|pool|a',
          'chain|pool|a',
          'unknown',
        ]);
        expect(others).toEqual([]);
        expect(submission?.key).toBe('chain|pool|a');
        expect(submission?.attempts.map(({ attempt, state }) => [attempt, state])).toEqual([
          [1, 'reverted'],
          [2, 'broadcast'],
        ]);
        expect(submission?.attempts[0]).toEqual(
          await stage.ledger.attempt({ key: 'chain|pool|a', attempt: 1 }),
        );
        expect(submission?.transactions.map(({ hash }) => hash)).toEqual([
          first.transaction.hash,
          transaction.hash,
        ]);
        expect(submission?.transactions[1]).toEqual(
          (await stage.ledger.transactionsOf({ key: 'chain|pool|a', attempt: 2 }))[0],
        );
      });

      it('returns no submissions for an empty list of keys', async () => {
        expect(await store().submissions([])).toEqual([]);
      });
    });

    describe('ended', () => {
      /**
       * Ended attempts in the expected order of the page. The end times come from the store's
       * clock.
       */
      let ends: readonly (EndedCursor & { readonly key: string })[] = [];
      const keysOf = (some: typeof ends): readonly string[] => some.map(({ key }) => key);

      beforeEach(async () => {
        const a = await stage.driver.broadcast('a', 0n);
        const b = await stage.driver.broadcast('b', 1n);
        const waiting = [await stage.driver.accepted('d'), await stage.driver.accepted('c')];
        await stage.driver.accepted('waits');
        stage.pass(1_000);
        await stage.driver.succeed(a);
        stage.pass(1_000);
        await stage.driver.settle(
          1n,
          took(b.transaction.hash, {
            execution: 'REVERTED',
            revertReason: 'no',
            block: aBlock(101),
          }),
        );
        for (const one of waiting) await stage.driver.endWaiting(one);
        const rows = await Promise.all(
          ['a', 'b', 'c', 'd'].map((one) => stage.ledger.lastAttempt(`chain|pool|${one}`)),
        );
        ends = rows
          .flatMap((row) =>
            row === null ? [] : [{ key: row.key, id: row.id, endedAtMs: row.endedAtMs ?? 0 }],
          )
          .toSorted(
            (one, other) => one.endedAtMs - other.endedAtMs || (one.id < other.id ? -1 : 1),
          );
      });

      it('returns the keys of ended attempts in the order of their ends, without live attempts', async () => {
        expect(ends).toHaveLength(4);
        const page = await store().ended(START, LATEST_MS, 10);
        expect(page).toEqual({ keys: keysOf(ends), last: cursorOf(ends[3]) });
      });

      it('the list of ended attempts sorts attempts with the same end time by id', async () => {
        const first = await store().ended(START, LATEST_MS, 3);
        expect(first).toEqual({ keys: keysOf(ends.slice(0, 3)), last: cursorOf(ends[2]) });
        const second = await store().ended(first.last ?? START, LATEST_MS, 3);
        expect(second).toEqual({ keys: keysOf(ends.slice(3)), last: cursorOf(ends[3]) });
        expect(await store().ended(second.last ?? START, LATEST_MS, 3)).toEqual({
          keys: [],
          last: null,
        });
      });

      it('accepts a cursor whose id belongs to no attempt', async () => {
        const second = ends[1];
        expect(
          (await store().ended({ endedAtMs: second?.endedAtMs ?? 0, id: '' }, LATEST_MS, 10)).keys,
        ).toContain(second?.key);
        expect(
          (await store().ended({ endedAtMs: ends[3]?.endedAtMs ?? 0, id: 'z' }, LATEST_MS, 10))
            .keys,
        ).toEqual([]);
      });

      it('the list of ended attempts omits attempts that ended after the given time', async () => {
        const atMs = ends[0]?.endedAtMs ?? 0;
        expect(await store().ended(START, atMs - 1, 10)).toEqual({ keys: [], last: null });
        const until = ends.filter(({ endedAtMs }) => endedAtMs <= atMs);
        expect((await store().ended(START, atMs, 10)).keys).toEqual(keysOf(until));
      });
    });
  });
}
