import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestRunner } from '@sotto/kernel/testing';
import type { ArchivedNonce } from '@sotto/submission-core';
import { LedgerDriver, aSubmission, foreign } from '@sotto/submission-core/testing';
import { ArchiveFile, type OpenedStore } from '../../src/index.js';
import type { StagedClock } from './staged-clock.js';

export interface ArchiveHarness {
  readonly stores: readonly [OpenedStore, OpenedStore];
  stop(): Promise<void>;
}

const { lane } = LedgerDriver;
const RETENTION_MS = 1_000_000;
const SETTLED_AT_MS = 5_000;

const full = async (): Promise<never> => Promise.reject(new Error('the disk is full'));

/** Test suite of the ledger archive, for every database. */
export function describeArchive(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  clock: StagedClock,
  start: () => Promise<ArchiveHarness>,
): void {
  describe(`archive (${name})`, () => {
    let harness: ArchiveHarness;
    let store: OpenedStore;
    let driver: LedgerDriver;
    let kept: ArchivedNonce[];
    const keep = async (rows: readonly ArchivedNonce[]): Promise<void> => void kept.push(...rows);
    beforeEach(async () => {
      clock.set(SETTLED_AT_MS);
      kept = [];
      harness = await start();
      [store] = harness.stores;
      driver = new LedgerDriver(store.ledger);
      await driver.lease();
    });
    afterEach(() => harness.stop());

    async function paid(word: string, nonce: bigint): Promise<void> {
      await driver.succeed(await driver.broadcast(word, nonce));
      await driver.finalize(nonce);
    }

    async function wiped(): Promise<void> {
      // Retry, because the log can't be truncated while the other instance's checkpoint reads it.
      await retry(() => store.ledger.redact(0));
      clock.set(SETTLED_AT_MS + RETENTION_MS + 1);
    }

    const noncesKept = (): string => kept.map(({ nonce }) => nonce).join();

    it('archives final and old nonces, and gives the same answers afterwards', async () => {
      for (const [index, word] of ['a', 'b', 'c'].entries()) await paid(word, BigInt(index));
      const open = await driver.broadcast('open', 3n);
      await wiped();
      const before = await Promise.all(
        ['a', 'b', 'c'].map((word) => store.ledger.lastAttempt(aSubmission(word).key)),
      );
      const state = await store.ledger.state();
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(3);
      expect(noncesKept()).toBe('0,1,2');
      expect(kept[1]).toMatchObject({
        lane,
        submission: 'id-of-b',
        execution: 'SUCCEEDED',
        transactions: [{ submission: 'id-of-b', kind: 'call' }],
      });
      expect(kept[1]?.transactions[0]?.hash).toBe(before[1]?.transactionHash);

      for (const [index, word] of ['a', 'b', 'c'].entries()) {
        expect(await store.ledger.lastAttempt(aSubmission(word).key)).toEqual(before[index]);
        expect(await store.ledger.attemptById(`id-of-${word}`)).toEqual(before[index]);
        expect(await driver.request(word, { id: `again-${word}` })).toMatchObject({
          applied: false,
          because: 'already_succeeded',
          attempt: before[index],
        });
      }
      expect((await store.ledger.state()).lanes).toEqual(state.lanes);
      expect(await store.ledger.openNonces(lane)).toMatchObject([{ row: { nonce: 3n } }]);
      // The lane continues to send after the archiving, and the audit starts at the first nonce
      // that is not archived.
      await driver.succeed(open);
      await paid('next', 4n);
      expect(await store.audit.firstNonce(lane)).toBe(3n);
      const page = await store.audit.nonces(lane, 3n, 9n, 10);
      expect(page.rows.map(({ nonce }) => nonce)).toEqual([3n, 4n]);
      expect((await store.audit.nonces(lane, 1n, 1n, 10)).rows).toMatchObject([
        { nonce: 0n, through: 2n, state: 'settled' },
      ]);
    });

    it('archives nothing that is recent, open, not final or not redacted, and nothing above it', async () => {
      await paid('a', 0n);
      await paid('b', 1n);
      const unfinal = await driver.broadcast('unfinal', 2n);
      await driver.succeed(unfinal);
      await paid('d', 3n);
      clock.set(SETTLED_AT_MS + RETENTION_MS + 1);
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(0);
      await wiped();
      expect(await store.archive.archive(2 * RETENTION_MS, keep)).toBe(0);
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(2);
      expect(noncesKept()).toBe('0,1');
      await driver.reopen(2n);
      expect(await store.ledger.openNonces(lane)).toMatchObject([{ row: { nonce: 2n } }]);
    });

    it('keeps the transactions of an attempt in flight, and archives those of a rejected one', async () => {
      const refused = await driver.broadcast('refused', 0n);
      await driver.refuse(0n, refused.transaction.hash);
      await driver.settle(0n, foreign);
      await driver.finalize(0n);
      await paid('b', 1n);
      const moved = await driver.broadcast('moved', 2n);
      await driver.settle(2n, foreign);
      await driver.finalize(2n);
      await paid('d', 3n);
      clock.set(SETTLED_AT_MS + 1);
      await wiped();
      expect(await store.ledger.attempt(refused.attempt)).toMatchObject({ state: 'refused' });
      expect(await store.ledger.attempt(moved.attempt)).toMatchObject({ state: 'accepted' });
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(2);
      expect(noncesKept()).toBe('0,1');
      expect(await store.ledger.transactionsOf(moved.attempt)).toHaveLength(1);
    });

    it('continues where it ended', async () => {
      for (const nonce of [0n, 1n]) await paid(`first ${nonce}`, nonce);
      await wiped();
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(2);
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(0);
      clock.set(SETTLED_AT_MS);
      for (const nonce of [2n, 3n, 4n]) await paid(`second ${nonce}`, nonce);
      await wiped();
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(3);
      expect(noncesKept()).toBe('0,1,2,3,4');
      await paid('after', 5n);
      expect(await store.audit.firstNonce(lane)).toBe(5n);
    });

    it('deletes nothing that was not stored, and stores it again', async () => {
      for (const nonce of [0n, 1n]) await paid(`${nonce}`, nonce);
      await wiped();
      await expect(store.archive.archive(RETENTION_MS, full)).rejects.toMatchObject({
        message: 'the disk is full',
      });
      expect((await store.audit.nonces(lane, 0n, 9n, 10)).rows).toHaveLength(2);
      expect(await store.archive.archive(RETENTION_MS, keep)).toBe(2);
    });

    it('counts each row once if two instances archive, and loses none', async () => {
      for (const nonce of [0n, 1n, 2n]) await paid(`${nonce}`, nonce);
      await wiped();
      const [one, other] = harness.stores;
      // Another instance archives the same rows while the first instance writes the rows that it
      // has read to its archive.
      let byOther = 0;
      const slowly = async (rows: readonly ArchivedNonce[]): Promise<void> => {
        await keep(rows);
        byOther = await other.archive.archive(RETENTION_MS, keep);
      };
      expect(await one.archive.archive(RETENTION_MS, slowly)).toBe(0);
      expect(byOther).toBe(3);
      expect(new Set(kept.map(({ nonce }) => nonce))).toEqual(new Set([0n, 1n, 2n]));
      expect(await one.audit.firstNonce(lane)).toBe(3n);
    });

    it('writes files that only their owner can read, without private data', async () => {
      await paid('a', 0n);
      await paid('b', 1n);
      await wiped();
      const folder = mkdtempSync(join(tmpdir(), 'archive-'));
      try {
        const file = new ArchiveFile(join(folder, 'ended'), 0);
        await store.archive.archive(RETENTION_MS, (rows) => file.keep(rows));
        await file.close();
        const [written = '', ...others] = readdirSync(join(folder, 'ended'));
        expect(others).toEqual([]);
        const path = join(folder, 'ended', written);
        expect(statSync(path).mode & 0o777).toBe(0o600);
        const text = readFileSync(path, 'utf8');
        const lines: unknown[] = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(lines).toMatchObject([
          { nonce: '0', submission: 'id-of-a' },
          { nonce: '1', submission: 'id-of-b' },
        ]);
        // A withdrawal's key contains its nullifier; its memo contains the nullifier's hash.
        for (const word of ['a', 'b']) {
          const { key, memo, effect, fingerprint } = aSubmission(word);
          for (const secret of [key, memo, effect, fingerprint]) expect(text).not.toContain(secret);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}

const [MOST_TRIES, PAUSE_MS] = [50, 100];

async function retry(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
