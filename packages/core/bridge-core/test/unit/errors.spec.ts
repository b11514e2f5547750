import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Fault, type CataloguedFault } from '@sotto/kernel';
import * as errors from '../../src/errors.js';

const src = new URL('../../src/', import.meta.url);
const isFaultClass = (value: unknown): value is CataloguedFault =>
  typeof value === 'function' && value.prototype instanceof Fault;

describe('the catalogue of faults', () => {
  const classes = Object.values<unknown>(errors).filter(isFaultClass);

  it('lists every class of errors.ts, and one code once', () => {
    const listed = errors.bridgeFaults.map(({ code, kind }) => `${code} ${kind}`);
    expect(listed.toSorted()).toEqual(
      classes.map(({ code, kind }) => `${code} ${kind}`).toSorted(),
    );
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('has no fault beside those of errors.ts', () => {
    const elsewhere = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'errors.ts' && !file.startsWith('testing'))
      .filter((file) => /extends\s+\w*Fault\b/.test(readFileSync(new URL(file, src), 'utf8')));
    expect(elsewhere).toEqual([]);
  });

  it.each(classes.map((Class) => [Class.code, Class] as const))(
    'describes %s as its instances are',
    (_, Class) => {
      const fault = new Class({ details: { reason: 'any' } });
      expect(fault).toMatchObject({
        code: Class.code,
        kind: Class.kind,
        message: Class.meaning,
        details: { reason: 'any' },
      });
      expect(Class.remedy).toMatch(/\.$/);
    },
  );
});
