import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import * as fc from 'fast-check';
import { ProofLayoutInvalid, readProofCalldata, type Groth16Proof } from '../../src/layout.js';
import { writeProofCalldata } from '../support/calldata-writer.js';

const coordinate = fc.bigInt({ min: 0n, max: (1n << 384n) - 1n });
const g1 = fc.record({ x: coordinate, y: coordinate });
const g2 = fc.record({ x: fc.tuple(coordinate, coordinate), y: fc.tuple(coordinate, coordinate) });
const publicInput = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const proofWith = (minLength: number, maxLength: number): fc.Arbitrary<Groth16Proof> =>
  fc.record({ a: g1, b: g2, c: g1, publicInputs: fc.array(publicInput, { minLength, maxLength }) });
const anyProof = proofWith(1, 9);
const withdrawalProof = proofWith(7, 7);
const limb = fc.bigInt({ min: 0n, max: (1n << 96n) - 1n });
const felt = fc.bigInt({ min: 0n, max: (1n << 251n) - 1n });

function outcome(felts: Felts): string {
  try {
    return readProofCalldata(felts).felts.equals(felts)
      ? 'read as it is'
      : 'read as something else';
  } catch (error) {
    return error instanceof ProofLayoutInvalid ? 'refused' : `failed: ${String(error)}`;
  }
}

describe('readProofCalldata', () => {
  it('readProofCalldata reads every written proof, with and without the length felt', () => {
    fc.assert(
      fc.property(anyProof, limb, felt, fc.boolean(), (proof, hintLimb, hintScalar, bare) => {
        const felts = Felts.of(writeProofCalldata(proof, hintLimb, hintScalar));
        const read = readProofCalldata(bare ? felts.slice(1) : felts, {
          publicInputCount: proof.publicInputs.length,
        });

        expect(read.proof).toEqual(proof);
        expect(read.felts.equals(felts)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('proof calldata has 1,922 felts plus 14 for each public input', () => {
    fc.assert(
      fc.property(anyProof, (proof) => {
        const felts = Felts.of(writeProofCalldata(proof));
        const publicInputCount = proof.publicInputs.length;

        expect(readProofCalldata(felts, { publicInputCount }).felts.length).toBe(
          1922 + 14 * publicInputCount,
        );
      }),
      { numRuns: 20 },
    );
  });

  it('readProofCalldata does not change its own result when it reads it again', () => {
    fc.assert(
      fc.property(withdrawalProof, (proof) => {
        const once = readProofCalldata(Felts.of(writeProofCalldata(proof)).slice(1));

        expect(readProofCalldata(once.felts)).toEqual(once);
      }),
      { numRuns: 20 },
    );
  });

  it('readProofCalldata reads or rejects any list of felts, and throws no other error than ProofLayoutInvalid', () => {
    const nearlyRight = fc
      .tuple(withdrawalProof, fc.nat(2019), felt)
      .map(([proof, index, value]) => writeProofCalldata(proof).with(index, value));
    const anything = fc.oneof(fc.array(felt, { maxLength: 60 }), nearlyRight);
    fc.assert(
      fc.property(anything, (values) => {
        expect(['read as it is', 'refused']).toContain(outcome(Felts.of(values)));
      }),
      { numRuns: 60 },
    );
  });
});
