import { describe, expect, it } from '@jest/globals';
import { decodeProof, type PublicInputs } from '../../../src/contracts/proof.js';
import { forge, toCalldata } from './trapdoor.js';

const INPUTS: PublicInputs = [2n ** 253n, 2n, 3n, 4n, 5n, 0n, 3n];
const proof = forge(INPUTS);
/** Calldata of a proof without its length felt. */
const felts = toCalldata(proof).slice(1);
const changed = (index: number, value: bigint): bigint[] => felts.with(index, value);

describe('proof layout', () => {
  it('proof calldata has the length that the verifier expects for seven public inputs', () => {
    expect(felts).toHaveLength(2019);
  });

  it('decodeProof returns the points and public inputs of a proof', () => {
    expect(decodeProof(felts)).toEqual(proof);
  });

  it.each([
    ['a felt is missing', felts.slice(0, -1)],
    ['there is an extra felt', [...felts, 0n]],
    ['there are six inputs', changed(32, 6n)],
    ['the lines have another count', changed(137, 33n)],
    ['big Q has another count', changed(1362, 191n)],
    ['the hint for the sum has another count', changed(1934, 83n)],
    ['a coordinate has a limb of 97 bits', changed(0, 2n ** 96n)],
    ['a hint has a limb of 97 bits', changed(1900, 2n ** 96n)],
    ['half an input has 129 bits', changed(34, 2n ** 128n)],
  ])('decodeProof rejects the felts of a proof if %s', (_reason, calldata) => {
    expect(decodeProof(calldata)).toBeUndefined();
  });

  it('decodeProof accepts any felt as the challenge and in the hint of the multi-scalar multiplication', () => {
    const largest = 2n ** 251n;
    expect(decodeProof(felts.with(1933, largest).with(2000, largest))).toEqual(proof);
  });
});
