import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ProofLayoutInvalid } from '@sotto/groth16/layout';
import { DomainError, type CataloguedError } from '@sotto/kernel';
import * as deposits from '../../src/deposit-errors.js';
import * as errors from '../../src/errors.js';

const src = new URL('../../src/', import.meta.url);
const isErrorClass = (value: unknown): value is CataloguedError =>
  typeof value === 'function' && value.prototype instanceof DomainError;

describe('the catalogue of errors', () => {
  const classes = [...Object.values<unknown>(errors), ...Object.values<unknown>(deposits)].filter(
    isErrorClass,
  );

  it('lists every class of its files, and one code once', () => {
    const listed = errors.relayerErrors.map(({ code, kind }) => `${code} ${kind}`);
    expect(listed).toEqual(
      expect.arrayContaining(classes.map(({ code, kind }) => `${code} ${kind}`)),
    );
    expect(listed).toHaveLength(classes.length + 1);
    const codes = errors.relayerErrors.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has not a domain error beside those of its files', () => {
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
    'describes %s as its instances are',
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

  it('describes the layout reader’s error as that throws it', () => {
    const { code, kind } = new ProofLayoutInvalid('any');
    expect(errors.relayerErrors).toContainEqual(expect.objectContaining({ code, kind }));
  });
});
