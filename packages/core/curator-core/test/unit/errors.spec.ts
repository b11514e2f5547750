import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import * as errors from '../../src/errors.js';

const isErrorClass = (value: unknown): value is typeof errors.VaultNotFound =>
  typeof value === 'function' && value.prototype instanceof DomainError;

describe('the catalogue of errors', () => {
  const classes = Object.values<unknown>(errors).filter(isErrorClass);

  it('lists every class of errors.ts, and one code once', () => {
    const codes = errors.curatorErrors.map(({ code }) => code);
    expect(codes.toSorted()).toEqual(classes.map(({ code }) => code).toSorted());
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each(classes.map((Class) => [Class.code, Class] as const))(
    'describes %s as its instances are',
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
