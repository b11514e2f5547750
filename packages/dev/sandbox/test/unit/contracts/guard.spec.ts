import { beforeEach, describe, expect, it } from '@jest/globals';
import { erc20, mintTokens } from '../../../src/contracts/erc20.js';
import { guardModel } from '../../../src/contracts/guard.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { sandboxWorld } from '../../../src/contracts/world.js';
import { selectorOf } from '../../../src/engine/felt.js';
import { TestChain } from './harness.js';

const GUARD = 0x9an;
const TOKEN = 0x70n;
const OWNER = 0x0bn;
const balance = [TOKEN, selectorOf('balanceOf'), 1n, OWNER];

describe('guard model', () => {
  let chain: TestChain;
  beforeEach(() => {
    const record: Record<string, bigint> = {};
    mintTokens(recordStorage(record), OWNER, 20n);
    chain = new TestChain();
    chain.deploy(TOKEN, erc20(sandboxWorld.tokens.WBTC), record);
    chain.deploy(GUARD, guardModel);
  });
  const assert = (entrypoint: string, ...felts: readonly bigint[]) =>
    chain.call(0n, GUARD, entrypoint, felts);

  it('the guard model compares complete results of views', () => {
    expect(assert('assert_views', 1n, ...balance, 2n, 20n, 0n)).toEqual([]);
    for (const expected of [[2n, 19n, 0n], [1n, 20n], [0n]])
      expect(() => assert('assert_views', 1n, ...balance, ...expected)).toThrow('guard: differs');
  });

  it('the guard model compares u256 results with minimum values', () => {
    expect(assert('assert_floors', 2n, ...balance, 20n, 0n, ...balance, 0n, 0n)).toEqual([]);
    for (const least of [
      [21n, 0n],
      [0n, 1n],
    ])
      expect(() => assert('assert_floors', 1n, ...balance, ...least)).toThrow('guard: below');
  });

  it('the guard model reverts if the called contract does not have the view', () => {
    expect(() => assert('assert_views', 1n, TOKEN, 5n, 0n, 0n)).toThrow('ENTRYPOINT_NOT_FOUND');
  });
});
