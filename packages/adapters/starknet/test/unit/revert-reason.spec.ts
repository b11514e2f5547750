import { describe, expect, it } from '@jest/globals';
import { revertReason } from '../../src/revert-reason.js';

const UNREADABLE = 'the contract reverts without a readable reason';
const frame = (error: unknown): unknown => ({
  contract_address: '0x1',
  class_hash: '0x2',
  selector: '0x3',
  error,
});

const trace = (...lines: readonly string[]): string =>
  ['Transaction execution has failed:', ...lines].join('\n');

describe('revertReason', () => {
  it.each([
    ['text', { revert_error: 'unknown root' }, 'unknown root'],
    [
      'a felt with its text',
      { revert_error: "0x756e6b6e6f776e20726f6f74 ('unknown root')" },
      'unknown root',
    ],
    [
      'a felt alone',
      { revert_error: 'Execution failed. Failure reason: 0x756e6b6e6f776e20726f6f74.' },
      'unknown root',
    ],
    [
      'a long panic',
      {
        revert_error:
          'Execution failed. Failure reason: "SwapPool: no output received at all, sorry".',
      },
      'SwapPool: no output received at all, sorry',
    ],
    [
      'a message of Cairo 0',
      trace(
        '0: Error in the called contract (contract address: 0x1234, class hash: 0x5678, selector: 0x9abc):',
        'Error at pc=0:4288:',
        'Cairo traceback (most recent call last):',
        'Unknown location (pc=0:67)',
        'Error message: SafeUint256: subtraction overflow',
        'Error at pc=0:1104:',
        'An ASSERT_EQ instruction failed: 1 != 0.',
      ),
      'SafeUint256: subtraction overflow',
    ],
    [
      'frames',
      { revert_error: frame(frame(frame('0x696e76616c69642070726f6f66'))) },
      'invalid proof',
    ],
    [
      'a panic among the words of its frames',
      {
        revert_error:
          "(0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED'), 0x706175736564 ('paused'))",
      },
      'paused',
    ],
    [
      'felts of frames before the reason',
      { revert_error: '(0x454e545259504f494e545f4641494c4544, 0x706175736564)' },
      'paused',
    ],
    [
      'addresses before the reason',
      { revert_error: `Error at 0x0${'4'.repeat(63)}: 0x706175736564` },
      'paused',
    ],
    ['a list of quoted felts', { revert_error: frame('["0x4e6f74206f776e6572"]') }, 'Not owner'],
    [
      'quoted felts of frames before the reason',
      { revert_error: frame('["0x454e545259504f494e545f4641494c4544", "0x706175736564"]') },
      'paused',
    ],
    ['quoted felts that are no text', { revert_error: frame('["0x1", "0x2"]') }, '["#", "#"]'],
    ['text that holds no felt', { revert_error: ' Out of gas ' }, 'Out of gas'],
    ['text without the object around it', 'paused', 'paused'],
    ['nothing', undefined, UNREADABLE],
    ['an empty text', { revert_error: '' }, UNREADABLE],
    ['a number', { revert_error: 7 }, UNREADABLE],
    ['frames without a text', { revert_error: frame(frame({})) }, UNREADABLE],
  ])('revertReason reads the revert reason from %s', (_what, data, reason) => {
    expect(revertReason(data)).toBe(reason);
  });

  it('revertReason stops reading at the maximum depth of nested frames', () => {
    let nested: unknown = 'too deep';
    for (let depth = 0; depth < 5_000; depth += 1) nested = frame(nested);
    expect(revertReason({ revert_error: nested })).toBe(UNREADABLE);
  });

  it('revertReason truncates a long reason and removes unprintable characters', () => {
    expect(revertReason({ revert_error: 'x'.repeat(100_000) })).toHaveLength(200);
    expect(revertReason({ revert_error: 'a\0b' })).toBe('a b');
    expect(revertReason({ revert_error: '\u202e\0' })).toBe(UNREADABLE);
  });

  describe('traces of nodes', () => {
    const RECIPIENT = '0x4d41524b45522d726563697069656e74';
    const CLASS = '0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564';
    const at = (depth: number): string =>
      `${depth}: Error in the called contract (contract address: ${RECIPIENT}, class hash: ${CLASS}, selector: 0x15511cc3694f64379908437d6d64458dc76d02482052bfb8a5b33a72c054c77):`;
    const vmTrace = [
      'Error at pc=0:4835:',
      'Cairo traceback (most recent call last):',
      'Unknown location (pc=0:67)',
      '',
    ];
    const MULTICALL =
      "0x617267656e742f6d756c746963616c6c2d6661696c6564 ('argent/multicall-failed')";
    const FAILED = "0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED')";

    it.each([
      [
        'a panic inside an account inside a virtual machine',
        trace(
          at(0),
          ...vmTrace,
          at(1),
          ...vmTrace,
          at(2),
          "Execution failed. Failure reason: 0x756e6b6e6f776e20726f6f74 ('unknown root').",
        ),
        'unknown root',
      ],
      [
        'a panic that its callers add words to',
        trace(
          at(0),
          'Execution failed. Failure reason:',
          `(${MULTICALL}, 0x0, 0x66656520746f6f2068696768 ('fee too high'), ${FAILED}, ${FAILED}).`,
        ),
        'fee too high',
      ],
      [
        'a panic without any text beside its felts',
        trace(
          at(0),
          'Execution failed. Failure reason: (0x617267656e742f6d756c746963616c6c2d6661696c6564, 0x0, 0x706175736564).',
        ),
        'paused',
      ],
      [
        'a long panic that names addresses and amounts',
        trace(
          at(0),
          `Execution failed. Failure reason: "no room for ${RECIPIENT} in 123456789 of 0XABCDEF, really".`,
        ),
        'no room for # in # of #, really',
      ],
      [
        'a panic of felts that are no text',
        trace(
          at(0),
          `Execution failed. Failure reason: (0x1, 0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33).`,
        ),
        'Execution failed. Failure reason: (#, #).',
      ],
      [
        'gas that ran out',
        trace(
          at(0),
          ...vmTrace,
          at(1),
          ...vmTrace,
          'Could not reach the end of the program. Out of gas\n',
        ),
        'Could not reach the end of the program. Out of gas',
      ],
      [
        'bounds that do not suffice',
        'Insufficient max L2Gas: max amount: 1200000000, actual used: 34567890.',
        'Insufficient max L2Gas: max amount: #, actual used: #.',
      ],
      [
        'places alone',
        trace(at(0)),
        '0: Error in the called contract (contract address: #, class hash: #, selector: #):',
      ],
    ])('revertReason extracts the reason from a trace with %s', (_what, text, reason) => {
      for (const data of [text, { revert_error: text }, { revert_error: frame(frame(text)) }])
        expect(revertReason(data)).toBe(reason);
    });

    it('finds the revert reason behind any number of outer frames', () => {
      const text = trace(
        ...Array.from({ length: 200 }, (_, depth) => at(depth)),
        "0x706175736564 ('paused')",
      );
      expect(text.length).toBeGreaterThan(20_000);
      expect(revertReason(text)).toBe('paused');
    });

    it('the revert reason contains no felt of a call, wherever the felt occurs in the trace', () => {
      const secret = 'MARKER-recipient';
      const decimal = BigInt(RECIPIENT).toString();
      for (const line of [
        at(3),
        `selector: ${RECIPIENT}`,
        `value ${decimal}`,
        `(${decimal}, ${RECIPIENT.slice(2)})`,
        `"to ${RECIPIENT}"`,
      ]) {
        const reason = revertReason(trace(at(0), line));
        expect(reason).not.toContain(secret);
        expect(reason).not.toContain(RECIPIENT.slice(2));
        expect(reason).not.toContain(decimal);
      }
    });
  });
});
