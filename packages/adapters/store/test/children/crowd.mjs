// Writes submissions to the given file, several concurrently, and reads the submissions of the
// other writers. Prints a line for every state that was acknowledged or read. Runs long enough for
// the log to be checkpointed in the background, truncated and restarted. Ignores errors of a
// failing disk.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  endEvent,
  introduceEvent,
  lane,
  requestEvent,
  settleEvent,
  storeEvent,
} from './events.mjs';
import { openSqliteStore } from '../../dist/index.js';

const [path, name, firstNonce, count] = process.argv.slice(2);
const IN_FLIGHT = 4;
/** Longer than the delay between a write and its checkpoint. */
const COPIED_MS = 400;

const { ledger } = await openSqliteStore({ path });
const said = (attempt) => {
  if (attempt) writeSync(1, `${attempt.id} ${attempt.state}\n`);
};
/** Runs a call and ignores only failures of the disk. */
const unlessRefused = async (call) => {
  try {
    return await call();
  } catch (error) {
    if (error.code !== 'LEDGER_UNAVAILABLE') throw error;
    return null;
  }
};
const patiently = async (call) => {
  for (;;) {
    const answer = await unlessRefused(async () => ({ value: await call() }));
    if (answer !== null) return answer.value;
  }
};

await patiently(() => ledger.registerLane(lane, 'relay'));
const { fence } = await patiently(() => ledger.lease(lane, 'crowd', 600_000));
await patiently(() => ledger.apply(introduceEvent(fence)));

async function write(nonce) {
  const id = `${name}-${nonce}`;
  for (const event of [
    requestEvent(id, id),
    storeEvent(id, nonce, fence),
    settleEvent(id, nonce, fence),
  ]) {
    const written = unlessRefused(() => ledger.apply(event));
    said(await unlessRefused(() => ledger.attemptById(id)));
    const result = await written;
    if (result === null || !result.applied) break;
    said(result.attempt);
  }
}

let next = BigInt(firstNonce);
async function writeUpTo(end) {
  const writeOn = async () => {
    while (next < end) await write(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, writeOn));
}

const end = next + BigInt(count);
await writeUpTo(next + BigInt(count) / 2n);
await sleep(COPIED_MS);
await writeUpTo(next + 2n);
const waits = `${name}-waits`;
for (const event of [requestEvent(waits, waits), endEvent(waits)])
  said((await unlessRefused(() => ledger.apply(event)))?.attempt);
await unlessRefused(() => ledger.redact(-1));
await writeUpTo(end);
// The store is not closed, so that the next process finds the log.
process.exit();
