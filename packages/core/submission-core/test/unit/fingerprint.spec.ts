import { describe, expect, it } from '@jest/globals';
import { asksForEqual, asksForSame } from '../../src/index.js';

describe('two fingerprints', () => {
  it.each([
    ['effect.detail', 'effect.detail', true, true],
    ['effect.detail', 'effect.other', false, true],
    ['effect.detail', 'other.else', false, false],
    ['whole', 'whole', true, true],
    ['whole', 'other', false, false],
    ['detail', 'effect.detail', true, true],
    ['older', 'effect.detail', false, false],
    ['effect', 'other.effect', true, true],
  ])('%s and %s: equal %p, same effect %p', (a, b, equal, same) => {
    expect([asksForEqual(a, b), asksForEqual(b, a)]).toEqual([equal, equal]);
    expect([asksForSame(a, b), asksForSame(b, a)]).toEqual([same, same]);
  });
});
