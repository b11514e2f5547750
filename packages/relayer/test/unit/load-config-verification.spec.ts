import { describe, expect, it } from '@jest/globals';
import { parseVerificationKey } from '@sotto/groth16';
import { trapdoorKey } from '@sotto/load-kit';
import { isPublishedSetup } from '@sotto/network-profile';
import { load, problemsOf, withProfile } from './configuration.js';
import { DEVELOPMENT_KEY, OWN_VERIFICATION_KEY, profile } from '@sotto/process-kit/environment';

const PATH = '/etc/sotto/keys/verification_key.json';
const withKey = (key: object): Readonly<Record<string, string>> => ({
  [PATH]: JSON.stringify(key),
});
const own: object = JSON.parse(OWN_VERIFICATION_KEY);
const development: Readonly<Record<string, unknown>> = JSON.parse(DEVELOPMENT_KEY);

describe('S14 the verification key', () => {
  it('S14: rejects a verification key of the development setup in production, with reason and remedy', () => {
    const [problem, ...others] = problemsOf({}, withKey(development));
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^NETWORK_PROFILE: verificationKey: this is a development key: .*any attacker can forge proofs.*ceremony/,
    );
    expect(
      problemsOf({ VERIFICATION_KEY_PATH: '/dev.json' }, { '/dev.json': DEVELOPMENT_KEY }),
    ).toEqual([expect.stringMatching(/^VERIFICATION_KEY_PATH: this is a development key/)]);
  });

  it('S14: rejects a development key for any circuit and in any spelling', () => {
    for (const key of [
      { ...development, vk_alpha_1: Object(development['IC'])[0] },
      { ...development, verifierClassHashes: ['0x1'] },
      trapdoorKey,
    ]) {
      expect(problemsOf({}, withKey(key))).toEqual([expect.stringContaining('development key')]);
    }
  });

  it('S14: accepts a development key only in development', () => {
    expect(problemsOf({ MODE: 'development' }, withKey(development))).toEqual([]);
    expect(problemsOf({}, withKey(own))).toEqual([]);
    expect(isPublishedSetup(parseVerificationKey(own))).toBe(false);
  });

  it('the settings of the verification key include the class hashes of its verifiers', () => {
    expect(load({}, withKey(own)).verification.classHashes).toEqual([]);
    expect(
      load({}, withKey({ ...own, verifierClassHashes: ['0x0aB'] })).verification.classHashes,
    ).toEqual(['0xab']);
    expect(problemsOf({}, withKey({ ...own, verifierClassHashes: ['garaga'] }))).toEqual([
      expect.stringMatching(
        /^NETWORK_PROFILE: verificationKey: verifierClassHashes\[0\]: must be an address/,
      ),
    ]);
  });

  it('a verifierClass without a verifier is reported as a problem', () => {
    const [pool] = profile.pools;
    const named = load(
      {},
      withProfile({ pools: [{ ...pool, verifier: '0x0F1', verifierClass: '0x0c1' }] }),
    );
    expect(named.network.pools[0]).toMatchObject({ verifier: '0xf1', verifierClass: '0xc1' });
    expect(problemsOf({}, withProfile({ pools: [{ ...pool, verifierClass: '0xc1' }] }))).toEqual([
      'NETWORK_PROFILE: pools: verifierClass is the class of verifier, so it requires verifier',
    ]);
  });
});
