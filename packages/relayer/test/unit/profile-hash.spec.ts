import { describe, expect, it } from '@jest/globals';
import { profile } from '@sotto/process-kit/environment';
import { profileHash } from '../../src/composition/profile-hash.js';
import { load, withProfile } from './configuration.js';

const hashOf = (changed: object): string => profileHash(load({}, withProfile(changed)).network);

describe('the hash of a network profile', () => {
  it('the order of keys has no effect', () => {
    const tokens = Object.entries(profile.tokens);
    expect(tokens.length).toBeGreaterThan(1);
    expect(hashOf({ tokens: Object.fromEntries(tokens.toReversed()) })).toBe(hashOf({}));
  });

  it('the hash changes if one value changes', () => {
    const [first, ...others] = profile.pools;
    const renamed = { ...first, batchSizes: [2] };
    expect(hashOf({ pools: [renamed, ...others] })).not.toBe(hashOf({}));
    expect(hashOf({})).toMatch(/^[0-9a-f]{64}$/);
  });
});
