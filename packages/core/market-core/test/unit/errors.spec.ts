import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { DomainError, type DomainErrorClass } from '@sotto/kernel';
import * as errors from '../../src/errors.js';

const isErrorClass = (value: unknown): value is DomainErrorClass =>
  typeof value === 'function' && value.prototype instanceof DomainError;

describe('error catalogue', () => {
  const classes = Object.values<unknown>(errors).filter(isErrorClass);

  it('the error classes have different codes, and each class equals the catalogue entry of its code', () => {
    const codes = classes.map(({ code }) => code);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, kind, meaning, remedy, retry } of classes)
      expect({ ...ERRORS[code], kind, meaning, remedy, retry }).toEqual(ERRORS[code]);
  });

  it.each(classes.map((Class) => [Class.code, Class] as const))(
    'the error class of %s and its instances have the same code, kind and message',
    (_, Class) => {
      const failure = new Class({ details: { reason: 'any' } });
      expect(failure).toMatchObject({
        code: Class.code,
        kind: Class.kind,
        message: Class.meaning,
        details: { reason: 'any' },
      });
      expect(Class.remedy).toMatch(/\.$/);
    },
  );
});
