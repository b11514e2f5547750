import { describe, expect, it } from '@jest/globals';
import { BASE_FIELD } from '../../src/layout.js';
import { VerificationKeyInvalid } from '../../src/errors.js';
import { parseVerificationKey } from '../../src/verification-key.js';
import { vector } from '../support/vector.js';

const good = vector.verificationKey;
const { IC: ic } = good;
const [alphaX = '', alphaY = ''] = good.vk_alpha_1;
const [betaX = [], betaY = [], betaZ = []] = good.vk_beta_2;

function rejection(json: unknown): VerificationKeyInvalid {
  try {
    parseVerificationKey(json);
  } catch (error) {
    if (error instanceof VerificationKeyInvalid) return error;
    throw error;
  }
  throw new Error('the key was accepted');
}

describe('parseVerificationKey', () => {
  it('parseVerificationKey accepts a key as exported by snarkjs', () => {
    const key = parseVerificationKey(good);

    expect(String(key.alpha.x)).toBe(alphaX);
    expect(key.beta.x.map(String)).toEqual(betaX);
    expect(key.ic.map(({ y }) => String(y))).toEqual(ic.map((point) => point[1]));
  });

  it.each([
    ['null', null, 'root'],
    ['a list', [], 'root'],
    ['text', '{}', 'root'],
    ['an empty object', {}, 'protocol'],
    ['another protocol', { ...good, protocol: 'plonk' }, 'protocol'],
    ['another curve', { ...good, curve: 'bls12381' }, 'curve'],
    ['no number of inputs', { ...good, nPublic: undefined }, 'nPublic'],
    ['a number of inputs as text', { ...good, nPublic: '7' }, 'nPublic'],
    ['no inputs at all', { ...good, nPublic: 0, IC: ic.slice(0, 1) }, 'nPublic'],
    ['fewer points than inputs', { ...good, IC: ic.slice(1) }, 'IC'],
    ['more points than inputs', { ...good, nPublic: 6 }, 'IC'],
    ['IC that is no list', { ...good, IC: 'IC' }, 'IC'],
    ['a missing point', { ...good, vk_gamma_2: undefined }, 'vk_gamma_2'],
    ['a point with two coordinates', { ...good, vk_alpha_1: [alphaX, alphaY] }, 'vk_alpha_1'],
    ['a coordinate that is a number', { ...good, vk_alpha_1: [1, 2, '1'] }, 'vk_alpha_1'],
    ['a coordinate in hex', { ...good, vk_alpha_1: ['0x1', '0x2', '1'] }, 'vk_alpha_1'],
    ['a negative coordinate', { ...good, vk_alpha_1: ['-1', '2', '1'] }, 'vk_alpha_1'],
    [
      'a coordinate outside the field',
      { ...good, vk_alpha_1: [String(BigInt(alphaX) + BASE_FIELD), alphaY, '1'] },
      'vk_alpha_1',
    ],
    ['a point of G1 off its curve', { ...good, vk_alpha_1: ['1', '3', '1'] }, 'vk_alpha_1'],
    ['a point of G2 off its curve', { ...good, vk_beta_2: [betaY, betaX, betaZ] }, 'vk_beta_2'],
    ['projective coordinates', { ...good, vk_beta_2: [betaX, betaY, ['0', '1']] }, 'vk_beta_2'],
  ])(
    'parseVerificationKey rejects %s as verification key, and reports the invalid field',
    (_, json, field) => {
      expect(rejection(json)).toMatchObject({
        code: 'VERIFICATION_KEY_INVALID',
        kind: 'internal',
        details: { field },
      });
    },
  );

  it('parseVerificationKey rejects a key in which the point of an input is infinity', () => {
    expect(rejection({ ...good, IC: ic.with(3, ['0', '1', '0']) }).details).toEqual({
      field: 'IC[3]',
      reason: 'not_affine',
    });
  });

  it('parseVerificationKey rejects a key whose delta equals gamma, because any proof could be forged', () => {
    expect(rejection({ ...good, vk_delta_2: good.vk_gamma_2 }).details).toEqual({
      field: 'vk_delta_2',
      reason: 'equals_gamma',
    });
  });
});
