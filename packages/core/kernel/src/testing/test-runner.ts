/**
 * Interface of a test runner for contract suites. The globals of Jest and Vitest match this
 * interface, so a suite imports neither runner.
 */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: TestCase & { readonly skip: TestCase; readonly each: EachTestCase };
  readonly expect: Expect;
  readonly beforeEach: (body: () => void | Promise<void>) => void;
  readonly afterEach: (body: () => void | Promise<void>) => void;
}

type TestCase = (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void;

/**
 * Defines one test for each row of a table. The first `%s` in the name is the row's first value,
 * the next `%s` its next value.
 */
interface EachTestCase {
  <Row extends readonly [unknown, ...unknown[]]>(
    rows: readonly Row[],
  ): (name: string, body: (...row: [...Row]) => void | Promise<void>, timeoutMs?: number) => void;
  <Value>(
    values: readonly Value[],
  ): (name: string, body: (value: Value) => void | Promise<void>, timeoutMs?: number) => void;
}

interface Expect {
  (actual: unknown): Assertion<void> & {
    readonly rejects: Assertion<Promise<void>>;
    readonly resolves: Assertion<Promise<void>>;
  };
  any(type: unknown): unknown;
  arrayContaining(items: readonly unknown[]): unknown;
  objectContaining(fields: object): unknown;
  stringMatching(pattern: string | RegExp): unknown;
}

interface Assertion<Result> extends Matchers<Result> {
  readonly not: Matchers<Result>;
}

interface Matchers<Result> {
  toBe(expected: unknown): Result;
  toBeGreaterThan(bound: number | bigint): Result;
  toBeGreaterThanOrEqual(bound: number | bigint): Result;
  toBeInstanceOf(type: unknown): Result;
  toBeLessThan(bound: number | bigint): Result;
  toBeLessThanOrEqual(bound: number | bigint): Result;
  toBeNull(): Result;
  toContain(item: unknown): Result;
  toContainEqual(item: unknown): Result;
  toEqual(expected: unknown): Result;
  toHaveLength(length: number): Result;
  toMatch(pattern: string | RegExp): Result;
  toMatchObject(fields: object): Result;
}
