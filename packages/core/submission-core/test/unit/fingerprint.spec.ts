import { describe, expect, it } from '@jest/globals';
import { asksForEqual, asksForSame, type Asked } from '../../src/index.js';

const asked = (effect: string, fingerprint = effect): Asked => ({ effect, fingerprint });

describe('two fingerprints', () => {
  it.each([
    [asked('effect', 'detail'), asked('effect', 'detail'), true, true],
    [asked('effect', 'detail'), asked('effect', 'other'), false, true],
    [asked('effect', 'detail'), asked('other', 'else'), false, false],
    [asked('whole'), asked('whole'), true, true],
    [asked('whole'), asked('other'), false, false],
    [asked('detail'), asked('effect', 'detail'), true, true],
    [asked('older'), asked('effect', 'detail'), false, false],
    [asked('effect'), asked('other', 'effect'), true, true],
  ])('%o and %o: equality is %p, and equality of effects is %p', (a, b, equal, same) => {
    expect([asksForEqual(a, b), asksForEqual(b, a)]).toEqual([equal, equal]);
    expect([asksForSame(a, b), asksForSame(b, a)]).toEqual([same, same]);
  });
});
