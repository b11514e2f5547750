// Writes submissions to the file given until one is refused. Prints the code of the cause, what the
// health check says then, and how often it had nothing to say before. It writes some two megabytes
// at most.
import { openSqliteStore } from '../../dist/index.js';
import { requestEvent } from './events.mjs';

const MAX_SUBMISSIONS = 32;
/** Of a page each: a withdrawal's worth. */
const MAX_PROBES = 80;

let nowMs = 0;
const codeOf = (error) => error.causeCode;
const codeIn = (call) => call.then(() => null, codeOf);
const { ledger, health } = await openSqliteStore({
  path: process.argv[2],
  probeClock: { monotonicMs: () => (nowMs += 1_000) },
});
let refused = null;
for (let index = 0; index < MAX_SUBMISSIONS && refused === null; index += 1) {
  const name = `filler-${index}`;
  refused = await codeIn(ledger.apply(requestEvent(name, name)));
}
let probe = null;
let goodProbes = -1;
while (probe === null && goodProbes < MAX_PROBES) {
  goodProbes += 1;
  probe = await codeIn(health.probe());
}
process.stdout.write(JSON.stringify({ refused, probe, goodProbes }));
process.exit();
