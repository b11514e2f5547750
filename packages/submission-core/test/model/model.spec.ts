import { describe, expect, it } from '@jest/globals';
import { variants } from '../../model/cases.mjs';
import { check } from '../../model/check.mjs';

/** Those whose whole space is searched in a second; `node model/run.mjs` takes them all, and the designs' larger bounds. */
const QUICK = new Set(['a', "a'", 'c', "c'", "c''", 'f', "f'", 'g', "g'", 'h', 'i', 'j', 'k', 'm', 'n', 'p']);

describe('the checked model', () => {
  it.each([
    ['one submission, replacement and no-op', { keys: 1, attempts: 1, maxN: 2, maxV: 1 }],
    ['two instances, a second attempt', { keys: 1, attempts: 2, maxN: 2, maxV: 0, workers: [0, 1] }],
    [
      'strict mode without nullifier, where refusals lie and anybody sends anything again',
      { keys: 1, attempts: 1, maxN: 2, maxV: 1, nullifier: false, strict: true, lyingRefusal: true, rawResend: 'any' },
    ],
  ])('holds every property: %s', (_name, options) => {
    expect(check(options)).toMatchObject({ complete: true, bad: {} });
  });

  it.each(variants.filter(([id]) => QUICK.has(id)).map(([id, name, options, property]) => ({ id, name, options, property })))(
    '($id) loses $property: $name',
    ({ options, property }) => {
      expect(Object.keys(check(options).bad)).toContain(property);
    },
  );
});
