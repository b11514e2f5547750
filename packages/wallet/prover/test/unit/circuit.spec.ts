import { readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';

import { MerkleTree, noteOf } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys, type DevelopmentKeys } from '../../src/node.js';
import { proveSignals, toSignals, type WithdrawalSignals } from '../../src/testing/index.js';
import { aRequest, leaves, noteAt } from '../support/builders.js';
import { circomGenerator } from '../support/circuit.js';
import { calculateWitness } from '../support/snarkjs.js';

const SCALAR_FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

let keys: DevelopmentKeys;
let generator: Uint8Array;
let source: string[];
beforeAll(async () => {
  keys = await loadDevelopmentKeys();
  generator = await circomGenerator();
  source = (
    await readFile(new URL('../../circuits/withdraw.circom', import.meta.url), 'utf8')
  ).split('\n');
  // Suppress console errors: the witness generator logs the failing line and also throws an error.
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

/**
 * Returns the line of withdraw.circom whose constraint the signals violate, or undefined if they
 * satisfy every constraint.
 */
async function brokenConstraint(signals: WithdrawalSignals): Promise<string | undefined> {
  try {
    await calculateWitness(signals, generator);
    return undefined;
  } catch (error) {
    const line = /Assert Failed[^]*in template Withdraw_\d+ line: (\d+)/.exec(String(error))?.[1];
    return line === undefined ? String(error) : source[Number(line) - 1]?.trim();
  }
}

/**
 * Returns signals for the note at `leafIndex`. Does not check the batch, so tests can use values
 * that the package would reject.
 */
function signalsAt(leafIndex: number, change: Partial<WithdrawalSignals> = {}): WithdrawalSignals {
  return {
    ...toSignals(aRequest({ note: noteAt(leafIndex), batchStart: 0, batchSize: 7 })),
    ...change,
  };
}

const honest = signalsAt(4, { batchStart: 3n, batchSize: 3n });
const START_RANGE = 'startRange.in <== batchStart;';
const SIZE_RANGE = 'sizeRange.in <== batchSize;';
const OFFSET_RANGE = 'offsetRange.in <== offset;';
const REMAINING_RANGE = 'remainingRange.in <== batchSize - 1 - offset;';

describe('the withdrawal circuit', () => {
  it('the withdrawal circuit accepts a valid statement', async () => {
    expect(await brokenConstraint(honest)).toBeUndefined();
  });

  it('the withdrawal circuit and the package compute the same hashes of notes and tree nodes', async () => {
    const secret = fc.bigInt({ min: 0n, max: SCALAR_FIELD - 1n });
    await fc.assert(
      fc.asyncProperty(
        secret,
        secret,
        fc.array(fc.bigInt({ min: 1n, max: SCALAR_FIELD - 1n }), { maxLength: 8 }),
        async (nullifier, other, before) => {
          const note = noteOf(nullifier, other);
          const signals = toSignals(
            aRequest({
              note,
              leaves: [...before, note.commitment, ...leaves],
              batchStart: 0,
              batchSize: 9,
            }),
          );
          expect(await brokenConstraint(signals)).toBeUndefined();
        },
      ),
      { numRuns: 10 },
    );
  });

  it.each<[string, Partial<WithdrawalSignals>, string]>([
    ['another root', { root: honest.root + 1n }, 'node[levels] === root;'],
    [
      'a root of a tree without the note',
      { root: MerkleTree.of(leaves.slice(0, 4)).root },
      'node[levels] === root;',
    ],
    ['another secret', { secret: 1n }, 'node[levels] === root;'],
    [
      'a wrong sibling',
      { pathElements: honest.pathElements.with(3, 1n) },
      'node[levels] === root;',
    ],
    [
      'a path that turns the wrong way',
      { pathIndices: honest.pathIndices.with(1, 1) },
      'node[levels] === root;',
    ],
    [
      'a path index that is no bit',
      { pathIndices: honest.pathIndices.with(0, 2) },
      'pathIndices[i] * (1 - pathIndices[i]) === 0;',
    ],
    [
      'another nullifier hash',
      { nullifierHash: honest.nullifierHash + 1n },
      'spent.out === nullifierHash;',
    ],
    ['another nullifier', { nullifier: honest.nullifier + 1n }, 'spent.out === nullifierHash;'],
    ['a batch that starts after the leaf', { batchStart: 5n }, OFFSET_RANGE],
    ['a batch that ends before the leaf', { batchSize: 1n }, REMAINING_RANGE],
    ['an empty batch at the leaf', { batchStart: 4n, batchSize: 0n }, REMAINING_RANGE],
    ['an empty batch before the leaf', { batchStart: 3n, batchSize: 0n }, REMAINING_RANGE],
    ['a batch that starts below zero', { batchStart: -1n, batchSize: 7n }, START_RANGE],
    [
      'a batch that starts far below the field’s order',
      { batchStart: SCALAR_FIELD - 4096n, batchSize: 4095n },
      START_RANGE,
    ],
    ['a batch that starts at 2^12', { batchStart: 4096n }, START_RANGE],
    ['a batch of a negative size', { batchSize: -1n }, SIZE_RANGE],
    ['a batch of 2^12 leaves', { batchSize: 4096n }, SIZE_RANGE],
  ])('the withdrawal circuit rejects %s', async (_, change, constraint) => {
    expect(await brokenConstraint({ ...honest, ...change })).toBe(constraint);
  });

  it('the withdrawal circuit accepts a leaf if and only if it is in the batch', async () => {
    const accepted: number[] = [];
    for (let leafIndex = 0; leafIndex < leaves.length; leafIndex++) {
      if (
        (await brokenConstraint(signalsAt(leafIndex, { batchStart: 3n, batchSize: 3n }))) ===
        undefined
      )
        accepted.push(leafIndex);
    }
    expect(accepted).toEqual([3, 4, 5]);
  });

  it.each([
    ['the first leaf alone', 0, 0n, 1n],
    ['the largest batch', 6, 0n, 4095n],
  ])('the withdrawal circuit accepts %s', async (_, leafIndex, batchStart, batchSize) => {
    expect(await brokenConstraint(signalsAt(leafIndex, { batchStart, batchSize }))).toBeUndefined();
  });

  it('the withdrawal circuit accepts the last leaf of a full tree', async () => {
    const others = Array.from({ length: 1023 }, (_, index) => BigInt(index + 1));
    const signals = toSignals(
      aRequest({ leaves: [...others, noteAt(4).commitment], batchStart: 1023, batchSize: 1 }),
    );
    expect(await brokenConstraint(signals)).toBeUndefined();
  });

  it('the withdrawal circuit assigns no signal without a constraint', () => {
    expect(source.filter((line) => /<--|-->/.test(line))).toEqual([]);
  });

  it('the error for a false statement contains no signal of the circuit', async () => {
    const proving = proveSignals({ ...honest, batchSize: 0n }, keys);
    const withoutNumbers = expect.not.stringMatching(/\d{4}/);
    await expect(proving).rejects.toMatchObject({
      code: 'STATEMENT_UNPROVABLE',
      message: withoutNumbers,
      cause: { message: withoutNumbers },
    });
  });
});
