import { describe, expect, it } from '@jest/globals';
import { StakingDataUnavailable, stakingErrors } from '@sotto/staking-core';

describe('stakingErrors', () => {
  it('list every error with its own code, kind and meaning', () => {
    const failure = new StakingDataUnavailable();
    const { code, kind, message: meaning } = failure;
    expect(stakingErrors).toEqual([{ code, kind, meaning, remedy: expect.stringMatching(/.+/) }]);
  });
});
