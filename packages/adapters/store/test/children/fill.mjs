// Writes submissions to the given file until one is rejected, at most about two megabytes. Prints
// the code of the cause, the result of the health check at the end, and the number of health checks
// before it that found no problem.
import { openSqliteStore } from '../../dist/index.js';
import { requestEvent } from './events.mjs';

const MAX_SUBMISSIONS = 32;
/**
 * Maximum number of probes. Each probe writes one page; together the probes write as much as a
 * withdrawal.
 */
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
