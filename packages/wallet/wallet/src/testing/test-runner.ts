/**
 * Test functions that a contract test suite needs. The globals of Jest and of Vitest match this
 * type, so a suite imports neither of the two libraries.
 */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: TestCase & { readonly skip: TestCase };
  readonly expect: (actual: unknown) => Assertion<void> & {
    readonly rejects: Assertion<Promise<void>>;
  };
  readonly beforeEach: (body: () => Promise<void>) => void;
  readonly afterEach: (body: () => Promise<void>) => void;
}

type TestCase = (name: string, body: () => Promise<void>) => void;

interface Assertion<Result> {
  toBe(expected: unknown): Result;
  toEqual(expected: unknown): Result;
  toMatchObject(fields: object): Result;
}
