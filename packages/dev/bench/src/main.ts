import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { circumstances, print, runProgram, say } from '@sotto/load-kit/report';
import { readArguments, type Arguments } from './arguments.js';
import type { Finding } from './bench.js';
import { CASES } from './cases/cases.js';
import { Withdrawals } from './load/withdrawals.js';
import { measureNative } from './measure/native.js';
import { FULL, SHORT } from './plan.js';
import { Flows } from './processes/flows.js';
import { Node } from './processes/node.js';
import { Postgres } from './processes/store.js';
import { profileService } from './profile/profile-service.js';
import { renderReport, type Report } from './report/render-report.js';
import { keepResults, writeDocument } from './report/write-report.js';

await runProgram(async () => {
  const args = readArguments(process.argv.slice(2));
  if (args.native) print(JSON.stringify(measureNative(), null, 2));
  else await perform(args);
  return 0;
});

async function perform(args: Arguments): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const node = await Node.start(folder);
  const plan = args.short ? SHORT : FULL;
  const bench = {
    plan,
    node,
    postgres: new Postgres(),
    flows: new Flows(plan.keepsFlows),
    withdrawals: new Withdrawals(),
    folder,
    say,
  };
  if (args.profile) print(await profileService(bench));
  else await report(args, bench);
  await bench.flows.stop();
  await bench.postgres.stop();
  await node.stop();
}

async function report(
  { cases, short, write }: Arguments,
  bench: Parameters<typeof profileService>[0],
): Promise<void> {
  const startMs = performance.now();
  const where = circumstances(new Date());
  const findings: Record<string, Finding> = {};
  for (const name of cases) {
    say(CASES[name].title);
    findings[name] = await CASES[name].run(bench);
  }
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  const found: Report = { where, seconds, plan: bench.plan, findings };
  const text = renderReport(found);
  print(text);
  if (!short) say(`raw results: ${keepResults(found)}`);
  if (write) await writeDocument(found, text);
}
