import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MUTANTS } from '../src/mutants/index.js';
import { search } from '../src/mutants/search.js';
import { run } from '../src/run.js';
import { shrink, sizeOf } from '../src/shrink.js';
import { SqliteDisks } from '../src/sqlite-disks.js';
import { planOf, suite } from '../src/suite.js';

/** Number of runs in memory, without a time limit. */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 600);
const ON_FILE = Number(process.env['SIMULATION_RUNS_ON_FILE'] ?? 15);
const SEED = process.env['SIMULATION_SEED'] ?? 'suite-2';
/** Minimum number of runs after which every rare situation must have happened. */
const ENOUGH_RUNS = 600;
/**
 * Behaviours that once paid twice or reported a wrong result permanently, each with the number of
 * runs that finds it.
 */
const STORIES = [
  ['T4', 'a node that lags judges the ledger', 120],
  ['T4b', 'a receipt of another view settles', 40],
  ['T4b', 'the closing read is a request for each height', 40],
  ['T4b', 'a remembered hash decides the finality', 40],
  ['T5', 'an attempt expires before its ledger is judged', 160],
] as const;

describe('the submission machine, simulated', () => {
  let disks: SqliteDisks;
  beforeAll(async () => {
    disks = await SqliteDisks.open();
  });
  afterAll(() => disks.close());

  it(`no rule is broken in ${RUNS} runs, and every rare situation happens (seed ${SEED})`, async () => {
    const { story, situations } = await suite({ seed: SEED, runs: RUNS });
    expect(story).toBeNull();
    expect(RUNS < ENOUGH_RUNS ? [] : situations.missing()).toEqual([]);
  });

  it(`no rule is broken on a real file in ${ON_FILE} runs`, async () => {
    const { story } = await suite({
      seed: `${SEED} on file`,
      runs: ON_FILE,
      diskOf: () => (options) => disks.make(options),
    });
    expect(story).toBeNull();
  });

  it('the simulation detects that one of our calls waits above a hole', async () => {
    const mutant = MUTANTS.find(({ name }) => name === 'a quarantine ends by time') ?? null;
    const { violations } = await run(planOf('m', 457), { mutant });
    expect(violations[0]?.rule).toBe('no hole is left');
    expect(violations[0]?.detail).toMatch(/^call of /);
  });

  it('a seed repeats its run, both in memory and on a file', async () => {
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

  it('the story of a broken rule is shrunk', async () => {
    const mutant =
      MUTANTS.find(({ name }) => name === 'a pre-confirmed transaction is settled') ?? null;
    const { failed } = await suite({ seed: SEED, runs: 50, mutant, shrinks: false });
    if (failed === null) throw new Error('the mutant was not found');
    const { plan, result } = await shrink(failed.plan, { mutant }, 40);
    expect(result.violations[0]?.rule).toBe(failed.violations[0]?.rule);
    expect(sizeOf(plan)).toBeLessThan(sizeOf(failed.plan) / 2);
  });

  it.each(MUTANTS.filter(({ name }) => name.startsWith('a pushed message')))(
    'the simulation detects the mutant in which $name',
    async (mutant) => {
      const { found, control } = await search(mutant, { seed: 'm', runs: 40 });
      expect(control).toBeNull();
      expect(found).not.toBeNull();
    },
  );

  it.each(STORIES)(
    '%s: the simulation detects the mutant in which %s',
    async (_story, name, runs) => {
      const mutant = MUTANTS.find((one) => one.name === name);
      if (mutant === undefined) throw new Error('there is no such mutant');
      const { found, control } = await search(mutant, { seed: 'm', runs });
      expect(control).toBeNull();
      expect(found).not.toBeNull();
    },
  );

  it('the simulation detects the double payment by a settle that checks neither version nor rows', async () => {
    const [mutant] = MUTANTS.filter(({ name }) => name.startsWith('M1'));
    if (mutant === undefined) throw new Error('there is no such mutant');
    const { found, control } = await search(mutant, { seed: SEED, runs: 400 });
    expect(control).toBeNull();
    expect(found).toMatchObject({ kind: 'slow polls' });
  });
});
