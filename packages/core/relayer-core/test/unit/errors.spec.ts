import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ProofLayoutInvalid } from '@sotto/groth16/layout';
import { Fault, type CataloguedFault } from '@sotto/kernel';
import * as deposits from '../../src/deposit-errors.js';
import * as errors from '../../src/errors.js';

const src = new URL('../../src/', import.meta.url);
const isFaultClass = (value: unknown): value is CataloguedFault =>
  typeof value === 'function' && value.prototype instanceof Fault;

describe('the catalogue of faults', () => {
  const classes = [...Object.values<unknown>(errors), ...Object.values<unknown>(deposits)].filter(
    isFaultClass,
  );

  it('lists every class of its files, and one code once', () => {
    const listed = errors.relayerFaults.map(({ code, kind }) => `${code} ${kind}`);
    expect(listed).toEqual(
      expect.arrayContaining(classes.map(({ code, kind }) => `${code} ${kind}`)),
    );
    expect(listed).toHaveLength(classes.length + 1);
    const codes = errors.relayerFaults.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has no fault beside those of its files', () => {
    const elsewhere = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !file.endsWith('errors.ts') && !file.startsWith('testing'),
      )
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
      expect(fault.name).toBe(Class.name);
      expect(Class.remedy).toMatch(/\.$/);
    },
  );

  it('describes the layout reader’s fault as that throws it', () => {
    const { code, kind } = new ProofLayoutInvalid('any');
    expect(errors.relayerFaults).toContainEqual(expect.objectContaining({ code, kind }));
  });
});
