/**
 * Module that replaces `@jest/globals` in files that share their modules. The exports change with
 * each test file. So if a helper was loaded for an earlier file, it still defines the tests of the
 * current file.
 */
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let expect;
export let fdescribe;
export let fit;
export let it;
export let jest;
export let test;
export let xdescribe;
export let xit;
export let xtest;

/** Sets the globals that belong to the current file. */
export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
  ({ fdescribe, fit, xdescribe, xit, xtest } = globals);
}
