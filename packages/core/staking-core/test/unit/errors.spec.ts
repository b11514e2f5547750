import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { StakingDataUnavailable } from '@sotto/staking-core';

describe('StakingDataUnavailable', () => {
  it('StakingDataUnavailable has the code, kind and meaning of its entry in the error catalogue', () => {
    const { code, kind, message: meaning } = new StakingDataUnavailable({ retryAfterSeconds: 1 });
    expect(ERRORS[code]).toMatchObject({ kind, meaning, retry: 'same', tellsWhen: true });
  });
});
