import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { SCALAR_FIELD, createNote, noteOf, parseNote, serialiseNote } from '../../src/advanced.js';
import { codeOf } from '../support/code-of.js';

const secrets = fc.bigInt({ min: 0n, max: SCALAR_FIELD - 1n });

describe('createNote', () => {
  it('createNote reads 31 bytes for each secret from the given source', () => {
    let next = 0;
    const { nullifier, secret } = createNote((length) =>
      Uint8Array.from({ length }, () => (next += 1)),
    );
    expect(nullifier.toString(16)).toBe(
      '102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    );
    expect(secret.toString(16)).toBe(
      '202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e',
    );
  });

  it('createNote returns a different note at each call', () => {
    const notes = Array.from({ length: 50 }, () => createNote());
    expect(new Set(notes.map(({ nullifier }) => nullifier)).size).toBe(50);
    expect(new Set(notes.map(({ secret }) => secret)).size).toBe(50);
  });

  it('createNote rejects a random source that returns too few bytes', async () => {
    expect(await codeOf(() => createNote((length) => new Uint8Array(length - 1)))).toBe(
      'NOTE_OUT_OF_RANGE',
    );
  });
});

describe('noteOf', () => {
  it('noteOf hashes with circomlib’s Poseidon', () => {
    const note = noteOf(1n, 2n);
    // Expected value from circomlib's test/poseidoncircuit.js: Poseidon(1, 2).
    expect(note.commitment).toBe(
      7853200120776062878684798364095072458815029376092732009249414926327459813530n,
    );
    // Expected value computed with circomlibjs: Poseidon(1).
    expect(note.nullifierHash).toBe(
      18586133768512220936620570745912940619677854269274689475585506675881198879027n,
    );
  });

  it.each([
    ['a nullifier outside the field', SCALAR_FIELD, 0n],
    ['a secret outside the field', 0n, SCALAR_FIELD],
    ['a negative nullifier', -1n, 0n],
  ])('noteOf rejects %s', async (_, nullifier, secret) => {
    expect(await codeOf(() => noteOf(nullifier, secret))).toBe('NOTE_OUT_OF_RANGE');
  });
});

describe('serialised notes', () => {
  it('serialiseNote returns a text format that does not change between releases', () => {
    expect(serialiseNote(noteOf(1n, 2n))).toBe(
      `sotto-note-1-${'1'.padStart(62, '0')}${'2'.padStart(62, '0')}4417189a`,
    );
  });

  it.each([
    ['the nullifier', 2n ** 248n, 2n],
    ['the secret', 1n, 2n ** 248n],
  ])('serialiseNote uses version 2 if %s has more than 31 bytes', (_, nullifier, secret) => {
    const { commitment } = noteOf(nullifier, secret);
    const [first, second] = [nullifier, secret].map((part) => part.toString(16).padStart(64, '0'));
    expect(serialiseNote(noteOf(nullifier, secret))).toBe(
      `sotto-note-2-${first}${second}${commitment.toString(16).slice(-8)}`,
    );
  });

  it('serialiseNote uses version 1 if 31 bytes are enough for both the nullifier and the secret', () => {
    expect(serialiseNote(noteOf(2n ** 248n - 1n, 2n ** 248n - 1n))).toMatch(/^sotto-note-1-/);
  });

  it('parseNote rejects a nullifier or secret that is outside the field', async () => {
    const outside = SCALAR_FIELD.toString(16);
    const text = `sotto-note-2-${outside}${outside}00000000`;
    expect(await codeOf(() => parseNote(text))).toBe('NOTE_OUT_OF_RANGE');
  });

  it('parseNote returns the same note that serialiseNote received', () => {
    fc.assert(
      fc.property(secrets, secrets, (nullifier, secret) => {
        const note = noteOf(nullifier, secret);
        expect(parseNote(serialiseNote(note))).toEqual(note);
      }),
      { numRuns: 30 },
    );
  });

  it('parseNote rejects a text with one wrong digit', async () => {
    const text = serialiseNote(noteOf(2n ** 247n + 5n, 2n ** 246n + 7n));
    for (let index = 'sotto-note-1-'.length; index < text.length; index += 7) {
      const digit = text[index] === '0' ? '1' : '0';
      expect(
        await codeOf(() => parseNote(text.slice(0, index) + digit + text.slice(index + 1))),
      ).toBe('NOTE_CHECKSUM_WRONG');
    }
  });

  it.each([
    ['another version', (text: string) => text.replace('-1-', '-2-')],
    ['a missing digit', (text: string) => text.slice(0, -1)],
    ['an additional digit', (text: string) => `${text}0`],
    ['upper case', (text: string) => text.toUpperCase()],
    ['a line break at the end', (text: string) => `${text}\n`],
    ['nothing', () => ''],
  ])('parseNote rejects a text with %s', async (_, change) => {
    expect(await codeOf(() => parseNote(change(serialiseNote(noteOf(1n, 2n)))))).toBe(
      'NOTE_MALFORMED',
    );
  });

  it('the error of parseNote does not contain the text of the note', () => {
    const text = serialiseNote(noteOf(0xdecafn, 0xc0ffeen));
    expect(() => parseNote(`${text.slice(0, -1)}x`)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('decaf') }),
    );
  });
});
