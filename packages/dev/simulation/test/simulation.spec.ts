import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MUTANTS } from '../src/mutants/index.js';
import { search } from '../src/mutants/search.js';
import { run } from '../src/run.js';
import { shrink, sizeOf } from '../src/shrink.js';
import { SqliteDisks } from '../src/sqlite-disks.js';
import { planOf, suite } from '../src/suite.js';

/** Number of runs in memory, which have no time limit. */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 600);
const ON_FILE = Number(process.env['SIMULATION_RUNS_ON_FILE'] ?? 15);
const SEED = process.env['SIMULATION_SEED'] ?? 'suite-2';
/** Minimum number of runs after which every rare situation must have happened. */
const ENOUGH_RUNS = 600;
/**
 * Mutants that reproduce earlier defects (a second payment, or a result that was wrong
 * permanently), each with the number of runs that finds it.
 */
const STORIES = [
  ['T4', 'a node that lags judges the ledger', 40],
  ['T4b', 'a receipt of another view settles', 40],
  ['T4b', 'the closing read is a request for each height', 60],
  ['T4b', 'a remembered hash decides the finality', 40],
  ['T5', 'an attempt expires before its ledger is judged', 40],
] as const;

describe('the submission machine, simulated', () => {
  let disks: SqliteDisks;
  beforeAll(async () => {
    disks = await SqliteDisks.open();
  });
  afterAll(() => disks.close());

  it(`the simulation finds no violated rule in ${RUNS} runs, and each rare situation occurs (seed ${SEED})`, async () => {
    const { story, situations } = await suite({ seed: SEED, runs: RUNS });
    expect(story).toBeNull();
    expect(RUNS < ENOUGH_RUNS ? [] : situations.missing()).toEqual([]);
  });

  it(`the simulation finds no violated rule in ${ON_FILE} runs with an SQLite file`, async () => {
    const { story } = await suite({
      seed: `${SEED} on file`,
      runs: ON_FILE,
      diskOf: () => (options) => disks.make(options),
    });
    expect(story).toBeNull();
  });

  it('the simulation detects a call that waits above a nonce gap', async () => {
    const mutant = MUTANTS.find(({ name }) => name === 'a quarantine ends by time') ?? null;
    const plan = planOf('m', 1719);
    // Without last blocks, the run has the sequence of events in which the call waits.
    const callers = plan.callers.map((caller) => ({ ...caller, blocks: null }));
    const { violations } = await run({ ...plan, callers }, { mutant });
    expect(violations[0]?.rule).toBe('no hole is left');
    expect(violations[0]?.detail).toMatch(/^call of /);
  });

  it('runs of the simulation with the same seed are equal, both in memory and on a file', async () => {
    const plan = planOf(SEED, 1);
    const first = await run(plan, { isRecorded: true });
    const again = await run(plan, { isRecorded: true });
    const onFile = await run(plan, {
      isRecorded: true,
      makeDisk: (options) => disks.make(options),
    });
    expect(first.lines.length).toBeGreaterThan(10);
    expect(again.lines).toEqual(first.lines);
    expect(onFile.lines).toEqual(first.lines);
  });

  it('shrink reduces a run that breaks a rule to less than half of its size', async () => {
    const mutant =
      MUTANTS.find(({ name }) => name === 'a pre-confirmed transaction is settled') ?? null;
    const { failed } = await suite({ seed: SEED, runs: 50, mutant, shrinks: false });
    if (failed === null) throw new Error('the mutant was not found');
    const { plan, result } = await shrink(failed.plan, { mutant }, 40);
    expect(result.violations[0]?.rule).toBe(failed.violations[0]?.rule);
    expect(sizeOf(plan)).toBeLessThan(sizeOf(failed.plan) / 2);
  });

  it.each(MUTANTS.filter(({ name }) => name.startsWith('a pushed message')))(
    'the simulation detects the faulty variant in which $name',
    async (mutant) => {
      const { found, control } = await search(mutant, { seed: 'm', runs: 40 });
      expect(control).toBeNull();
      expect(found).not.toBeNull();
    },
  );

  it.each(STORIES)(
    '%s: the simulation detects the faulty variant in which %s',
    async (_story, name, runs) => {
      const mutant = MUTANTS.find((one) => one.name === name);
      if (mutant === undefined) throw new Error('there is no such mutant');
      const { found, control } = await search(mutant, { seed: 'n', runs });
      expect(control).toBeNull();
      expect(found).not.toBeNull();
    },
  );

  it('the simulation detects a double payment if a settlement is written without a check of the version and the rows', async () => {
    const [mutant] = MUTANTS.filter(({ name }) => name.startsWith('M1'));
    if (mutant === undefined) throw new Error('there is no such mutant');
    const { found, control } = await search(mutant, { seed: SEED, runs: 400 });
    expect(control).toBeNull();
    expect(found).toMatchObject({ kind: 'slow polls' });
  });
});
