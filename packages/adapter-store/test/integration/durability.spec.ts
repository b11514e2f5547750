import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver, aSubmission } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const WRITER = fileURLToPath(new URL('../children/writer.mjs', import.meta.url));

describe('a ledger file', () => {
  let file: TemporaryLedgerFile;
  beforeEach(() => {
    file = temporaryLedgerFile();
  });
  afterEach(() => {
    file.remove();
  });

  it('keeps everything when it is closed and opened again', async () => {
    const first = await openSqliteStore({ path: file.path });
    const driver = new LedgerDriver(first.ledger);
    await driver.lease();
    const done = await driver.broadcast('done', 0n);
    await driver.succeed(done);
    const flying = await driver.broadcast('flying', 1n);
    const before = {
      done: await first.ledger.attempt(done.attempt),
      open: await first.ledger.openNonces(LedgerDriver.lane),
      transactions: await first.ledger.transactionsOf(done.attempt),
    };
    await first.close();

    const { ledger, close } = await openSqliteStore({ path: file.path });
    expect(await ledger.attempt(done.attempt)).toEqual(before.done);
    expect(await ledger.openNonces(LedgerDriver.lane)).toEqual(before.open);
    expect(await ledger.transactionsOf(done.attempt)).toEqual(before.transactions);
    expect(await ledger.signedBytes(flying.transaction.hash)).toEqual(flying.transaction.bytes);
    expect((await ledger.calldata('id-of-flying'))?.equals(aSubmission('flying').calldata)).toBe(true);
    expect(await ledger.lease(LedgerDriver.lane, 'another', 1_000)).toBeNull();
    expect(await ledger.renew(LedgerDriver.lane, LedgerDriver.instance, driver.fence, 1_000)).toBe(true);
    await close();
  });

  it('answers no call after it is closed, and may be closed twice', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await close();
    await expect(ledger.lastAttempt('key')).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(new LedgerDriver(ledger).request('a')).rejects.toBeInstanceOf(LedgerUnavailable);
    await close();
  });

  it('finishes the call in progress before it closes', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    const request = new LedgerDriver(ledger).request('a');
    await close();
    expect(await request).toMatchObject({ written: true });
    const again = await openSqliteStore({ path: file.path });
    expect(await again.ledger.attemptById('id-of-a')).toMatchObject({ state: 'accepted' });
    await again.close();
  });

  it.each([1, 17, 60])('loses no acknowledged record when its process is killed after %i of them', async (records) => {
    const acknowledged = await killedAfter(records);
    const { ledger, close } = await openSqliteStore({ path: file.path });
    expect(acknowledged.size).toBeGreaterThanOrEqual(Math.ceil(records / 3));
    for (const [id, { state, nonce }] of acknowledged) {
      const attempt = await ledger.attemptById(id);
      // The kill may come between a commit and its line, so the row may be one state further.
      expect(progress(attempt?.state)).toBeGreaterThanOrEqual(progress(state));
      expect(await ledger.calldata(id)).toHaveLength(1_900);
      if (state === 'accepted') continue;
      expect(attempt?.nonce).toBe(nonce);
      const [transaction] = attempt === null ? [] : await ledger.transactionsOf(attempt);
      expect(transaction).toMatchObject({ nonce, claims: 1 });
      expect(transaction === undefined ? null : await ledger.signedBytes(transaction.hash)).toHaveLength(65_000);
    }
    await close();
  });

  async function killedAfter(records: number): Promise<Map<string, { state: string; nonce: bigint }>> {
    const child = spawn(process.execPath, [WRITER, file.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (lines.length === records) child.kill('SIGKILL');
    }
    expect(await ended).toEqual([null, 'SIGKILL']);
    return new Map(
      lines.map((line) => {
        const [id = '', state = '', nonce = ''] = line.split(' ');
        return [id, { state, nonce: BigInt(nonce) }];
      }),
    );
  }
});

function progress(state: string | undefined): number {
  return ['accepted', 'broadcast', 'succeeded'].indexOf(state ?? '');
}
