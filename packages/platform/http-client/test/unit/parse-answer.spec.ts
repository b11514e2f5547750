import { describe, expect, it } from '@jest/globals';
import { parseAnswer, parseJson, type AnswerSchema } from '@sotto/http-client';

/** A schema that parses a text at `shop.name` to its length. */
const schema: AnswerSchema<number> = {
  safeParse: (value) =>
    typeof value === 'string'
      ? { success: true, data: value.length }
      : { success: false, error: { issues: [{ path: ['shop', 0, 'name'] }, { path: ['later'] }] } },
};

describe('parseJson', () => {
  it('reads JSON, and returns undefined for other text', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
    for (const text of ['', '<html>', '{"a":']) expect(parseJson(text)).toBeUndefined();
  });
});

describe('parseAnswer', () => {
  it('returns the result of the schema', () => {
    expect(parseAnswer(schema, 'four', () => new Error('unused'))).toBe(4);
  });

  it('throws the error created for the path of the first invalid value', () => {
    expect(() => parseAnswer(schema, 4, (at) => new RangeError(`wrong at ${at}`))).toThrow(
      new RangeError('wrong at shop.0.name'),
    );
  });

  it('passes an empty path if the whole response is invalid', () => {
    const nothing: AnswerSchema<never> = {
      safeParse: () => ({ success: false, error: { issues: [{ path: [] }] } }),
    };
    expect(() => parseAnswer(nothing, 4, (at) => new Error(`<${at}>`))).toThrow('<>');
  });
});
