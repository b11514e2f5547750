import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { DomainError, type DomainErrorClass, type DomainErrorOptions } from '@sotto/kernel';
import * as deposits from '../../src/deposit-errors.js';
import * as errors from '../../src/errors.js';

/** Class of a domain error, with any options of its constructor. */
type ErrorClass = Omit<DomainErrorClass, 'new'> &
  (new (options: DomainErrorOptions) => DomainError);

const src = new URL('../../src/', import.meta.url);
const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof DomainError;

describe('the catalogue of errors', () => {
  const classes = [...Object.values<unknown>(errors), ...Object.values<unknown>(deposits)].filter(
    isErrorClass,
  );

  it('the error catalogue has one entry per class, and each class has a unique code', () => {
    const codes = classes.map(({ code }) => code);
    expect(codes.length).toBeGreaterThan(50);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, kind, meaning, remedy, retry } of classes)
      expect({ ...ERRORS[code], kind, meaning, remedy, retry }).toEqual(ERRORS[code]);
  });

  it('no domain error is defined outside the errors files', () => {
    const elsewhere = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !file.endsWith('errors.ts') && !file.startsWith('testing'),
      )
      .filter((file) =>
        /extends\s+\w*DomainError\b/.test(readFileSync(new URL(file, src), 'utf8')),
      );
    expect(elsewhere).toEqual([]);
  });

  it.each(classes.map((Class) => [Class.code, Class] as const))(
    'the class of the error %s has the same code, kind and message as its instances',
    (_, Class) => {
      const failure = new Class({ details: { reason: 'any' } });
      expect(failure).toMatchObject({
        code: Class.code,
        kind: Class.kind,
        message: Class.meaning,
        details: { reason: 'any' },
      });
      expect(failure.name).toBe(Class.name);
      expect(Class.remedy).toMatch(/\.$/);
    },
  );
});
