import { describe, expect, it } from '@jest/globals';
import { requestsEqual, requestsSame, type Requested } from '../../src/index.js';

const requested = (effect: string, fingerprint = effect): Requested => ({ effect, fingerprint });

describe('two fingerprints', () => {
  it.each([
    [requested('effect', 'detail'), requested('effect', 'detail'), true, true],
    [requested('effect', 'detail'), requested('effect', 'other'), false, true],
    [requested('effect', 'detail'), requested('other', 'else'), false, false],
    [requested('whole'), requested('whole'), true, true],
    [requested('whole'), requested('other'), false, false],
    [requested('detail'), requested('effect', 'detail'), true, true],
    [requested('older'), requested('effect', 'detail'), false, false],
    [requested('effect'), requested('other', 'effect'), true, true],
  ])(
    'comparison of the fingerprints %o and %o: equality is %p, and equality of effects is %p',
    (a, b, equal, same) => {
      expect([requestsEqual(a, b), requestsEqual(b, a)]).toEqual([equal, equal]);
      expect([requestsSame(a, b), requestsSame(b, a)]).toEqual([same, same]);
    },
  );
});
