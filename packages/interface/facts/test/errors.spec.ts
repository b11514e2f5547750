import { describe, expect, it } from '@jest/globals';
import * as facts from '@sotto/facts';
import { ERRORS, NODE_ERRORS, codesOf, isErrorCode, retryOf, type ErrorEntry } from '@sotto/facts';

/** Exported sections of the catalogue, without the merged catalogue. */
const sections = Object.entries(facts).filter(([name]) => name.endsWith('_ERRORS'));

describe('ERRORS', () => {
  it('each error code is in only one section of the catalogue ERRORS', () => {
    const codes = sections.flatMap(([, section]) => Object.keys(section));
    expect(new Set(codes).size).toBe(codes.length);
    expect(Object.keys(ERRORS).toSorted()).toEqual(codes.toSorted());
  });

  it('the error catalogue returns the codes of a section, and the retry advice of a code', () => {
    expect(codesOf(NODE_ERRORS)).toContain('NODE_UNAVAILABLE');
    expect(isErrorCode('NODE_UNAVAILABLE')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(['NODE_UNAVAILABLE', 'FEE_TOO_LOW', 'toString'].map(retryOf)).toEqual([
      'same',
      'new-quote',
      'never',
    ]);
  });

  it('the error catalogue declares Retry-After only for errors whose HTTP status allows this header', () => {
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
