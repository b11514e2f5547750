/**
 * Module that shared files get as `@jest/globals`. The bindings are live: a helper that was loaded
 * with an earlier file defines tests of the current one.
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

/** Makes these the globals of the current file. */
export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
  ({ fdescribe, fit, xdescribe, xit, xtest } = globals);
}
