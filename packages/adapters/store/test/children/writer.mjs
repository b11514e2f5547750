// Writes complete submissions to the given store until it is killed, and prints a line for every
// acknowledged command.
import { writeSync } from 'node:fs';
import { introduceEvent, lane, requestEvent, settleEvent, storeEvent } from './events.mjs';
import { openStore } from './open-store.mjs';

const { ledger } = await openStore(process.argv[2]);
await ledger.registerLane(lane, 'relay');
const { fence } = await ledger.lease(lane, 'writer', 60_000);
await ledger.apply(introduceEvent(fence));
for (let nonce = 0n; ; nonce += 1n) {
  const name = `writer-${nonce}`;
  for (const event of [
    requestEvent(name, name),
    storeEvent(name, nonce, fence),
    settleEvent(name, nonce, fence),
  ]) {
    const { applied, attempt } = await ledger.apply(event);
    if (!applied) throw new Error(`rejected command ${event.type}`);
    writeSync(1, `${attempt.id} ${attempt.state} ${nonce}\n`);
  }
}
