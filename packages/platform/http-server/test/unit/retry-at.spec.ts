import { describe, expect, it } from '@jest/globals';
import { retryAtOf } from '../../src/index.js';

const NOW_MS = 1_792_000_000_400;

describe('retryAtOf', () => {
  it('rounds the time up to a second, so that it is not before the end of Retry-After', () => {
    expect(retryAtOf({ retryAfterSeconds: 60 }, NOW_MS)).toEqual({ retryAt: 1_792_000_061 });
    expect(retryAtOf({ retryAfterSeconds: 0.5 }, NOW_MS)).toEqual({ retryAt: 1_792_000_001 });
  });

  it('returns no field for an error without a known time', () => {
    expect(retryAtOf({ retryAfterSeconds: undefined }, NOW_MS)).toEqual({});
  });
});
