import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { Ledger } from '@sotto/submission-core';
import { keptBytes } from '@sotto/submission-core/testing';

const RIVAL = fileURLToPath(new URL('../children/rival.mjs', import.meta.url));
const WRITER = fileURLToPath(new URL('../children/writer.mjs', import.meta.url));

/** Number of submissions and the quotes and tasks that one of several competing processes won. */
export interface Won {
  readonly requests: number;
  readonly nonces: readonly number[];
  readonly leases: number;
  /** Ids of the quotes that the process redeemed. */
  readonly quotes: readonly string[];
  readonly tasks: number;
}

/**
 * Runs a process that competes with other processes for keys, nonces, a lease, quotes and a task.
 * @param place path or URL of the store
 */
export async function rival(place: string, me: string, names: readonly string[]): Promise<Won> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    RIVAL,
    place,
    me,
    names.join(','),
  ]);
  const [requests, leases, nonces = '', quotes = '', tasks] = stdout.split(' ');
  return {
    requests: Number(requests),
    leases: Number(leases),
    nonces: list(nonces).map(Number),
    quotes: list(quotes),
    tasks: Number(tasks),
  };
}

const list = (text: string): string[] => text.split(',').filter(Boolean);

/** Last acknowledged state of each submission, by id. */
export type Acknowledged = ReadonlyMap<string, { readonly state: string; readonly nonce: bigint }>;

/**
 * Runs a process that writes to a store until it is killed. Returns the last state of each
 * submission that the process printed as acknowledged.
 * @param place path or URL of the store
 */
export async function writerKilledAfter(records: number, place: string): Promise<Acknowledged> {
  const child = spawn(process.execPath, [WRITER, place], { stdio: ['ignore', 'pipe', 'inherit'] });
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

/** Checks that the ledger contains every acknowledged write with all its bytes. */
export async function expectAllKept(ledger: Ledger, acknowledged: Acknowledged): Promise<void> {
  for (const [id, { state, nonce }] of acknowledged) {
    const attempt = await ledger.attemptById(id);
    // The process may have been killed between a commit and its output, so the row may be one state
    // ahead.
    expect(progress(attempt?.state)).toBeGreaterThanOrEqual(progress(state));
    expect(await ledger.calldata(id)).toHaveLength(1_900);
    if (state === 'accepted') continue;
    expect(attempt?.nonce).toBe(nonce);
    const [transaction] = attempt === null ? [] : await ledger.transactionsOf(attempt);
    expect(transaction).toMatchObject({ nonce, sendCount: 1 });
    // The reconstructed bytes have the same digest as the signed bytes.
    expect(
      transaction === undefined ? null : await keptBytes(ledger, transaction.hash),
    ).not.toBeNull();
  }
}

function progress(state: string | undefined): number {
  return ['accepted', 'broadcast', 'succeeded'].indexOf(state ?? '');
}
