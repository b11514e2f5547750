// Competes with another process on a store, with the same fence. Both processes accept the same
// keys, use nonces for the attempts, redeem the same quotes, and lease the same task.
import { introduceEvent, lane, requestEvent, storeEvent } from './events.mjs';
import { openStore } from './open-store.mjs';

const [place, me, names] = process.argv.slice(2);
const opened = await openStore(place);
const { ledger, quotes, taskLeases } = opened;
await ledger.registerLane(lane, 'relay');
await ledger.apply(introduceEvent(0n));
const leased = await ledger.lease('0xaaaa', me, 60_000);
const task = await taskLeases.hold('curator', me, 60_000);
let requests = 0;
const nonces = [];
const served = [];
for (const name of names.split(',')) {
  if ((await ledger.apply(requestEvent(name, `${me}-${name}`))).applied) requests += 1;
  const nonce = (await ledger.state()).lanes.find(({ address }) => address === lane).nextNonce;
  if ((await ledger.apply(storeEvent(name, nonce, 0n))).applied) nonces.push(nonce);
  if ((await quotes.redeem(name, `${me}-${name}`, 0)).kind === 'redeemed') served.push(name);
}
await opened.close();
process.stdout.write(
  `${requests} ${leased === null ? 0 : 1} ${nonces.join(',')} ${served.join(',')} ${task ? 1 : 0}`,
);
