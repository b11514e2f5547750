import { describe, expect, it } from '@jest/globals';
import { toFelt, unguessableId } from '@sotto/kernel';
import { submissionIdOf, trackingIdOf } from '../../src/http/paymaster/tracking-id.js';

describe('tracking ids', () => {
  it('a tracking id is converted back to the id of its submission', () => {
    for (let round = 0; round < 200; round += 1) {
      const id = unguessableId();
      expect(submissionIdOf(trackingIdOf(id))).toBe(id);
    }
  });

  it.each([
    ['AAAAAAAAAAAAAAAAAAAAAA', '0x0'],
    ['AAAAAAAAAAAAAAAAAAAAAQ', '0x1'],
    ['_____________________w', `0x${'f'.repeat(32)}`],
  ])('the tracking id of %s is the number with the same bits', (id, trackingId) => {
    expect(trackingIdOf(id)).toBe(trackingId);
    expect(submissionIdOf(toFelt(trackingId))).toBe(id);
  });

  it.each([
    '',
    'AAAA',
    'AAAAAAAAAAAAAAAAAAAAAB',
    'AAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAA+',
  ])('an id that does not encode 128 bits has no tracking id: %p', (id) => {
    expect(() => trackingIdOf(id)).toThrow('128 bits');
  });

  it('a number above 128 bits is no tracking id', () => {
    expect(submissionIdOf(toFelt(2n ** 128n))).toBeNull();
    expect(submissionIdOf(toFelt(2n ** 251n))).toBeNull();
  });
});
