import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '@sotto/adapter-store';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { SubmissionCommand } from '@sotto/submission-core';
import { inParallel } from '../load/relay.js';

/**
 * Runs submissions through a ledger without a relayer, from the request to the settled nonce, and
 * prints the result. With `--sync-each-commit`, SQLite syncs its write-ahead log at every commit,
 * and thereby blocks the event loop. The store's own syncs then find nothing more to write.
 */

const WORDS = 2_020;
const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;
const LEASE_MS = 3_600_000;
const LANE = toFelt('0x1a2e');
const PRICE_FRI = 8_000_000_000n;
const VALUES = Array.from({ length: WORDS }, (_, index) => 2n ** 250n + BigInt(index));
const CALLDATA = Felts.of(VALUES);
/** Calldata as contained in the bytes of a transaction. */
const TEXT = Buffer.from(VALUES.map((value) => `"0x${value.toString(16)}"`).join());
const SIGNED_BYTES = Buffer.concat([Buffer.from('{'), TEXT, Buffer.from('}')]);

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    submissions: { type: 'string' },
    'in-flight': { type: 'string' },
    'sync-each-commit': { type: 'boolean', default: false },
  },
});
const submissions = Number(values.submissions);
const inFlight = Number(values['in-flight']);

const syncing = values['sync-each-commit'] ? syncEachCommit() : null;
const { ledger, close } = await openSqliteStore({ path: values.file });
if (syncing?.isSet === false) throw new Error('the store does not set how SQLite syncs');
await ledger.registerLane(LANE, 'relay');
const fence = (await ledger.lease(LANE, 'writer', LEASE_MS))?.fence;
if (fence === undefined) throw new Error('the lane is leased');
const held = { lane: LANE, fence };
await apply({
  type: 'introduce',
  ...held,
  accountNonce: 0n,
  window: BigInt(inFlight),
  isAccepted: true,
  hasSentCalls: false,
});
let nonces = 0n;

await inParallel(inFlight, inFlight, takeOne);
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const startMs = performance.now();
await inParallel(inFlight, submissions, takeOne);
const seconds = (performance.now() - startMs) / 1_000;
delay.disable();
await close();
const longestBlockMs = delay.max / NANOSECONDS_PER_MS - RESOLUTION_MS;
process.stdout.write(`${JSON.stringify({ perSecond: submissions / seconds, longestBlockMs })}\n`);

async function takeOne(): Promise<void> {
  const nonce = nonces++;
  const hash = toFelt(`0x${(nonce + 1n).toString(16)}`);
  const name = `submission-${nonce}`;
  await apply({ type: 'request', submission: submissionOf(name) });
  await apply({
    type: 'store',
    version: 0,
    attempt: { key: name, attempt: 1 },
    fingerprint: name,
    ...held,
    nonce,
    transaction: transactionOf(hash),
    node: 'node-0',
    ceilingL2PriceFri: PRICE_FRI,
    nonceLimit: nonce + 1n,
  });
  const block = { number: 1, hash };
  const consumer = { hash, execution: 'SUCCEEDED', revertReason: null, feeFri: 1n, block } as const;
  const evidence = { first: block, last: block, blocks: new Map([[1, hash]]), l1BlockNumber: null };
  await apply({ type: 'settle', version: 1, ...held, nonce, consumer, evidence });
}

async function apply(command: SubmissionCommand): Promise<void> {
  const result = await ledger.apply(command);
  if (!result.applied) throw new Error(`${command.type} was rejected: ${result.because}`);
}

function submissionOf(name: string): Extract<SubmissionCommand, { type: 'request' }>['submission'] {
  return {
    key: name,
    id: name,
    effect: name,
    fingerprint: name,
    kind: 'withdraw',
    subject: LANE,
    memo: null,
    role: 'relay',
    calldata: CALLDATA,
    terms: null,
    target: { to: LANE, entrypoint: 'withdraw' },
    limits: { l2Gas: 1n, l1Gas: 1n, l1DataGas: 1n, priceMultiplier: 3n },
    replayProtected: true,
    deadlineAfterMs: LEASE_MS,
  };
}

function transactionOf(hash: Felt): Extract<SubmissionCommand, { type: 'store' }>['transaction'] {
  const bound = { maxAmount: 1n, maxPriceFri: PRICE_FRI };
  const bounds = { l2Gas: bound, l1Gas: bound, l1DataGas: bound, tipFri: 0n };
  const calldataAt = { start: 1, end: 1 + TEXT.length };
  return { hash, bounds, bytes: SIGNED_BYTES, calldataAt };
}

/** Replaces the setting with which the store controls SQLite's syncs. */
function syncEachCommit(): { readonly isSet: boolean } {
  const state = { isSet: false };
  const { exec } = Object.getOwnPropertyDescriptors(DatabaseSync.prototype);
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    const changed = sql.replace('synchronous = normal', 'synchronous = full');
    state.isSet ||= changed !== sql;
    exec.value?.call(this, changed);
  };
  return state;
}
