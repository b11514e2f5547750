import { describe, expect, it } from '@jest/globals';
import { StakingDataUnavailable, stakingFaults } from '@sotto/staking-core';

describe('stakingFaults', () => {
  it('list every fault with its own code, kind and meaning', () => {
    const fault = new StakingDataUnavailable();
    const { code, kind, message: meaning } = fault;
    expect(stakingFaults).toEqual([{ code, kind, meaning, remedy: expect.stringMatching(/.+/) }]);
  });
});
