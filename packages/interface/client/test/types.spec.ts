import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const TIMEOUT_MS = 60_000;

/**
 * Source that compiles only if the definitions and the built package describe the same requests and
 * replies for each operation.
 */
const COMPARISON = `
import type { operations as Built } from '../../dist/index.js';
import type { operations as Source } from '../../src/index.js';

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : undefined;
type AnswerOf<O> = O extends { responses: { 200: { content: { 'application/json': infer B } } } } ? B : undefined;
type PartOf<O, Key extends string> = O extends { parameters: { [K in Key]?: infer P } } ? P : undefined;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Differences<A extends object, B extends object> = {
  [Id in keyof A & keyof B]: Extract<
    | (Same<BodyOf<A[Id]>, BodyOf<B[Id]>> extends true ? never : 'body')
    | (Same<AnswerOf<A[Id]>, AnswerOf<B[Id]>> extends true ? never : 'answer')
    | (Same<PartOf<A[Id], 'query'>, PartOf<B[Id], 'query'>> extends true ? never : 'query')
    | (Same<PartOf<A[Id], 'path'>, PartOf<B[Id], 'path'>> extends true ? never : 'path')
    | (Same<PartOf<A[Id], 'header'>, PartOf<B[Id], 'header'>> extends true ? never : 'header'),
    string
  >;
}[keyof A & keyof B];

/** The document has no names for the keys of a record: those of the audit's findings. */
type Known = Omit<Source, 'getOperatorStatus'>;
type Of<Id extends keyof Source> = Pick<Source, Id>;

export const names: Same<keyof Built, keyof Source> = true;
export const differences: [Differences<Built, Known>] extends [never] ? true : false = true;
export const audit: Source['getOperatorStatus']['responses'][200] extends Built['getOperatorStatus']['responses'][200] ? true : false = true;
export const seen: Differences<{ a: Of<'getPoolStatus'>['getPoolStatus'] }, { a: Of<'submitWithdrawal'>['submitWithdrawal'] }> = 'answer';
// @ts-expect-error the two have different bodies, so the comparison can fail
export const planted: [Differences<{ a: Of<'getPoolStatus'>['getPoolStatus'] }, { a: Of<'submitWithdrawal'>['submitWithdrawal'] }>] extends [never] ? true : false = true;
`;

/** Source that compiles only if failures of the built package have the codes of the catalogue. */
const CODES = `
import { createSottoClient, isSottoError, type ErrorCode, type SottoError } from '../../dist/index.js';

export async function ask(): Promise<string> {
  const client = createSottoClient({ baseUrl: 'https://relayer.example' });
  const { error } = await client.POST('/api/relayer/withdraw', { body: { poolAddress: '0x1', calldata: ['0x1'] } });
  if (error === undefined) return '';
  // @ts-expect-error misspelt
  if (error.code === 'FEE_TO_LOW') return '';
  if (error.code === 'ROOT_UNKNOWN') return error.retry;
  return isSottoError(error, 'FEE_TOO_LOW') ? error.details.required : error.error;
}

export function remedyOf(error: SottoError): string {
  switch (error.code) {
    case 'FEE_TOO_LOW':
      return error.details.required;
    case 'NULLIFIER_SPENT':
      return error.details?.transactionHash ?? 'spent';
    // @ts-expect-error misspelt
    case 'FEE_TO_HIGH':
      return 'never';
    default:
      return error.retry;
  }
}

export function exhaustive(code: Extract<ErrorCode, 'FEE_TOO_LOW' | object>): string {
  switch (code) {
    case 'FEE_TOO_LOW':
      return code;
    default: {
      // @ts-expect-error codes of a newer service are left
      const left: never = code;
      return left;
    }
  }
}
`;

/** Example from the README. The test declares the names that a wallet would supply. */
const [, IMPORTED = '', EXAMPLE = ''] =
  /```ts\n(import .*?;)\n(.*?)```/s.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8')) ?? [];
const README = `
${IMPORTED.replace('@sotto/client', '../../dist/index.js')}
declare const poolAddress: string;
declare const calldata: string[];
declare const quoteId: string;
declare function proveAgain(terms: { fee: string }): string;
export async function withdraw(): Promise<string | undefined> {
${EXAMPLE}
  return undefined;
}
`;

describe('the types of the definitions', () => {
  let folder = '';
  // The folder is inside this package so that it can resolve the package's dependencies.
  beforeAll(() => {
    folder = mkdtempSync(join(PACKAGE, 'node_modules/.types-'));
    writeFileSync(join(folder, 'comparison.ts'), COMPARISON);
    writeFileSync(join(folder, 'codes.ts'), CODES);
    writeFileSync(join(folder, 'readme.ts'), README);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(PACKAGE, 'tsconfig.test.json'), include: ['*.ts'] }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('the README contains an example that creates a client', () => {
    expect(EXAMPLE).toContain('createSottoClient');
  });

  it(
    'the types of the route definitions equal the types in the built package',
    () => {
      const tsc = join(PACKAGE, 'node_modules/.bin/tsc');
      expect(
        spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' }),
      ).toMatchObject({ stdout: '', status: 0 });
    },
    TIMEOUT_MS,
  );
});

describe('the built package', () => {
  const files = readdirSync(join(PACKAGE, 'dist')).filter((name) => name.endsWith('.ts'));
  const textOf = (name: string): string => readFileSync(join(PACKAGE, 'dist', name), 'utf8');

  it.each(files)(
    'the file %s of the built client imports neither zod nor the route definitions',
    (name) => {
      expect(textOf(name)).not.toMatch(/['"](?:zod|@sotto\/(?!facts['"]))/);
    },
  );

  it('the built types describe their fields in comments', () => {
    expect(textOf('openapi.d.ts').match(/@description/g)?.length).toBeGreaterThan(100);
  });
});
