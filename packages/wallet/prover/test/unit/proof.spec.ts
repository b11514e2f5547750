import { createServer } from 'node:http';
import { once } from 'node:events';

import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  proveWithdrawal,
  PUBLIC_INPUTS,
  withdrawalCalldata,
  type WithdrawalProof,
} from '../../src/index.js';
import { noteOf } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys, type DevelopmentKeys } from '../../src/node.js';
import { malleate, toSignals } from '../../src/testing/index.js';
import { aRequest, codeOf, noteAt } from '../support/builders.js';
import { circomGenerator } from '../support/circuit.js';
import { verifies } from '../support/snarkjs.js';

const LIMB_BITS = 96n;

let keys: DevelopmentKeys;
let generator: Uint8Array;
let proven: WithdrawalProof;
beforeAll(async () => {
  keys = await loadDevelopmentKeys();
  generator = await circomGenerator();
  proven = await proveWithdrawal(aRequest(), keys);
});

describe('a withdrawal proof', () => {
  it('a withdrawal proof is valid for its seven public inputs in their order', async () => {
    const signals = toSignals(aRequest());
    expect(proven.publicInputs).toEqual(PUBLIC_INPUTS.map((name) => String(signals[name])));
    expect(await verifies(proven, keys.verificationKey)).toBe(true);
  });

  it.each(PUBLIC_INPUTS.map((name, index) => [name, index] as const))(
    'a withdrawal proof is not valid if the public input %s is different',
    async (_, index) => {
      const publicInputs = proven.publicInputs.map((input, at) =>
        at === index ? String(BigInt(input) + 1n) : input,
      );
      expect(await verifies({ ...proven, publicInputs }, keys.verificationKey)).toBe(false);
    },
  );

  it('proveWithdrawal ends all its worker threads', async () => {
    await proveWithdrawal(aRequest(), keys);
    expect(globalThis.curve_bn128 ?? null).toBeNull();
    expect(
      process.getActiveResourcesInfo().filter((resource) => /messageport|worker/i.test(resource)),
    ).toEqual([]);
  });

  it('creates a withdrawal proof from artefacts given as URLs', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end(request.url === '/wasm' ? generator : keys.zkey);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      const at = (name: string): URL => new URL(`http://127.0.0.1:${address.port}/${name}`);
      const fetched = await proveWithdrawal(aRequest(), { wasm: at('wasm'), zkey: at('zkey') });
      expect(await verifies(fetched, keys.verificationKey)).toBe(true);
      expect(fetched.publicInputs).toEqual(proven.publicInputs);
      expect(
        await codeOf(() => proveWithdrawal(aRequest(), { wasm: at('missing'), zkey: at('zkey') })),
      ).toBe('ARTEFACT_UNAVAILABLE');
    } finally {
      server.closeAllConnections();
      server.close();
    }
    const closed = new URL('http://127.0.0.1:1/');
    expect(await codeOf(() => proveWithdrawal(aRequest(), { zkey: closed }))).toBe(
      'ARTEFACT_UNAVAILABLE',
    );
  });

  it('proveWithdrawal rejects with STATEMENT_UNPROVABLE if the files zkey and wasm are swapped', async () => {
    expect(
      await codeOf(() => proveWithdrawal(aRequest(), { wasm: keys.zkey, zkey: generator })),
    ).toBe('STATEMENT_UNPROVABLE');
  });
});

describe('withdrawal calldata', () => {
  let felts: bigint[];
  beforeAll(async () => {
    felts = (await withdrawalCalldata(proven, keys.verificationKey)).map(BigInt);
  });
  const limbsAt = (index: number): string =>
    String(
      felts
        .slice(index, index + 4)
        .reduce((value, limb, position) => value + (limb << (LIMB_BITS * BigInt(position))), 0n),
    );

  it('withdrawal calldata has 2,020 felts, and begins with the number of the remaining felts', async () => {
    const texts = await withdrawalCalldata(proven, keys.verificationKey);
    expect(texts).toHaveLength(2020);
    expect(texts.filter((text) => !/^0x(0|[1-9a-f][0-9a-f]{0,62})$/.test(text))).toEqual([]);
    expect(felts[0]).toBe(2019n);
  });

  it('withdrawal calldata contains A, B and C in limbs of 96 bits, lowest limb first', () => {
    const { pi_a: a, pi_b: b, pi_c: c } = proven.proof;
    expect([1, 5, 9, 13, 17, 21, 25, 29].map(limbsAt)).toEqual([
      a[0],
      a[1],
      b[0]?.[0],
      b[0]?.[1],
      b[1]?.[0],
      b[1]?.[1],
      c[0],
      c[1],
    ]);
    expect(felts.slice(1, 33).every((limb) => limb < 1n << LIMB_BITS)).toBe(true);
  });

  it('withdrawal calldata contains each public input as two felts: low half, high half', () => {
    expect(felts[33]).toBe(7n);
    const inputs = PUBLIC_INPUTS.map((_, index) =>
      String((felts[34 + 2 * index] ?? 0n) + ((felts[35 + 2 * index] ?? 0n) << 128n)),
    );
    expect(inputs).toEqual(proven.publicInputs);
  });

  it('withdrawal calldata without the length prefix is one felt shorter but otherwise equal', async () => {
    const texts = await withdrawalCalldata(proven, keys.verificationKey);
    expect(await withdrawalCalldata(proven, keys.verificationKey, { lengthPrefix: false })).toEqual(
      texts.slice(1),
    );
  });

  it('the malleated proof is valid for the same public inputs as the original proof', async () => {
    const malleated = malleate(proven);
    expect(malleated.publicInputs).toEqual(proven.publicInputs);
    expect(await verifies(malleated, keys.verificationKey)).toBe(true);
    const other = (await withdrawalCalldata(malleated, keys.verificationKey)).map(BigInt);
    expect(other.slice(0, 5)).toEqual(felts.slice(0, 5));
    expect(other.slice(5, 9)).not.toEqual(felts.slice(5, 9));
    expect(other.slice(25, 48)).toEqual(felts.slice(25, 48));
  });

  it('withdrawalCalldata rejects a proof for a different statement or verification key', async () => {
    const publicInputs = proven.publicInputs.with(2, '1');
    expect(
      await codeOf(() => withdrawalCalldata({ ...proven, publicInputs }, keys.verificationKey)),
    ).toBe('CALLDATA_REFUSED');
    const key = { ...keys.verificationKey, vk_delta_2: keys.verificationKey.vk_gamma_2 };
    expect(await codeOf(() => withdrawalCalldata(proven, key))).toBe('CALLDATA_REFUSED');
    expect((await withdrawalCalldata(proven, keys.verificationKey)).map(BigInt)).toEqual(felts);
  });

  it.each<[string, Partial<WithdrawalProof['proof']>]>([
    ['no number', { pi_a: ['x', '1', '1'] }],
    ['a missing coordinate', { pi_c: [] }],
    ['a coordinate outside the field', { pi_c: [String(2n ** 255n), '1', '1'] }],
  ])('withdrawalCalldata rejects a proof with %s', async (_, change) => {
    const broken = { ...proven, proof: { ...proven.proof, ...change } };
    expect(await codeOf(() => withdrawalCalldata(broken, keys.verificationKey))).toBe(
      'PROOF_MALFORMED',
    );
  });
});

describe('two notes with one nullifier', () => {
  it('two notes with the same nullifier have the same nullifier hash, so that only one of the notes can be spent', () => {
    const { nullifier, nullifierHash, commitment } = noteAt(0);
    const twin = noteOf(nullifier, 1n);
    expect(twin.nullifierHash).toBe(nullifierHash);
    expect(twin.commitment).not.toBe(commitment);
  });
});
