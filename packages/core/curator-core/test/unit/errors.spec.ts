import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { DomainError, type DomainErrorClass } from '@sotto/kernel';
import * as errors from '../../src/errors.js';

const isErrorClass = (value: unknown): value is DomainErrorClass =>
  typeof value === 'function' && value.prototype instanceof DomainError;

describe('error catalogue', () => {
  const classes = Object.values<unknown>(errors).filter(isErrorClass);

  it('the error catalogue has one error class for each code', () => {
    const codes = classes.map(({ code }) => code);
    expect(codes).toHaveLength(6);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, kind, meaning, remedy, retry } of classes)
      expect({ kind, meaning, remedy, retry }).toEqual(ERRORS[code]);
  });

  it.each(classes.map((Class) => [Class.code, Class] as const))(
    'the class and the instances of the error %s have the same code, kind and message',
    (code, Class) => {
      expect(new Class({ details: { reason: 'any' } })).toMatchObject({
        code,
        kind: Class.kind,
        message: Class.meaning,
        details: { reason: 'any' },
      });
      expect(Class.remedy).toMatch(/\.$/);
    },
  );
});
