// node run.mjs            designs, witnesses and variants: a minute or two on two cores
// node run.mjs --deep     the larger bounds instead (about a quarter of an hour, 12 GB)
// node run.mjs --write    writes results.md and counterexamples.md in this folder
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
import { check } from './check.mjs';
import { designs, deep, variants, witnesses } from './cases.mjs';

const all = { designs, deep, variants, witnesses };
if (!isMainThread) {
  const [group, i] = workerData,
    c = all[group][i];
  parentPort.postMessage(
    group === 'designs' || group === 'deep'
      ? check(c[1], { limit: 6e6, ...c[2] })
      : group === 'variants'
        ? check(c[2], { limit: 400_000, ...c[4] })
        : check(c[1], { witness: c[2] }),
  );
} else {
  const began = Date.now();
  const jobs = (process.argv.includes('--deep') ? ['deep'] : ['designs', 'witnesses', 'variants']).flatMap((g) =>
    all[g].map((_, i) => [g, i]),
  );
  const results = { designs: [], deep: [], witnesses: [], variants: [] };
  const queue = [...jobs];
  const one = () =>
    new Promise((done, fail) => {
      const job = queue.shift();
      if (!job) return done();
      const w = new Worker(new URL(import.meta.url), { workerData: job, resourceLimits: { maxOldGenerationSizeMb: 9000 } });
      w.on('message', (r) => {
        results[job[0]][job[1]] = r;
      });
      w.on('error', fail);
      w.on('exit', () => one().then(done, fail));
    });
  await Promise.all([one(), one()]);
  const P = ['S1', 'S2', 'S3', 'S4', 'S5', 'L'],
    n = (x) => x.toLocaleString('en'),
    out = [];
  const say = (l = '') => {
    console.log(l);
    out.push(l);
  };
  let failed = 0;
  say('| design | bounds | states | steps | depth | s | S0–S5 | L |');
  say('|---|---|---|---|---|---|---|---|');
  for (const g of ['designs', 'deep'])
    results[g].forEach((r, i) => {
      const [name, b] = all[g][i],
        safe = !Object.keys(r.bad).some((p) => p !== 'L'),
        lively = !r.bad.L;
      if (!safe || !lively || !r.complete) failed++;
      say(
        `| ${name} | ${b.keys} keys × ${b.attempts} attempts, ${b.lanes ?? 1} lane(s) × ${b.maxN} nonces, ${b.maxV + 1} price(s), workers ${(b.workers ?? [0]).map((x) => 'i' + x).join('+')} | ${n(r.states)} | ${n(r.edges)} | ${r.depth} | ${r.seconds.toFixed(0)} | ${safe ? 'hold' : Object.keys(r.bad).join(' ')} | ${lively ? 'holds' : 'BROKEN'}${r.complete ? '' : ' (not complete)'} |`,
      );
    });
  if (results.witnesses.length) {
    say();
    say('Can happen (so the result is not empty):');
    results.witnesses.forEach((r) => {
      for (const [w, t] of Object.entries(r.seen)) {
        if (!t) failed++;
        say(`- ${t ? `yes, in ${t.length} steps` : 'NEVER'}: ${w}`);
      }
    });
    say();
    say(
      'Shortest counterexample of each naive variant, in steps (– = the property still holds within the bounds, ? = search cut at 400,000 states):',
    );
    say();
    say(`| | variant | ${P.join(' | ')} |`);
    say(`|---|---|${P.map(() => '---').join('|')}|`);
    results.variants.forEach((r, i) => {
      const [id, name, , p] = variants[i];
      if (!r.bad[p]) failed++;
      say(
        `| ${id} | ${name} | ${P.map((q) => (r.bad[q] ? (q === p ? `**${r.bad[q].trace.length}**` : r.bad[q].trace.length) : r.complete ? '–' : '?')).join(' | ')} |`,
      );
    });
  }
  say();
  say(
    `${failed ? `${failed} UNEXPECTED` : 'all as expected'}; ${n(
      Object.values(results)
        .flat()
        .reduce((a, r) => a + r.states, 0),
    )} states in ${((Date.now() - began) / 1000).toFixed(0)} s`,
  );
  if (process.argv.includes('--write') && results.variants.length) {
    writeFileSync(
      new URL('./results.md', import.meta.url),
      ['# Results', '', `Node ${process.version}, ${new Date().toISOString().slice(0, 10)}.`, '', ...out, ''].join('\n'),
    );
    const cx = [
      '# Counterexamples',
      '',
      'Each is a shortest trace (breadth-first search) of one naive variant, made by `node model/run.mjs --write`. `A1v0@n0` = key A, attempt 1, price step 0, nonce 0; `[w0]` = worker 0.',
      '',
    ];
    results.variants.forEach((r, i) => {
      const [id, name, , p] = variants[i];
      cx.push(
        `## (${id}) ${name}`,
        '',
        ...(r.bad[p] ? [...r.bad[p].trace.map((l, j) => `${j + 1}. ${l}`), '', `**${r.bad[p].text}**`] : ['holds']),
        '',
      );
    });
    writeFileSync(new URL('./counterexamples.md', import.meta.url), cx.join('\n'));
  }
  process.exitCode = failed ? 1 : 0;
}
