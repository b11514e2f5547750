import { describe, expect, it } from '@jest/globals';
import * as facts from '@sotto/facts';
import { ERRORS, NODE_ERRORS, codesOf, isErrorCode, retryOf, type ErrorEntry } from '@sotto/facts';

/** Sections of the catalogue, without the catalogue itself. */
const sections = Object.entries(facts).filter(([name]) => name.endsWith('_ERRORS'));

describe('ERRORS', () => {
  it('contains each entry of its sections, and no code is in two sections', () => {
    const codes = sections.flatMap(([, section]) => Object.keys(section));
    expect(new Set(codes).size).toBe(codes.length);
    expect(Object.keys(ERRORS).toSorted()).toEqual(codes.toSorted());
  });

  it('can be queried by code', () => {
    expect(codesOf(NODE_ERRORS)).toContain('NODE_UNAVAILABLE');
    expect(isErrorCode('NODE_UNAVAILABLE')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(['NODE_UNAVAILABLE', 'FEE_TOO_LOW', 'toString'].map(retryOf)).toEqual([
      'same',
      'new-quote',
      'never',
    ]);
  });

  it('promises a Retry-After only with a status that may carry it', () => {
    const kinds = Object.values(ERRORS)
      .filter((entry: ErrorEntry) => entry.tellsWhen === true)
      .map(({ kind }) => kind);
    expect([...new Set(kinds)].toSorted()).toEqual([
      'conflict',
      'rate_limited',
      'timeout',
      'unavailable',
    ]);
  });
});
