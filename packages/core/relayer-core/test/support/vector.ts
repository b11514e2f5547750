import { readFileSync } from 'node:fs';
import { readProofCalldata, type Groth16Proof } from '@sotto/groth16/layout';
import { Felts, u256ToHalves } from '@sotto/kernel';
import type { WithdrawalStatement } from '../../src/pools/domain/withdrawal.js';

interface WithdrawalVector {
  readonly verificationKey: Readonly<Record<string, unknown>>;
  readonly publicInputs: readonly string[];
  readonly calldata: readonly string[];
  readonly malleatedCalldata: readonly string[];
  readonly recipient: string;
  readonly relayer: string;
  readonly feeSats: string;
  readonly batchStart: number;
  readonly batchSize: number;
}

const file = new URL(import.meta.resolve('@sotto/prover/vectors/withdrawal.json'));
/** Real proof of a withdrawal from a real tree of depth 10. */
export const vector: WithdrawalVector = JSON.parse(readFileSync(file, 'utf8'));

export const goodCalldata = Felts.parse(vector.calldata);
export const malleatedCalldata = Felts.parse(vector.malleatedCalldata);

const ORDER = [
  'root',
  'nullifierHash',
  'recipient',
  'relayer',
  'fee',
  'batchStart',
  'batchSize',
] as const satisfies (keyof WithdrawalStatement)[];
/** Index of the first public input, after the length felt. Each input has two felts. */
const FIRST_INPUT = 34;

/**
 * Returns the real calldata with other public inputs. The layout remains valid, but the proof does
 * not.
 */
export function calldataWith(inputs: Partial<Record<keyof WithdrawalStatement, bigint>>): Felts {
  const felts = Array.from({ length: goodCalldata.length }, (_, index) => goodCalldata.at(index));
  ORDER.forEach((name, index) => {
    const value = inputs[name];
    if (value !== undefined) felts.splice(FIRST_INPUT + 2 * index, 2, ...u256ToHalves(value));
  });
  return Felts.of(felts);
}

export function proofOf(calldata: Felts): Groth16Proof {
  return readProofCalldata(calldata).proof;
}
