import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SCALAR_FIELD } from '@sotto/wallet/advanced';
import { groth16 } from 'snarkjs';

import { checkRepresentation, Curve, GROUP } from '../../src/groth16/curve.js';
import { proveGroth16, sumOf } from '../../src/groth16/groth16.js';
import { startMcl } from '../../src/groth16/mcl.js';
import { parseProvingKey, type ProvingKey } from '../../src/groth16/proving-key.js';
import { withdrawalCalldata } from '../../src/index.js';
import { loadDevelopmentKeys, type DevelopmentKeys } from '../../src/node.js';
import { proveSignals, toSignals } from '../../src/testing/index.js';
import { withdrawalWitness } from '../../src/witness/withdrawal-witness.js';
import { aRequest } from '../support/builders.js';
import { circomGenerator } from '../support/circuit.js';
import { endSnarkjsWorkers, verifies } from '../support/snarkjs.js';
import { randomStatements } from '../support/statements.js';

let keys: DevelopmentKeys;
let key: ProvingKey;
let witness: Uint8Array;
beforeAll(async () => {
  keys = await loadDevelopmentKeys();
  key = parseProvingKey(Uint8Array.from(keys.zkey));
  witness = withdrawalWitness(toSignals(aRequest()));
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the Groth16 prover', () => {
  it('proofs of random statements verify by snarkjs under the committed key', async () => {
    for (const signals of randomStatements(3)) {
      const proof = await proveSignals(signals, keys);
      expect(await verifies(proof, keys.verificationKey)).toBe(true);
    }
  });

  it('a proof by snarkjs with circom’s witness has calldata under the same key', async () => {
    const signals = toSignals(aRequest());
    const { proof, publicSignals } = await groth16.fullProve(
      {
        ...signals,
        pathElements: [...signals.pathElements],
        pathIndices: [...signals.pathIndices],
      },
      await circomGenerator(),
      keys.zkey,
      undefined,
      { memorySize: 1 },
      { singleThread: true },
    );
    await endSnarkjsWorkers();
    const own = await proveSignals(signals, keys);
    expect(own.publicInputs).toEqual(publicSignals);
    const felts = await withdrawalCalldata(
      { proof, publicInputs: publicSignals },
      keys.verificationKey,
    );
    expect(felts).toHaveLength(2020);
  });

  it('two proofs of one witness differ in every point', async () => {
    const [one, other] = [
      proveGroth16(await Curve.start(), key, witness),
      proveGroth16(await Curve.start(), key, witness),
    ];
    for (const point of ['a', 'b', 'c'] as const) expect(one[point]).not.toEqual(other[point]);
    expect(one.publicInputs).toEqual(other.publicInputs);
  });

  it.each([
    ['the constant', 0],
    ['a public input', 3],
    ['the secret', 9],
    ['a wire of a hash', 1000],
    ['the last wire', 2937],
  ])('a witness with another value of %s has no proof', async (_, wire) => {
    const tampered = witness.with(32 * wire, (witness[32 * wire] ?? 0) ^ 1);
    const curve = await Curve.start();
    expect(() => proveGroth16(curve, key, tampered)).toThrow('the witness violates a constraint');
  });

  it('rejects a witness of another length', async () => {
    const curve = await Curve.start();
    expect(() => proveGroth16(curve, key, witness.subarray(32))).toThrow(
      'the witness belongs to another proving key',
    );
  });

  it.each(['alpha1', 'beta1', 'beta2', 'gamma2', 'delta1', 'delta2'] as const)(
    'rejects a proving key whose point %s is at infinity or off the curve',
    async (name) => {
      const infinite = { ...key, [name]: new Uint8Array(key[name].length) };
      const off = { ...key, [name]: key[name].with(0, (key[name][0] ?? 0) ^ 1) };
      for (const bad of [infinite, off]) {
        const curve = await Curve.start();
        expect(() => proveGroth16(curve, bad, witness)).toThrow(
          'a point of the proving key is invalid',
        );
      }
    },
  );

  it('makes no proof with a proving key that has a changed point', async () => {
    const c = key.c.slice();
    // The point of another wire.
    c.copyWithin(64 * 100, 64 * 101, 64 * 102);
    const curve = await Curve.start();
    expect(() => proveGroth16(curve, { ...key, c }, witness)).toThrow(
      'the witness violates a constraint',
    );
  });

  it('overwrites all memory of mcl, after a proof and after an error', async () => {
    const [proven, failed] = [await Curve.start(), await Curve.start()];
    proveGroth16(proven, key, witness);
    expect(() => proveGroth16(failed, key, witness.with(0, 2))).toThrow('a constraint');
    for (const { memory } of [proven, failed]) {
      expect(memory.length).toBeGreaterThan(2 ** 20);
      expect(memory.every((byte) => byte === 0)).toBe(true);
    }
  });
});

describe('the curve', () => {
  it.each(['g1', 'g2'] as const)(
    'a sum in %s does not depend on the number of points at once',
    async (group) => {
      const curve = await Curve.start();
      const points = (group === 'g1' ? key.b1 : key.b2).subarray(0, 40 * 64 * GROUP[group].degree);
      const scalars = curve.allocate(40 * 32);
      for (let index = 0; index < 40; index++) {
        const scalar = curve.randomScalar();
        curve.memory.copyWithin(scalars + 32 * index, scalar, scalar + 32);
      }
      const sums = [4096, 40, 7, 1].map((atOnce) => {
        const sum = sumOf(curve, group, points, scalars, atOnce);
        curve.mcl[group].normalise(sum, sum);
        return curve.coordinates(group, sum);
      });
      expect(sums[0]?.some((coordinate) => coordinate !== 0n)).toBe(true);
      for (const sum of sums) expect(sum).toEqual(sums[0]);
    },
  );

  it('a random scalar is never a sample that is not below the field’s order', async () => {
    const curve = await Curve.start();
    const samples = [0xff, 0x31, 0x05];
    jest.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      if (bytes instanceof Uint8Array) bytes.fill(samples.shift() ?? 0);
      return bytes;
    });
    const at = curve.randomScalar();
    // The sample 0xff… has its two highest bits cleared first. It is still not below the order.
    expect(samples).toEqual([]);
    expect(curve.memory.subarray(at, at + 32).every((byte) => byte === 0x05)).toBe(true);
    expect(BigInt(`0x${'31'.repeat(32)}`)).toBeGreaterThan(SCALAR_FIELD);
  });

  it('rejects an mcl that does not use Montgomery form', async () => {
    const mcl = await startMcl();
    const { fr, fp } = mcl;
    expect(() => checkRepresentation(new Curve(mcl))).not.toThrow();
    for (const other of [
      { ...mcl, fr: { ...fr, multiply: fr.add } },
      { ...mcl, fp: { ...fp, multiply: fr.multiply } },
      { ...mcl, fp: { ...fp, isOne: () => 0 } },
    ])
      expect(() => checkRepresentation(new Curve(other))).toThrow('in another form');
  });
});
