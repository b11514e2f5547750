import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { r1cs, wtns, zKey } from 'snarkjs';

import { CIRCUIT_FILE, compileCircuit } from '../../scripts/compile-circuit.mjs';
import { parseVerificationKey } from '../../src/index.js';
import { loadDevelopmentKeys, type DevelopmentKeys } from '../../src/node.js';
import { toSignals } from '../../src/testing/index.js';
import { aRequest, codeOf } from '../support/builders.js';
import { calculateWitness, endSnarkjsWorkers } from '../support/snarkjs.js';

const keysFolder = new URL('../../keys/', import.meta.url);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const json = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(name, keysFolder), 'utf8'));
const BEHIND =
  'keys/ is behind its source: run `pnpm run keys:build`, then `pnpm run vectors:build`';

const quiet = { info() {}, warn() {} };

/** Left and right factors of the constraint system, as `matrix:constraint:signal` → coefficient. */
type Coefficients = Map<string, string>;

let keys: DevelopmentKeys;
let folder: string;
let circuit: { readonly r1cs: string; readonly wasm: string };
beforeAll(async () => {
  keys = await loadDevelopmentKeys();
  folder = await mkdtemp(join(tmpdir(), 'sotto-circuit-'));
  circuit = await compileCircuit(folder);
});
afterAll(async () => {
  await endSnarkjsWorkers();
  await rm(folder, { recursive: true, force: true });
});

describe('the committed keys', () => {
  it('the committed proving keys are built from the current source of the circuit', async () => {
    const expected = {
      source: { 'circuits/withdraw.circom': sha256(await readFile(CIRCUIT_FILE)) },
      r1cs: sha256(await readFile(circuit.r1cs)),
      artefacts: {
        'withdraw.wasm': sha256(await readFile(circuit.wasm)),
        'withdraw.zkey': sha256(keys.zkey),
        'verification_key.json': sha256(
          await readFile(new URL('verification_key.json', keysFolder)),
        ),
      },
    };
    expect({ hint: BEHIND, manifest: await json('manifest.json') }).toMatchObject({
      hint: BEHIND,
      manifest: expected,
    });
  });

  it('the committed witness generator equals the compiled source of the circuit', async () => {
    expect(sha256(keys.wasm)).toBe(sha256(await readFile(circuit.wasm)));
  });

  it('the committed proving key contains exactly the constraints of the compiled circuit', async () => {
    const { nConstraints, nPubInputs, nVars, constraints } = await exportR1cs(circuit.r1cs);
    const key = await exportZkey(keys.zkey);
    expect(nPubInputs).toBe(7);
    expect([key.nPublic, key.nVars]).toEqual([nPubInputs, nVars]);

    const wanted: Coefficients = new Map();
    constraints.forEach((sides, row) => {
      sides.slice(0, 2).forEach((side, matrix) => {
        for (const [signal, value] of Object.entries(side))
          wanted.set(`${matrix}:${row}:${signal}`, value);
      });
    });
    // In addition to the circuit's constraints, Groth16's setup has one row for each public signal
    // and one row for the constant.
    for (let signal = 0; signal <= nPubInputs; signal++)
      wanted.set(`0:${nConstraints + signal}:${signal}`, '1');
    const held: Coefficients = new Map(
      key.ccoefs.map(({ matrix, constraint, signal, value }) => [
        `${matrix}:${constraint}:${signal}`,
        value,
      ]),
    );
    expect(held.size).toBe(wanted.size);
    expect([...wanted].filter(([place, value]) => held.get(place) !== value)).toEqual([]);
  });

  it('the committed verification key belongs to the committed proving key', async () => {
    const exported: unknown = await zKey.exportVerificationKey(keys.zkey);
    expect(parseVerificationKey(exported)).toEqual(keys.verificationKey);
    expect(exported).toEqual(await json('verification_key.json'));
  });

  it('the committed witness generator creates a witness that satisfies the circuit’s constraints', async () => {
    const witness = await calculateWitness(toSignals(aRequest()), keys.wasm);
    expect(await wtns.check(circuit.r1cs, witness, quiet)).toBe(true);
    const last = witness.length - 1;
    const tampered = witness.with(last - 31, (witness[last - 31] ?? 0) ^ 1);
    expect(await wtns.check(circuit.r1cs, tampered, quiet)).toBe(false);
  });

  it('the manifest of the committed keys warns that they are development keys', async () => {
    expect(await json('manifest.json')).toMatchObject({
      warning: expect.stringMatching(/toxic waste is known/),
    });
  });
});

describe('parseVerificationKey', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['another protocol', { protocol: 'plonk' }],
    ['another curve', { curve: 'bls12381' }],
    ['a missing point', { vk_alpha_1: undefined }],
    [
      'a coordinate that is no number',
      {
        vk_gamma_2: [
          ['1', 'x'],
          ['1', '2'],
          ['1', '0'],
        ],
      },
    ],
    ['too few points for its inputs', { IC: [] }],
    ['an invalid number of inputs', { nPublic: '7' }],
  ])('parseVerificationKey rejects a key with %s', async (_, change) => {
    const value = change === null ? null : { ...keys.verificationKey, ...Object(change) };
    expect(await codeOf(() => parseVerificationKey(value))).toBe('VERIFICATION_KEY_MALFORMED');
  });
});

interface ConstraintSystem {
  readonly nConstraints: number;
  readonly nPubInputs: number;
  readonly nVars: number;
  readonly constraints: readonly (readonly Readonly<Record<string, string>>[])[];
}

interface ProvingKey {
  readonly nPublic: number;
  readonly nVars: number;
  readonly ccoefs: readonly {
    readonly matrix: number;
    readonly constraint: number;
    readonly signal: number;
    readonly value: string;
  }[];
}

async function exportR1cs(file: string): Promise<ConstraintSystem> {
  const exported: ConstraintSystem = JSON.parse(JSON.stringify(await r1cs.exportJson(file)));
  return exported;
}

async function exportZkey(bytes: Uint8Array): Promise<ProvingKey> {
  const exported: ProvingKey = JSON.parse(JSON.stringify(await zKey.exportJson(bytes)));
  return exported;
}
