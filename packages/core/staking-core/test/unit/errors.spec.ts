import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { StakingDataUnavailable } from '@sotto/staking-core';

describe('StakingDataUnavailable', () => {
  it('has code, kind and meaning of its entry', () => {
    const { code, kind, message: meaning } = new StakingDataUnavailable({ retryAfterSeconds: 1 });
    expect(ERRORS[code]).toMatchObject({ kind, meaning, retry: 'same', tellsWhen: true });
  });
});
