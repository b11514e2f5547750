// node scripts/run.mjs [GROUP …] [--deep] [--write]
//
// Checks all cases: cases that must hold, that must break a property, or that must be reachable.
// This needs some minutes on two cores. Arguments select groups of GROUPS below. The group `matrix`
// shows which cases need which rule (many minutes). The option `--deep` uses the larger limits
// instead, one case at a time (half an hour, 8 GB). The option `--write` writes results.md and
// counterexamples.md in this package.
import { writeFileSync } from 'node:fs';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { check } from '../src/check.mjs';
import * as cases from '../src/cases.mjs';

const HOLD = ['designs', 'lanes', 'rollback', 'moved', 'lost', 'copies', 'deep'];
const GROUPS = ['designs', 'lanes', 'rollback', 'moved', 'lost', 'copies', 'witnesses', 'variants'];
const TITLES = {
  designs: 'One lane',
  lanes: 'Two lanes, and refusals for a lane',
  rollback: 'ACCEPTED_ON_L2 undone',
  moved:
    'ACCEPTED_ON_L2 undone, for calls that a nullifier protects: they continue at ACCEPTED_ON_L2',
  lost: 'A lost ledger',
  copies: 'An old copy of the ledger',
  deep: 'Large bounds',
};

function search([group, i]) {
  if (group === 'matrix') {
    const [, ground] = cases.grounds[i % cases.grounds.length];
    const [, rule] = cases.rules[Math.floor(i / cases.grounds.length)];
    return check({ ...ground, ...rule }, { limit: 500_000 });
  }
  const c = cases[group][i];
  if (group === 'witnesses')
    return check(c[2], { witness: { it: c[3] }, limit: 1e6, liveness: false, stopAtWitness: true });
  if (group === 'variants')
    return check(c[2], {
      limit: 1e6,
      ...(/[LV]/.test(c[3]) ? {} : { stopAt: c[3], liveness: false }),
      ...c[4],
    });
  return check(c[1], { limit: 4e6, ...c[2] });
}

/**
 * Converts a result so that it can be sent between threads. The traces of the result become texts.
 */
const inWords = (r) => ({
  ...r,
  bad: Object.fromEntries(
    Object.entries(r.bad).map(([p, { text, trace }]) => [p, { text, trace }]),
  ),
  seen: Object.fromEntries(Object.entries(r.seen).map(([w, it]) => [w, it && { trace: it.trace }])),
});

const number = (x) => x.toLocaleString('en');
const entries = (list) => list.map((l, j) => `${j + 1}. ${l}`);

function holdTable(group, results) {
  const lines = [
    `## ${TITLES[group]}: must hold`,
    '',
    '| case | states | steps | depth | s | safety | L | V |',
    '|---|---|---|---|---|---|---|---|',
  ];
  let failed = 0;
  cases[group].forEach(([name, , search], i) => {
    const r = results[i];
    if (!r) return void (failed++, lines.push(`| ${name} | died |`));
    const allowed = (search?.breaks ?? '').split(' ').filter(Boolean);
    const broken = Object.keys(r.bad);
    const expected =
      r.complete && broken.length === allowed.length && allowed.every((p) => broken.includes(p));
    if (!expected) failed++;
    const safe = broken.filter((p) => p[0] === 'S').map((p) => `${p} in ${r.bad[p].trace.length}`);
    const safety = safe.length
      ? `${expected ? 'all but ' : 'BROKEN: '}${safe.join(', ')}`
      : 'holds';
    const lively = r.bad.L ? 'BROKEN' : r.complete ? 'holds' : 'CUT';
    const starves = search?.starve ? (r.bad.V ? 'BROKEN' : 'holds') : '';
    lines.push(
      `| ${name} | ${number(r.states)} | ${number(r.edges)} | ${r.depth} | ${r.seconds.toFixed(0)} | ${safety} | ${lively} | ${starves} |`,
    );
  });
  return { lines: [...lines, ''], failed };
}

function matrixTable(results) {
  const cell = (r) => {
    if (!r) return 'died';
    const found = Object.entries(r.bad).map(([p, { trace }]) => `${p} ${trace.length}`);
    return `${found.join(', ') || '–'}${r.complete ? '' : ' (cut)'} <sub>${number(r.states)}</sub>`;
  };
  const rows = cases.rules.map(
    ([name], r) =>
      `| ${name} | ${cases.grounds.map((_, b) => cell(results[r * cases.grounds.length + b])).join(' | ')} |`,
  );
  const head = `| rule | ${cases.grounds.map(([name]) => name).join(' | ')} |`;
  const title =
    '## Which rule is needed where (length of the shortest counterexample; – holds; cut at 500,000 states)';
  return [title, '', head, `|---|${cases.grounds.map(() => '---').join('|')}|`, ...rows, ''];
}

function witnessList(results) {
  const lines = ['## Must be able to happen', ''];
  const traces = ['## Can happen (shortest traces)', ''];
  let failed = 0;
  cases.witnesses.forEach(([id, name], i) => {
    const it = results[i]?.seen.it;
    if (!it) failed++;
    lines.push(`- ${id}, ${it ? `in ${it.trace.length} steps` : 'NEVER'}: ${name}`);
    traces.push(`### ${id} ${name}`, '', ...(it ? entries(it.trace) : ['never']), '');
  });
  return { lines: [...lines, ''], traces, failed };
}

function variantList(results) {
  const lines = [
    '## Without a rule: must break',
    '',
    '| | without the rule | breaks | steps | states |',
    '|---|---|---|---|---|',
  ];
  const traces = ['## Violations without a rule (shortest traces)', ''];
  let failed = 0;
  cases.variants.forEach(([id, name, , property], i) => {
    const r = results[i];
    const found = r?.bad[property];
    if (!found) failed++;
    lines.push(
      `| ${id} | ${name} | ${found ? property : `NOT ${property}`} | ${found?.trace.length ?? ''} | ${r ? number(r.states) : 'died'} |`,
    );
    traces.push(
      `### ${id} ${name}`,
      '',
      ...(found ? [...entries(found.trace), '', `**${found.text}**`] : ['holds']),
      '',
    );
  });
  return { lines: [...lines, ''], traces, failed };
}

async function searchAll(groups, threads) {
  const sizes = { matrix: cases.rules.length * cases.grounds.length };
  const queue = groups.flatMap((g) =>
    Array.from({ length: sizes[g] ?? cases[g].length }, (_, i) => [g, i]),
  );
  const results = Object.fromEntries(groups.map((g) => [g, []]));
  const one = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const [group, i] = job;
      await new Promise((done) => {
        const worker = new Worker(new URL(import.meta.url), {
          workerData: job,
          resourceLimits: { maxOldGenerationSizeMb: group === 'deep' ? 8000 : 2000 },
        });
        worker.on('message', (r) => {
          results[group][i] = r;
          process.stderr.write(
            `${group} ${i}: ${number(r.states)} states, ${r.seconds.toFixed(0)} s ${Object.keys(r.bad)}\n`,
          );
        });
        worker.on('error', (error) => process.stderr.write(`${group} ${i}: ${error}\n`));
        worker.on('exit', done);
      });
    }
  };
  await Promise.all(Array.from({ length: threads }, one));
  return results;
}

async function main() {
  const args = process.argv.slice(2);
  const deep = args.includes('--deep');
  const named = args.filter((a) => !a.startsWith('--'));
  const groups = deep ? ['deep'] : named.length ? named : GROUPS;
  const began = Date.now();
  const results = await searchAll(groups, deep ? 1 : 2);
  const out = [];
  const traces = [];
  let failed = 0;
  const take = (part) => {
    out.push(...part.lines);
    traces.push(...(part.traces ?? []));
    failed += part.failed ?? 0;
  };
  for (const group of HOLD) if (results[group]) take(holdTable(group, results[group]));
  if (results.matrix) take({ lines: matrixTable(results.matrix) });
  if (results.witnesses) take(witnessList(results.witnesses));
  if (results.variants) take(variantList(results.variants));
  const states = Object.values(results)
    .flat()
    .reduce((sum, r) => sum + (r?.states ?? 0), 0);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  out.push(
    `${failed ? `${failed} UNEXPECTED` : 'all as expected'}; ${number(states)} states in ${seconds} s on two cores, Node ${process.version}`,
    '',
  );
  console.log([...out, ...traces].join('\n'));
  if (args.includes('--write')) write(deep ? 'results-deep.md' : 'results.md', out, traces);
  process.exitCode = failed ? 1 : 0;
}

function write(file, out, traces) {
  const made = 'Made by `node scripts/run.mjs --write`.';
  writeFileSync(
    new URL(`../${file}`, import.meta.url),
    ['# Results', '', `${made} The cases are in \`src/cases.mjs\`.`, '', ...out].join('\n'),
  );
  if (!traces.length) return;
  const legend =
    '`A1v0@n0` = key A, attempt 1, price step 0, nonce 0; `L1n0` = nonce 0 of lane 1; `[w0]` = worker 0; `acc` = accepted, `end` = refused or expired.';
  const head = [
    '# Counterexamples and witnesses',
    '',
    `${made} Each is a shortest trace (breadth-first search).`,
    legend,
    '',
  ];
  writeFileSync(new URL('../counterexamples.md', import.meta.url), [...head, ...traces].join('\n'));
}

if (isMainThread) await main();
else parentPort.postMessage(inWords(search(workerData)));
