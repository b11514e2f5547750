import { describe, expect, it } from '@jest/globals';
import { publicRevertReason } from '../../src/index.js';

describe('publicRevertReason', () => {
  it('returns at most 200 printable characters', () => {
    const reason = publicRevertReason(`\u2028${'no '.repeat(500)}\n\t`);
    expect(reason).toHaveLength(200);
    expect(reason).toMatch(/^[\x20-\x7e]+$/);
  });

  it.each([
    ['0x4ec7fdb1679450fb', 'unknown root'],
    ['04ec7fdb1679450fb88eae9facc439a4', 'unknown root'],
    ['1234567', 'unknown root'],
  ])('replaces the number %s by #', (number, words) => {
    expect(publicRevertReason(`${words} ${number}, in ${number}`)).toBe(`${words} #, in #`);
  });

  it('does not change a text that it has already cleaned', () => {
    const once = publicRevertReason(`${'0xabc '.repeat(80)}\u0000no`);
    expect(publicRevertReason(once)).toBe(once);
  });
});
