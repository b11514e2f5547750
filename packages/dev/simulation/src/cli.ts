import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants/index.js';
import { pageOf, tableOf } from './mutants/page.js';
import { search, type Search } from './mutants/search.js';
import { RUN_KINDS } from './run-plan.js';
import { PostgresDisks } from './postgres-disks.js';
import type { Situations } from './situations.js';
import { SqliteDisks } from './sqlite-disks.js';
import { suite, type SuiteResult } from './suite.js';

/** Interval of runs on a real file: one run of this many runs uses a file. */
const ON_FILE_EVERY = 10;
/** Minimum number of runs after which every rare situation must have happened. */
const ENOUGH_RUNS = 600;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '60' },
    /** Kind of all runs. By default, the kind is drawn for each run. */
    kind: { type: 'string' },
    /** Runs only the mutants whose name contains this text. */
    mutant: { type: 'string' },
    /** Runs all mutants. Each mutant gets at most the requested number of runs. */
    mutants: { type: 'boolean', default: false },
    /** File to which the table of mutants is also written. */
    page: { type: 'string' },
    /** Runs no simulation on real files. */
    memory: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const minutes = Number(values.minutes);
const { seed } = values;
const kind = RUN_KINDS.find((name) => name === values.kind) ?? null;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const wanted = values.mutants ? '' : values.mutant;
process.exitCode = wanted === undefined ? await simulate() : await mutate(wanted);

async function simulate(): Promise<number> {
  if (values.postgres) return onPostgres();
  const disks = values.memory ? null : await SqliteDisks.open();
  const begunMs = performance.now();
  try {
    const result = await suite({
      seed,
      runs,
      minutes,
      kind,
      diskOf: (number) =>
        disks !== null && number % ON_FILE_EVERY === ON_FILE_EVERY - 1
          ? (options) => disks.make(options)
          : null,
    });
    report(result, (performance.now() - begunMs) / 1_000);
    if (result.story !== null) {
      say(`\n${result.story}`);
      return 1;
    }
    const missing = result.runs < ENOUGH_RUNS || kind !== null ? [] : result.situations.missing();
    for (const name of missing) say(`never happened: ${name}`);
    return missing.length > 0 ? 1 : 0;
  } finally {
    disks?.close();
  }
}

/**
 * Makes runs on PostgreSQL, in which two instances of the store work at the same time. A second run
 * with the same seed makes the same choices, but its timing may differ.
 */
async function onPostgres(): Promise<number> {
  const disks = await PostgresDisks.open();
  const begunMs = performance.now();
  try {
    const result = await suite({
      seed,
      runs,
      minutes,
      shrinks: false,
      overlapMs: 5,
      diskOf: () => (options) => disks.make(options),
    });
    report(result, (performance.now() - begunMs) / 1_000);
    if (result.story === null) return 0;
    say(`\n${result.story}\nin the run ${result.failed?.plan.seed}`);
    return 1;
  } finally {
    await disks.close();
  }
}

function report({ runs: made, counts, situations }: SuiteResult, seconds: number): void {
  say(
    `seed ${seed}: ${made} runs in ${seconds.toFixed(1)} s, ${(made / seconds).toFixed(1)} runs/s`,
  );
  say(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  for (const [name, count] of sorted(situations)) say(`${String(count).padStart(7)}  ${name}`);
}

function sorted({ counts }: Situations): [string, number][] {
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

/**
 * For each mutant, searches for a run in which the mutant breaks a rule. Fails if no run is found
 * for a mutant that must be found, or if the control run breaks a rule.
 */
async function mutate(name: string): Promise<number> {
  const chosen = MUTANTS.filter((mutant) => mutant.name.includes(name));
  if (chosen.length === 0) {
    say(`no mutant is named so; there are:\n${MUTANTS.map((mutant) => mutant.name).join('\n')}`);
    return 1;
  }
  const searches: Search[] = [];
  for (const mutant of chosen) {
    const searched = await search(mutant, { seed, runs, minutes });
    searches.push(searched);
    process.stderr.write(`${searched.runs} runs: ${mutant.name}\n`);
  }
  say(tableOf(searches));
  if (values.page !== undefined) writeFileSync(values.page, pageOf(searches, { seed, runs }));
  return searches.some(isBad) ? 1 : 0;
}

function isBad({ mutant, found, control }: Search): boolean {
  return control !== null || (found === null && mutant.coveredBy === undefined);
}
