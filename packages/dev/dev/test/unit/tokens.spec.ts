import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevError } from '../../src/dev-error.js';
import { tokensOf } from '../../src/stack/tokens.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-tokens-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('tokensOf', () => {
  it('generates long, distinct bearer tokens if the caller provides none', () => {
    const [one, other] = [tokensOf({}), tokensOf({ CURATOR_API_TOKEN: '' })];
    for (const { value, isGiven } of [one.curator, one.operator, other.curator, other.operator])
      expect({ value, isGiven }).toEqual({
        value: expect.stringMatching(/^[0-9a-f]{64}$/),
        isGiven: false,
      });
    const values = [one.curator, one.operator, other.curator, other.operator].map(
      ({ value }) => value,
    );
    expect(new Set(values).size).toBe(4);
  });

  it('uses the caller’s bearer token from a single token, a list of tokens or a file', () => {
    const file = join(folder, 'operator');
    writeFileSync(file, 'of-a-file\n');
    expect(
      tokensOf({ CURATOR_API_TOKEN: 'mine', OPERATOR_API_TOKENS: '{"a":"first","b":"second"}' }),
    ).toEqual({
      curator: { value: 'mine', isGiven: true },
      operator: { value: 'first', isGiven: true },
    });
    expect(tokensOf({ OPERATOR_API_TOKEN_FILE: file }).operator).toEqual({
      value: 'of-a-file',
      isGiven: true,
    });
  });

  it('rejects an invalid bearer token without quoting it', () => {
    expect(() => tokensOf({ CURATOR_API_TOKEN: 'no token' })).toThrow(DevError);
    expect(() => tokensOf({ CURATOR_API_TOKEN: 'no token' })).toThrow(/^CURATOR_API_TOKEN: must/);
    expect(() => tokensOf({ CURATOR_API_TOKEN: 'no token' })).not.toThrow(/no token/);
    expect(() => tokensOf({ OPERATOR_API_TOKEN_FILE: join(folder, 'none') })).toThrow(
      /^OPERATOR_API_TOKEN_FILE: cannot be read/,
    );
  });
});
