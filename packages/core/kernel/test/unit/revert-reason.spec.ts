import { describe, expect, it } from '@jest/globals';
import { publicRevertReason } from '../../src/index.js';

describe('publicRevertReason', () => {
  it('a public revert reason has at most 200 characters, and all of them are printable', () => {
    const reason = publicRevertReason(`\u2028${'no '.repeat(500)}\n\t`);
    expect(reason).toHaveLength(200);
    expect(reason).toMatch(/^[\x20-\x7e]+$/);
  });

  it.each([
    ['0x4ec7fdb1679450fb', 'unknown root'],
    ['04ec7fdb1679450fb88eae9facc439a4', 'unknown root'],
    ['1234567', 'unknown root'],
  ])('a public revert reason contains # instead of the number %s', (number, words) => {
    expect(publicRevertReason(`${words} ${number}, in ${number}`)).toBe(`${words} #, in #`);
  });

  it('does not change a revert reason that was already cleaned', () => {
    const once = publicRevertReason(`${'0xabc '.repeat(80)}\u0000no`);
    expect(publicRevertReason(once)).toBe(once);
  });
});
