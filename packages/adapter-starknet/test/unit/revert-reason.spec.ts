import { describe, expect, it } from '@jest/globals';
import { revertReason } from '../../src/revert-reason.js';

const UNREADABLE = 'the contract reverts without a readable reason';
const frame = (error: unknown): unknown => ({ contract_address: '0x1', class_hash: '0x2', selector: '0x3', error });

describe('revertReason', () => {
  it.each([
    ['text', { revert_error: 'unknown root' }, 'unknown root'],
    ['a felt with its text', { revert_error: "0x756e6b6e6f776e20726f6f74 ('unknown root')" }, 'unknown root'],
    ['a felt alone', { revert_error: 'Execution failed. Failure reason: 0x756e6b6e6f776e20726f6f74.' }, 'unknown root'],
    [
      'a long panic',
      { revert_error: 'Execution failed. Failure reason: "SwapPool: no output received at all, sorry".' },
      'SwapPool: no output received at all, sorry',
    ],
    ['frames', { revert_error: frame(frame(frame('0x696e76616c69642070726f6f66'))) }, 'invalid proof'],
    [
      'a panic among the words of its frames',
      { revert_error: "(0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED'), 0x706175736564 ('paused'))" },
      'paused',
    ],
    ['felts of frames before the reason', { revert_error: '(0x454e545259504f494e545f4641494c4544, 0x706175736564)' }, 'paused'],
    ['addresses before the reason', { revert_error: `Error at 0x0${'4'.repeat(63)}: 0x706175736564` }, 'paused'],
    ['text that holds no felt', { revert_error: ' Out of gas ' }, 'Out of gas'],
    ['text without the object around it', 'paused', 'paused'],
    ['nothing', undefined, UNREADABLE],
    ['an empty text', { revert_error: '' }, UNREADABLE],
    ['a number', { revert_error: 7 }, UNREADABLE],
    ['frames without a text', { revert_error: frame(frame({})) }, UNREADABLE],
  ])('reads %s', (_what, data, reason) => {
    expect(revertReason(data)).toBe(reason);
  });

  it('gives up on frames without an end', () => {
    let nested: unknown = 'too deep';
    for (let depth = 0; depth < 5_000; depth += 1) nested = frame(nested);
    expect(revertReason({ revert_error: nested })).toBe(UNREADABLE);
  });

  it('cuts what is too long and takes out what stores refuse', () => {
    expect(revertReason({ revert_error: 'x'.repeat(100_000) })).toHaveLength(2_000);
    expect(revertReason({ revert_error: 'a\0b' })).toBe('ab');
  });
});
