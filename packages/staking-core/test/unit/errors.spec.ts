import { describe, expect, it } from '@jest/globals';
import { StakingDataUnavailable, stakingFaults } from '@sotto/staking-core';

describe('stakingFaults', () => {
  it('tell of every fault what it tells of itself', () => {
    const fault = new StakingDataUnavailable();
    const { code, kind, message: meaning } = fault;
    expect(stakingFaults).toEqual([{ code, kind, meaning, remedy: expect.stringMatching(/.+/) }]);
  });
});
