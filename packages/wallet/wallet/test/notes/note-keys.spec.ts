import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { init } from 'garaga';

import {
  MAX_NOTE_INDEX,
  SCALAR_FIELD,
  STARKNET_FIELD,
  deriveNoteKeys,
  serialiseNote,
} from '../../src/advanced.js';
import { nonZeroScalar } from '../../src/notes/note-keys.js';
import { codeOf } from '../support/code-of.js';
import { independentSecrets, vectors } from '../support/independent-note-keys.js';

const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
const place = { chainId: '0x534e5f4d41494e', pool: 0x123n, index: 0 };
const hex = (value: bigint): string => `0x${value.toString(16)}`;
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

const withZeros = (zeros: number) => (attempt: number) => {
  const value = attempt < zeros ? SCALAR_FIELD : SCALAR_FIELD + BigInt(attempt) + 5n;
  return bytes(value.toString(16).padStart(96, '0'));
};

beforeAll(async () => init());

describe('deriveNoteKeys', () => {
  it('the published file contains ten vectors of note keys', () =>
    expect(vectors).toHaveLength(10));

  it.each(vectors)('deriveNoteKeys matches the test vector: $title', (vector) => {
    const note = deriveNoteKeys(bytes(vector.seed)).note(vector);
    expect({
      nullifier: hex(note.nullifier),
      secret: hex(note.secret),
      commitment: hex(note.commitment),
      nullifierHash: hex(note.nullifierHash),
      text: serialiseNote(note),
    }).toEqual({
      nullifier: vector.nullifier,
      secret: vector.secret,
      commitment: vector.commitment,
      nullifierHash: vector.nullifierHash,
      text: vector.text,
    });
  });

  it.each(vectors)(
    'an independent implementation of note keys matches the test vector: $title',
    (vector) => {
      const { nullifier, secret, commitment } = independentSecrets(vector);
      expect([nullifier, secret, commitment].map(hex)).toEqual([
        vector.nullifier,
        vector.secret,
        vector.commitment,
      ]);
    },
  );

  it('deriveNoteKeys matches the independent implementation for any seed, chain, pool and index', () => {
    const felt = fc.bigInt({ min: 0n, max: STARKNET_FIELD - 1n });
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 80 }),
        felt,
        felt,
        fc.nat({ max: MAX_NOTE_INDEX }),
        (random, chainId, pool, index) => {
          fc.pre(new Set(random).size > 1);
          expect(deriveNoteKeys(random).note({ chainId, pool, index })).toMatchObject(
            independentSecrets({
              seed: Buffer.from(random).toString('hex'),
              chainId: hex(chainId),
              pool: hex(pool),
              index,
            }),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('a different seed, chain, pool or index results in a different note', () => {
    const keys = deriveNoteKeys(seed);
    const notes = [
      keys.note(place),
      keys.note({ ...place, index: 1 }),
      keys.note({ ...place, pool: 0x124n }),
      keys.note({ ...place, chainId: 0x123n, pool: place.chainId }),
      keys.note({ ...place, chainId: '0x534e5f5345504f4c4941' }),
      deriveNoteKeys(seed.toReversed()).note(place),
    ];
    expect(new Set(notes.flatMap(({ nullifier, secret }) => [nullifier, secret])).size).toBe(12);
  });

  it('deriveNoteKeys accepts every format of a felt', () => {
    const keys = deriveNoteKeys(seed);
    const spellings = ['0x0ABC', '0xabc', 0xabcn];
    const notes = spellings.map((pool) => keys.note({ ...place, pool }).nullifier);
    expect(new Set(notes).size).toBe(1);
  });

  it('note keys do not change if the caller overwrites the seed', () => {
    const wiped = seed.slice();
    const keys = deriveNoteKeys(wiped);
    wiped.fill(0);
    expect(keys.note(place)).toEqual(deriveNoteKeys(seed).note(place));
  });

  it.each([
    ['31 bytes', seed.slice(1)],
    ['only zeros', new Uint8Array(32)],
    ['one byte repeated', new Uint8Array(64).fill(7)],
  ])('deriveNoteKeys rejects a seed of %s', async (_, unsuitable) => {
    expect(await codeOf(() => deriveNoteKeys(unsuitable))).toBe('SEED_UNSUITABLE');
  });

  it('deriveNoteKeys rejects a string instead of bytes', async () => {
    expect(await codeOf(() => Reflect.apply(deriveNoteKeys, undefined, ['a'.repeat(64)]))).toBe(
      'SEED_UNSUITABLE',
    );
  });

  it.each([
    ['a negative index', { index: -1 }, 'NOTE_INDEX_OUT_OF_RANGE'],
    ['half an index', { index: 0.5 }, 'NOTE_INDEX_OUT_OF_RANGE'],
    ['an index of 2^32', { index: MAX_NOTE_INDEX + 1 }, 'NOTE_INDEX_OUT_OF_RANGE'],
    ['a pool outside the field', { pool: STARKNET_FIELD }, 'FELT_MALFORMED'],
    ['a negative pool', { pool: -1n }, 'FELT_MALFORMED'],
    ['a chain by its name', { chainId: 'SN_MAIN' }, 'FELT_MALFORMED'],
    ['a chain in decimal', { chainId: '23448594291968334' }, 'FELT_MALFORMED'],
  ])('keys.note() rejects %s', async (_, wrong, code) => {
    const keys = deriveNoteKeys(seed);
    expect(await codeOf(() => keys.note({ ...place, ...wrong }))).toBe(code);
  });
});

describe('a scalar', () => {
  it('nonZeroScalar returns the value of its first attempt, modulo r', () => {
    expect(nonZeroScalar(withZeros(0))).toBe(5n);
  });

  it('nonZeroScalar returns the value of the next attempt if an attempt yields zero', () => {
    expect(nonZeroScalar(withZeros(2))).toBe(7n);
  });

  it('nonZeroScalar throws if all attempts yield zero', async () => {
    expect(await codeOf(() => nonZeroScalar(withZeros(256)))).toBe('SEED_UNSUITABLE');
  });
});
