import { describe, expect, it } from '@jest/globals';
import { copies, designs, lanes, lost, moved, rollback, variants } from '../src/cases.mjs';
import { check } from '../src/check.mjs';
import { traceOf, walks } from '../src/traces.mjs';

/**
 * Designs whose whole state space can be searched in a second. `node scripts/run.mjs` searches all
 * designs.
 */
const QUICK = new Set([
  'smallest',
  'second attempt, no nullifier, lagging node',
  'two instances',
  'strict: refusals prove nothing and may be untrue',
  'a last block: late calls revert, and are neither signed nor sent again',
  'two lanes',
  'two lanes, one key wrong, one rollback',
  'one rollback, second attempt, no nullifier',
  'two rollbacks, a lagging node makes us reopen',
  'the same, judged by rows and by final outcomes',
  'one submission in flight',
]);
const SLOW = new Set([
  "M1'",
  'V',
  'K5',
  'K6',
  "Q2'",
  'Q2',
  'C1',
  'C2',
  "C2'",
  'C3',
  'C4',
  "U6'",
  "U6''",
]);

const quick = [...designs, ...lanes, ...rollback, ...moved, ...lost, ...copies].filter(([name]) =>
  QUICK.has(name),
);
const broken = variants.filter(([id]) => !SLOW.has(id));

describe('checked model', () => {
  it('the list of model designs contains every design that this test checks', () => {
    expect(quick.map(([name]) => name)).toEqual(expect.arrayContaining([...QUICK]));
  });

  it.each(quick.map(([name, options, search]) => ({ name, options, search })))(
    'the checked design satisfies every property: $name',
    ({ options, search }) => {
      expect(check(options, search)).toMatchObject({ complete: true, bad: {} });
    },
  );

  it.each(
    broken.map(([id, name, options, property, search]) => ({
      id,
      name,
      options,
      property,
      search,
    })),
  )(
    'variant ($id) of the model, which lacks a rule, violates property $property: $name',
    ({ options, property, search }) => {
      const onlySafety = /[LV]/.test(property) ? {} : { stopAt: property, liveness: false };
      expect(
        Object.keys(check(options, { limit: 1_000_000, ...onlySafety, ...search }).bad),
      ).toContain(property);
    },
  );

  it('a trace of the model contains the expected version of each command', () => {
    const { steps, breaks } = traceOf('M1');
    const settle = steps.find((step) => step.do === 'settle');
    expect(breaks).toBe('S1');
    expect(settle).toMatchObject({
      tx: 'A1v1',
      ours: false,
      current: false,
      saw: 1,
      version: 3,
      applied: true,
    });
    expect(settle?.after.nonces[0]).toMatchObject({
      state: 'settled',
      consumer: 'foreign',
      transactions: { A1v0: { gone: 'refused' } },
    });
  });

  it('random walks with the same seed are equal', () => {
    expect(walks({ seed: 7, count: 3, length: 40 })).toEqual(
      walks({ seed: 7, count: 3, length: 40 }),
    );
  });
});
