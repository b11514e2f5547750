import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { trapdoorKey } from '@sotto/load-kit';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '@sotto/sandbox';
import { DevPool } from '../../src/stack/pool.js';

const { address, denomination } = sandboxWorld.pools.sentinel_1x;

let sandbox: Sandbox;
let pool: DevPool;
beforeEach(async () => {
  sandbox = await startSandbox({
    genesis: buildGenesis({ verificationKey: trapdoorKey }),
    cadence: 'manual',
  });
  pool = new DevPool(address, sandbox.control);
});
afterEach(() => sandbox.stop());

const view = (entrypoint: string): bigint => sandbox.control.call(address, entrypoint)[0] ?? -1n;

describe('pool of the development chain', () => {
  it('a development pool stores a deposit as the next leaf', () => {
    expect(pool.deposit(5n)).toMatchObject({ leafIndex: 0 });
    expect(pool.deposit(6n).transactionHash).toMatch(/^0x[0-9a-f]+$/);
    expect([view('total_deposits'), view('undeployed_count')]).toEqual([2n, 2n]);
  });

  it('fillBatch makes the missing deposits of the current batch', () => {
    expect(pool.fillBatch()).toBe(0);
    pool.deposit(5n);
    expect(pool.fillBatch()).toBe(2);
    expect([view('undeployed_count'), view('active_deposits')]).toEqual([0n, 3n]);
    expect(pool.fillBatch()).toBe(0);
  });

  it('takeActiveNote returns each note only once', () => {
    pool.deposit(5n);
    const notes = Array.from({ length: 4 }, () => pool.takeActiveNote());
    expect(new Set(notes.map(({ nullifierHash }) => nullifierHash)).size).toBe(4);
    // The first batch also contains a deposit of another user. So only two notes of this batch are
    // returned.
    expect(notes.map(({ batchStart, batchSize }) => [batchStart, batchSize])).toEqual([
      [0n, 3n],
      [0n, 3n],
      [3n, 3n],
      [3n, 3n],
    ]);
    expect(view('total_deposits')).toBe(6n);
    for (const { commitment } of notes)
      expect(
        sandbox.control.call(address, 'is_known_commitment', [
          BigInt.asUintN(128, commitment),
          commitment >> 128n,
        ]),
      ).toEqual([1n]);
  });

  it('takeActiveNote does not return a note whose deposit was in an undone block', () => {
    const before = sandbox.control.mine();
    const first = pool.takeActiveNote();
    sandbox.control.rollback(sandbox.control.mine() - before, 'vanish');
    expect(view('total_deposits')).toBe(0n);
    const next = pool.takeActiveNote();
    expect(next.commitment).not.toBe(first.commitment);
    expect(view('total_deposits')).toBe(3n);
  });

  it('deposit throws the reason of a rejected deposit', () => {
    const { depositor } = sandboxWorld.accounts;
    // The depositor has WBTC, but has not approved the pool.
    expect(() => pool.deposit(5n, depositor.address)).toThrow(/insufficient allowance/i);
    pool.deposit(5n);
    expect(() => pool.deposit(5n)).toThrow('commitment exists');
    sandbox.control.setStorage(address, 'paused', 1n);
    expect(() => pool.takeActiveNote()).toThrow('paused');
  });

  it('maxFee of a development pool is the maximum fee of a withdrawal', () => {
    expect(pool.maxFee).toBe(denomination / 20n);
  });
});
