import { beforeAll, describe, expect, it } from '@jest/globals';

import { parseProvingKey } from '../../src/groth16/proving-key.js';
import { loadDevelopmentKeys } from '../../src/node.js';

let zkey: Uint8Array;
/** Offsets of the sections' contents, by their identifiers. */
const starts = new Map<number, number>();
let header: number;
beforeAll(async () => {
  zkey = Uint8Array.from((await loadDevelopmentKeys()).zkey);
  const view = new DataView(zkey.buffer);
  for (let at = 12; at < zkey.length; at += 12 + Number(view.getBigUint64(at + 4, true)))
    starts.set(view.getUint32(at, true), at + 12);
  header = startOf(2);
});

function startOf(section: number): number {
  const start = starts.get(section);
  if (start === undefined) throw new Error(`no section ${section}`);
  return start;
}

/** Returns the key after `change`. */
function changed(change: (view: DataView) => void): Uint8Array {
  const copy = zkey.slice();
  change(new DataView(copy.buffer));
  return copy;
}

describe('parseProvingKey', () => {
  it('reads the sizes of the development key', () => {
    expect(parseProvingKey(zkey)).toMatchObject({ wires: 2938, publicInputs: 7, rows: 4096 });
  });

  it('reads a key that begins inside of a larger buffer', () => {
    const larger = new Uint8Array(zkey.length + 7);
    larger.set(zkey, 7);
    expect(parseProvingKey(larger.subarray(7))).toEqual(parseProvingKey(zkey));
  });

  it.each<[string, (view: DataView) => void, string]>([
    ['another file type', (view) => view.setUint32(0, 1), 'not a .zkey'],
    ['another version', (view) => view.setUint32(4, 2, true), 'not a .zkey'],
    ['PLONK instead of Groth16', (view) => view.setUint32(startOf(1), 2, true), 'not Groth16'],
    ['elements of 48 bytes', (view) => view.setUint32(header, 48, true), 'not BN254'],
    ['another base field', (view) => view.setUint8(header + 4, 1), 'not BN254'],
    ['another scalar field', (view) => view.setUint8(header + 40, 1 ^ 0xff), 'not BN254'],
    ['too many wires', (view) => view.setUint32(header + 72, 2 ** 31, true), 'number of wires'],
    [
      'more public inputs than wires',
      (view) => view.setUint32(header + 76, 2938, true),
      'number of wires',
    ],
    ['another number of wires', (view) => view.setUint32(header + 72, 2937, true), 'section'],
    ['rows that are no power of two', (view) => view.setUint32(header + 80, 4095, true), 'rows'],
    ['too many rows', (view) => view.setUint32(header + 80, 2 ** 19, true), 'rows'],
    ['no rows', (view) => view.setUint32(header + 80, 0, true), 'rows'],
    ['another number of rows', (view) => view.setUint32(header + 80, 2048, true), 'section h'],
    [
      'more coefficients than bytes',
      (view) => view.setUint32(startOf(4), 2 ** 31, true),
      'its coefficients',
    ],
    [
      'a coefficient of a third matrix',
      (view) => view.setUint32(startOf(4) + 4, 2, true),
      'a coefficient',
    ],
    [
      'a coefficient in a row beyond the last',
      (view) => view.setUint32(startOf(4) + 8, 4096, true),
      'a coefficient',
    ],
    [
      'a coefficient of an unknown wire',
      (view) => view.setUint32(startOf(4) + 12, 2938, true),
      'a coefficient',
    ],
    [
      'a coefficient that is not below r',
      (view) => view.setUint8(startOf(4) + 16 + 31, 0xff),
      'a coefficient',
    ],
    [
      'a coordinate that is not below p',
      (view) => view.setUint8(startOf(9) + 31, 0x31),
      'a coordinate',
    ],
    [
      'a section that occurs twice',
      (view) => view.setUint32(startOf(3) - 12, 2, true),
      'occurs twice',
    ],
    ['a section beyond the end', (view) => view.setUint8(startOf(3) - 3, 1), 'cut off'],
    ['a missing section', (view) => view.setUint32(startOf(9) - 12, 99, true), 'section h'],
  ])('rejects a key with %s', (_, change, message) => {
    expect(() => parseProvingKey(changed(change))).toThrow(message);
  });

  it('rejects every shortened key', () => {
    for (let part = 0; part < 100; part++) {
      const length = Math.floor((zkey.length * part) / 100);
      expect(() => parseProvingKey(zkey.subarray(0, length))).toThrow('the proving key is invalid');
    }
  });
});
