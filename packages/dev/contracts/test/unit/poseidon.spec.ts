import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { assert, bigInt, property } from 'fast-check';
import { poseidon2 as reference } from 'poseidon-lite';
import { R, poseidon2, poseidonSchedule } from '../../scripts/poseidon-constants.mjs';
import { generatedModules } from '../../scripts/poseidon-source.mjs';

const schedule = poseidonSchedule();
const element = bigInt({ min: 0n, max: R - 1n });

describe('the constants of Poseidon', () => {
  it.each([
    ['the paper', poseidon2],
    ['the schedule that the Cairo code follows', scheduled],
  ])(
    'the derived Poseidon constants lead to the same hash as the circuit’s hash, computed by %s',
    (_way, hash) => {
      assert(
        property(element, element, (left, right) => {
          expect(hash(left, right)).toBe(reference([left, right]));
        }),
        { numRuns: 50 },
      );
    },
  );

  it.each(Object.entries(generatedModules()))(
    'the file %s.cairo contains the derived Poseidon constants (else: node scripts/write-poseidon.mjs)',
    (module, source) => {
      expect(readFileSync(new URL(`../../cairo/${module}.cairo`, import.meta.url), 'utf8')).toBe(
        source,
      );
    },
  );
});

const pow5 = (value: bigint): bigint => value ** 5n % R;
const dot = (a: readonly bigint[], b: readonly bigint[]): bigint =>
  a.reduce((sum, item, index) => sum + item * (b[index] ?? 0n), 0n) % R;
const add = (a: readonly bigint[], b: readonly bigint[]): bigint[] =>
  a.map((item, index) => (item + (b[index] ?? 0n)) % R);
const mix = (matrix: readonly (readonly bigint[])[], vector: readonly bigint[]): bigint[] =>
  matrix.map((row) => dot(row, vector));

/** Computes the hash with the same steps as `poseidon_bn254.cairo`. */
function scheduled(left: bigint, right: bigint): bigint {
  const {
    firstAdditions,
    mds,
    entry,
    entryAdditions,
    start,
    recurrence,
    additions,
    exit,
    exitAdditions,
    lastAdditions,
  } = schedule;
  const [first = [], ...others] = firstAdditions;
  let raised = add([0n, left, right], first).map(pow5);
  for (const constants of others) raised = add(mix(mds, raised), constants).map(pow5);

  const [s0 = 0n, y0 = 0n, y1 = 0n] = add(mix(entry, raised), entryAdditions);
  const [u0OfS1 = 0n, u1OfS2 = 0n, u0OfS2 = 0n] = start;
  const s1 = (y0 + u0OfS1 * pow5(s0)) % R;
  let [s, previousS, u, previousU] = [
    (y1 + u1OfS2 * pow5(s1) + u0OfS2 * pow5(s0)) % R,
    s1,
    pow5(s1),
    pow5(s0),
  ];
  for (const addition of additions) {
    const newest = pow5(s);
    [s, previousS, u, previousU] = [
      (dot(recurrence, [newest, u, previousU, s, previousS]) + addition) % R,
      s,
      newest,
      u,
    ];
  }
  raised = [s, ...add(mix(exit, [previousU, u, previousS, s]), exitAdditions)].map(pow5);
  for (const constants of lastAdditions) raised = add(mix(mds, raised), constants).map(pow5);
  return mix(mds, raised)[0] ?? 0n;
}
