// node scripts/try.mjs '{"keys":1,"maxV":1}' '{"limit":1000000}'
//
// Checks one setting of the options in state.mjs. Prints the shortest trace to each property that
// the setting breaks.
import { check } from '../src/check.mjs';

const [given, search] = [JSON.parse(process.argv[2] ?? '{}'), JSON.parse(process.argv[3] ?? '{}')];
const r = check(given, search);
console.log(
  JSON.stringify(given),
  r.states,
  r.edges,
  `depth ${r.depth} ${r.seconds}s`,
  r.complete ? 'complete' : 'CUT',
);
for (const [p, { text, trace }] of Object.entries(r.bad))
  console.log(`${p} in ${trace.length}: ${text}\n  ${trace.join('\n  ')}`);
