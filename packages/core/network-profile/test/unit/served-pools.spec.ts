import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_PROFILE, NetworkProfile, poolsToDeploy, servedPools } from '../../src/index.js';

const keysOf = (pools: readonly { readonly key: string }[]): readonly string[] =>
  pools.map(({ key }) => key);

describe('pools of the profile', () => {
  const network = NetworkProfile.parse(EXAMPLE_PROFILE);

  it('the keeper does not deploy batches of pools that deploy their batches automatically', () => {
    expect(keysOf(servedPools(network))).toEqual(['small', 'swap_input_1', 'stable_10']);
    expect(keysOf(poolsToDeploy(network))).toEqual(['small', 'stable_10']);
  });
});
