import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { decodeExecute, namesOf } from '../../src/execute-calls.js';
import { executeJson } from '../../src/invoke-transaction.js';
import { selectorOf } from '../../src/selectors.js';

const NAMES = namesOf(['withdraw']);
const WITHDRAW = selectorOf('withdraw');
const OTHER = selectorOf('something_else');
const hex = (...values: readonly (string | number)[]): string[] =>
  values.map((value) => (typeof value === 'string' ? value : `0x${value.toString(16)}`));

describe('decodeExecute', () => {
  it('decodeExecute decodes calldata that the account signer has encoded', () => {
    const target = { to: toFelt('0x7a11'), entrypoint: 'withdraw' };
    const calldata = Felts.of([1n, 2n, 3n]);
    const calls = decodeExecute(
      JSON.parse(new TextDecoder().decode(executeJson(target, calldata).bytes)),
      NAMES,
    );
    expect(calls).toEqual([{ target, calldata }]);
    expect(calls?.[0]?.calldata.toHex()).toEqual(['0x1', '0x2', '0x3']);
  });

  it('decodeExecute decodes several calls, and returns the selector for an unknown entry point', () => {
    const calls = decodeExecute(hex(2, 0xa, OTHER, 0, '0x000B', WITHDRAW, 2, 7, '0x08'), NAMES);
    expect(
      calls?.map(({ target, calldata }) => [target.to, target.entrypoint, calldata.toHex()]),
    ).toEqual([
      ['0xa', OTHER, []],
      ['0xb', 'withdraw', ['0x7', '0x8']],
    ]);
  });

  it('decodeExecute decodes a no-op as an empty list of calls', () => {
    expect(decodeExecute(['0x0'], NAMES)).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['a call that is missing', hex(1)],
    ['a call that ends early', hex(1, 0xa, WITHDRAW)],
    ['calldata that ends early', hex(1, 0xa, WITHDRAW, 2, 7)],
    ['a length without end', hex(1, 0xa, WITHDRAW, `0x${'f'.repeat(62)}`)],
    ['a number of calls without end', hex(`0x${'f'.repeat(62)}`, 0xa, WITHDRAW, 0)],
    ['more than the calls', hex(1, 0xa, WITHDRAW, 0, 1)],
    ['more than no calls', hex(0, 0)],
    ['the layout of Cairo 0', hex(1, 0xa, WITHDRAW, 0, 2, 2, 7, 8)],
    ['a value outside the field', ['0x1', '0xa', WITHDRAW, '0x1', `0x${'f'.repeat(64)}`]],
    ['no felt', ['one']],
  ])('decodeExecute returns null for %s', (_what, calldata) => {
    expect(decodeExecute(calldata, NAMES)).toBeNull();
  });
});
