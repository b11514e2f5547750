import { describe, expect, it } from '@jest/globals';
import { parseAnswer, parseJson, type AnswerSchema } from '@sotto/http-client';

/** A schema for objects: it parses the text at `shop.name` to the text's length. */
const schema: AnswerSchema<number> = {
  safeParse: (value) =>
    typeof value === 'string'
      ? { success: true, data: value.length }
      : { success: false, error: { issues: [{ path: ['shop', 0, 'name'] }, { path: ['later'] }] } },
};

describe('parseJson', () => {
  it('parseJson returns the value of a JSON text, and undefined for any other text', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
    for (const text of ['', '<html>', '{"a":']) expect(parseJson(text)).toBeUndefined();
  });
});

describe('parseAnswer', () => {
  it('parseAnswer returns the value that the schema parsed', () => {
    expect(parseAnswer(schema, 'four', () => new Error('unused'))).toBe(4);
  });

  it('parseAnswer throws the error that its caller creates from the path of the first invalid value', () => {
    expect(() => parseAnswer(schema, 4, (at) => new RangeError(`wrong at ${at}`))).toThrow(
      new RangeError('wrong at shop.0.name'),
    );
  });

  it('parseAnswer passes an empty path to the caller’s error if the whole response is invalid', () => {
    const nothing: AnswerSchema<never> = {
      safeParse: () => ({ success: false, error: { issues: [{ path: [] }] } }),
    };
    expect(() => parseAnswer(nothing, 4, (at) => new Error(`<${at}>`))).toThrow('<>');
  });
});
