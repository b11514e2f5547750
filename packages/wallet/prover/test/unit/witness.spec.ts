import { beforeAll, describe, expect, it } from '@jest/globals';
import { poseidon1 } from 'poseidon-lite/poseidon1';
import { poseidon2 } from 'poseidon-lite/poseidon2';

import { parseProvingKey } from '../../src/groth16/proving-key.js';
import { loadDevelopmentKeys } from '../../src/node.js';
import { toSignals, type WithdrawalSignals } from '../../src/testing/index.js';
import { startCircomWitness, type CircomWitness } from '../../src/witness/circom-witness.js';
import { wiredPoseidon } from '../../src/witness/poseidon-wires.js';
import { withdrawalWitness } from '../../src/witness/withdrawal-witness.js';
import { aRequest } from '../support/builders.js';
import { circomGenerator } from '../support/circuit.js';
import { calculateWitness } from '../support/snarkjs.js';
import { randomStatements } from '../support/statements.js';

/** Number of random statements; `PROVER_STATEMENTS=1000` compares more of them. */
const STATEMENTS = Number(process.env['PROVER_STATEMENTS'] ?? 100);

let wasm: Uint8Array;
let circom: CircomWitness;
let wires: number;
beforeAll(async () => {
  wasm = await circomGenerator();
  circom = await startCircomWitness(wasm);
  wires = parseProvingKey((await loadDevelopmentKeys()).zkey).wires;
});

/** Returns the indices of the wires that differ. */
function differences(one: Uint8Array, other: Uint8Array): number[] {
  if (Buffer.compare(one, other) === 0) return [];
  return Array.from({ length: wires }, (_, wire) => wire).filter(
    (wire) =>
      Buffer.compare(
        one.subarray(32 * wire, 32 * wire + 32),
        other.subarray(32 * wire, 32 * wire + 32),
      ) !== 0,
  );
}

/** Returns the message of the error that the direct witness throws, or undefined. */
function violatedRule(signals: WithdrawalSignals): string | undefined {
  try {
    withdrawalWitness(signals);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the direct witness', () => {
  it('the direct witness equals circom’s witness in every wire for random statements', () => {
    let compared = 0;
    for (const signals of randomStatements(STATEMENTS)) {
      const witness = withdrawalWitness(signals);
      expect(witness).toHaveLength(32 * wires);
      expect(differences(witness, circom(signals, wires))).toEqual([]);
      compared += 1;
    }
    expect(compared).toBe(STATEMENTS);
  });

  const honest = toSignals(aRequest());
  it.each<[string, Partial<WithdrawalSignals>, string]>([
    ['another root', { root: honest.root + 1n }, 'the path does not end in the root'],
    ['another secret', { secret: 1n }, 'the path does not end in the root'],
    [
      'a wrong sibling',
      { pathElements: honest.pathElements.with(3, 1n) },
      'the path does not end in the root',
    ],
    [
      'another nullifier hash',
      { nullifierHash: honest.nullifierHash + 1n },
      'the nullifier hash is of another note',
    ],
    [
      'a path index that is no bit',
      { pathIndices: honest.pathIndices.with(0, 2) },
      'a path index is not a bit',
    ],
    ['a short path', { pathIndices: honest.pathIndices.slice(1) }, 'the path has a wrong length'],
    ['a batch that starts after the leaf', { batchStart: 5n }, 'the leaf is before the batch'],
    ['a batch that ends before the leaf', { batchSize: 1n }, 'the leaf is after the batch'],
    ['an empty batch', { batchStart: 4n, batchSize: 0n }, 'the leaf is after the batch'],
    [
      'a batch that starts below zero',
      { batchStart: -1n, batchSize: 7n },
      'the batch start is out of range',
    ],
    ['a batch of 2^12 leaves', { batchSize: 4096n }, 'the batch size is out of range'],
  ])('the direct witness rejects %s, as circom does', (_, change, rule) => {
    const signals = { ...honest, ...change };
    expect(violatedRule(signals)).toBe(rule);
    expect(() => circom(signals, wires)).toThrow(/the circuit (?:rejects|has another)/);
  });

  it('the direct witness accepts a true statement with signals outside the field, as circom does', () => {
    const order = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
    const shifted = { ...honest, root: honest.root + order, batchStart: honest.batchStart - order };
    expect(differences(withdrawalWitness(shifted), circom(honest, wires))).toEqual([]);
  });
});

describe('the Poseidon of the direct witness', () => {
  it.each([0n, 1n, 2n ** 253n])('equals poseidon-lite for the input %s', (value) => {
    expect(wiredPoseidon(2)([value], [])).toBe(poseidon1([value]));
    expect(wiredPoseidon(3)([value, 5n], [])).toBe(poseidon2([value, 5n]));
  });
});

describe('the runner of circom’s witness generators', () => {
  it('computes the same witness as snarkjs', async () => {
    const signals = toSignals(aRequest());
    // snarkjs' format ends with the wires.
    const file = await calculateWitness(signals, wasm);
    expect(differences(circom(signals, wires), file.slice(-32 * wires))).toEqual([]);
  });

  it('rejects a proving key with another number of wires', () => {
    expect(() => circom(toSignals(aRequest()), wires + 1)).toThrow(
      'the proving key is of another circuit',
    );
  });

  it.each<[string, (signals: WithdrawalSignals) => object, string]>([
    ['a missing input', ({ fee: _fee, ...others }) => others, 'the circuit has more inputs'],
    [
      'an input of another length',
      (signals) => ({ ...signals, pathElements: signals.pathElements.slice(1) }),
      'the circuit has another pathElements',
    ],
    ['an unknown input', (signals) => ({ ...signals, memo: 1n }), 'the circuit has another memo'],
  ])('rejects %s', (_, change, message) => {
    const changed = change(toSignals(aRequest()));
    expect(() => Reflect.apply(circom, undefined, [changed, wires])).toThrow(message);
  });

  it.each<[string, Uint8Array]>([
    ['bytes that are not WebAssembly', new TextEncoder().encode('no WebAssembly')],
    // The smallest module: magic number and version.
    ['a module without a generator’s functions', Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)],
  ])('rejects %s', async (_, bytes) => {
    await expect(startCircomWitness(bytes)).rejects.toThrow(/WebAssembly|not a witness generator/);
  });
});
