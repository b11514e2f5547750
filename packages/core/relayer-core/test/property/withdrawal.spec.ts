import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FIELD_PRIME, toFelt } from '@sotto/kernel';
import {
  notePurpose,
  readStatement,
  spentNote,
  withdrawalFingerprint,
} from '../../src/pools/domain/withdrawal.js';
import { goodCalldata, malleatedCalldata, proofOf, vector } from '../support/vector.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const LIMITS = [R, R, FIELD_PRIME, FIELD_PRIME, R, 2n ** 32n, 2n ** 32n];
const NAMES = ['root', 'nullifierHash', 'recipient', 'relayer', 'fee', 'batchStart', 'batchSize'];
const inputs = fc.tuple(...LIMITS.map((limit) => fc.bigInt({ min: 0n, max: limit - 1n })));
const felt = fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }).map((value) => toFelt(value));
const pool = toFelt('0x9001');

describe('a withdrawal’s statement', () => {
  it('parses the public inputs of the real proof', () => {
    const { root, nullifierHash, recipient, relayer, fee, batchStart, batchSize } = readStatement(
      proofOf(goodCalldata).publicInputs,
    );
    expect([root, nullifierHash].map(String)).toEqual(vector.publicInputs.slice(0, 2));
    expect([recipient, relayer]).toEqual([toFelt(vector.recipient), toFelt(vector.relayer)]);
    expect([fee, batchStart, batchSize]).toEqual([
      BigInt(vector.feeSats),
      vector.batchStart,
      vector.batchSize,
    ]);
  });

  it('reports the first public input that is not below its limit', () => {
    fc.assert(
      fc.property(
        inputs,
        fc.nat(6),
        fc.bigInt({ min: 0n, max: 2n ** 255n }),
        (values, index, above) => {
          expect(Object.values(readStatement(values)).map(BigInt)).toEqual(values);
          const bad = values.with(index, (LIMITS[index] ?? 0n) + above);
          expect(() => readStatement(bad)).toThrow(
            expect.objectContaining({
              code: 'PUBLIC_INPUT_OUT_OF_RANGE',
              details: { input: NAMES[index] },
            }),
          );
        },
      ),
    );
  });

  it.each([0, 6, 8])('rejects a statement with %s inputs', (count) => {
    expect(() => readStatement(Array.from({ length: count }, () => 1n))).toThrow(
      expect.objectContaining({
        code: 'PUBLIC_INPUT_OUT_OF_RANGE',
        details: { expected: 7, given: count },
      }),
    );
  });
});

describe('a withdrawal’s names', () => {
  it('the purpose of an attempt can be converted back to its pool and nullifier', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('withdraw', 'private_swap'),
        felt,
        fc.bigInt({ min: 0n, max: R - 1n }),
        (kind, address, nullifierHash) => {
          const note = { pool: address, nullifierHash };
          expect(spentNote(notePurpose(kind, note))).toEqual(note);
        },
      ),
    );
  });

  it.each(['', 'deposit', 'deploy_batch', 'deploy_idle_funds', 'withdraw\n', 'unknown'])(
    'the purpose of an attempt of kind %j contains no note',
    (kind) => {
      expect(spentNote({ kind, subject: toFelt('0x1'), memo: '0x2' })).toBeNull();
    },
  );

  it('a proof and its malleated copy have the same key and the same fingerprint', () => {
    const [first, second] = [goodCalldata, malleatedCalldata].map((calldata) =>
      readStatement(proofOf(calldata).publicInputs),
    );
    expect(goodCalldata.equals(malleatedCalldata)).toBe(false);
    expect(first && withdrawalFingerprint(pool, first)).toBe(
      second && withdrawalFingerprint(pool, second),
    );
  });

  it('the fingerprint of a withdrawal changes if a single public input or the pool changes', () => {
    fc.assert(
      fc.property(inputs, fc.nat(6), (values, index) => {
        const changed = values.with(index, ((values[index] ?? 0n) + 1n) % (LIMITS[index] ?? 1n));
        const fingerprint = withdrawalFingerprint(pool, readStatement(values));
        expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
        expect(withdrawalFingerprint(pool, readStatement(changed))).not.toBe(fingerprint);
        expect(withdrawalFingerprint(toFelt('0x9002'), readStatement(values))).not.toBe(
          fingerprint,
        );
      }),
    );
  });
});
