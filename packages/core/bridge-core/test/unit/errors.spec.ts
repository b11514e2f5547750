import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { DomainError, type DomainErrorClass } from '@sotto/kernel';
import * as errors from '../../src/errors.js';

const src = new URL('../../src/', import.meta.url);
const isErrorClass = (value: unknown): value is DomainErrorClass =>
  typeof value === 'function' && value.prototype instanceof DomainError;

describe('error catalogue', () => {
  const classes = Object.values<unknown>(errors).filter(isErrorClass);

  it('the error catalogue has one error class for each code', () => {
    const codes = classes.map(({ code }) => code);
    expect(codes).toHaveLength(11);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, kind, meaning, remedy, retry } of classes)
      expect({ kind, meaning, remedy, retry }).toEqual(ERRORS[code]);
  });

  it('no class of a domain error is declared outside of errors.ts', () => {
    const elsewhere = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'errors.ts' && !file.startsWith('testing'))
      .filter((file) =>
        /extends\s+\w*DomainError\b/.test(readFileSync(new URL(file, src), 'utf8')),
      );
    expect(elsewhere).toEqual([]);
  });

  it.each(classes.map((Class) => [Class.code, Class] as const))(
    'the class and the instances of the error %s have the same code, kind and message',
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
