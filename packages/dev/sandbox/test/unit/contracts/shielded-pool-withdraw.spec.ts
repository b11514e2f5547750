import { beforeEach, describe, expect, it } from '@jest/globals';
import { mintTokens } from '../../../src/contracts/erc20.js';
import { POOL_STORAGE } from '../../../src/contracts/shielded-pool.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { u256 } from './harness.js';
import {
  FEE_ADDRESS,
  NULLIFIER_HASH,
  POOL,
  PoolWorld,
  RECIPIENT,
  STRANGER,
  TOKEN,
  type StatementChanges,
} from './pool-world.js';

const ROOT_AT = 34;
const FEE_AT = 34 + 2 * 4;

describe('withdrawal from a shielded pool model', () => {
  let world: PoolWorld;

  beforeEach(() => {
    world = new PoolWorld();
    world.depositMany(3);
  });

  it('a withdrawal by any sender pays the recipient and the fee address of the proof', () => {
    expect(world.withdraw()).toEqual([]);
    expect(world.balance(RECIPIENT)).toBe(19_850n);
    expect(world.balance(FEE_ADDRESS)).toBe(150n);
    expect(world.balance(POOL)).toBe(40_000n);
    expect(world.counts()).toEqual([3n, 0n, 2n]);
    expect(world.read('is_spent', ...u256(NULLIFIER_HASH))).toBe(1n);
    expect(world.read('is_spent', ...u256(NULLIFIER_HASH + 1n))).toBe(0n);
    expect(world.chain.eventsNamed('Withdrawal')).toEqual([
      expect.objectContaining({
        from: POOL,
        data: [RECIPIENT, FEE_ADDRESS, 19_850n, 0n, 150n, 0n],
      }),
    ]);
  });

  it('a withdrawal from the pool can have a zero fee or exactly the maximum fee', () => {
    world.withdraw({ fee: 0n });
    world.withdraw({ fee: 1_000n, nullifierHash: 5n });
    expect(world.balance(RECIPIENT)).toBe(39_000n);
    expect(world.balance(FEE_ADDRESS)).toBe(1_000n);
  });

  it('the pool accepts a proof with an older root, from before the latest deposits', () => {
    const root = world.read('get_last_root');
    world.depositMany(5);
    world.withdraw({ root });
    expect(world.balance(RECIPIENT)).toBe(19_850n);
  });

  it('a withdrawal also pays an equal share of the pool’s yield', () => {
    const minted: Record<string, bigint> = Object.fromEntries(world.chain.storageOf(TOKEN));
    mintTokens(recordStorage(minted), POOL, 301n);
    for (const [key, value] of Object.entries(minted)) world.chain.storageOf(TOKEN).set(key, value);
    world.stage(POOL_STORAGE.accrued, 301n);
    expect(world.read('total_assets')).toBe(60_301n);
    world.withdraw();
    expect(world.balance(RECIPIENT)).toBe(19_950n);
    expect(world.read('total_assets')).toBe(40_201n);
    world.withdraw({ nullifierHash: 5n, fee: 0n });
    world.withdraw({ nullifierHash: 6n, fee: 0n });
    expect(world.balance(POOL)).toBe(0n);
    expect(world.read('total_assets')).toBe(0n);
  });

  it.each<[string, StatementChanges]>([
    ['unknown root', { root: 12345n }],
    ['unknown root', { root: 0n }],
    ['fee too high', { fee: 1_001n }],
    ['empty leaf', { batchSize: 4n }],
    ['empty leaf', { batchStart: 3n }],
    ['empty leaf', { batchSize: 0n }],
    ['unknown batch', { batchSize: 2n }],
    ['unknown batch', { batchStart: 1n, batchSize: 2n }],
    ['Option::unwrap failed.', { recipient: 2n ** 251n }],
    ['Option::unwrap failed.', { relayer: 2n ** 251n }],
    ['ERC20: transfer to 0', { recipient: 0n }],
  ])('a withdrawal reverts with "%s" if its valid proof states %p', (text, changes) => {
    expect(world.reverted(() => world.withdraw(changes))).toBe(text);
  });

  it('the pool rejects a proof that names a batch whose deposits are not yet deployed', () => {
    world.depositMany(2);
    expect(world.reverted(() => world.withdraw({ batchStart: 3n, batchSize: 2n }))).toBe(
      'unknown batch',
    );
  });

  it('the pool rejects a spent nullifier for any recipient', () => {
    world.withdraw();
    expect(world.reverted(() => world.withdraw())).toBe('already withdrawn');
    expect(world.reverted(() => world.withdraw({ recipient: STRANGER }))).toBe('already withdrawn');
  });

  it('the pool rejects an invalid proof and malformed calldata', () => {
    const good = world.proofOf();
    const text = (calldata: readonly bigint[]): string =>
      world.reverted(() => world.send(calldata));
    expect(text(good.with(FEE_AT, 0n))).toBe('invalid proof');
    expect(text(good.with(1, good[1] === 1n ? 2n : 1n))).toBe('invalid proof');
    expect(text([2018n, ...good.slice(1, -1)])).toBe('invalid proof');
    expect(text(good.slice(1))).toBe('Failed to deserialize param #1');
    expect(text(good.slice(0, -1))).toBe('Failed to deserialize param #1');
    expect(text([...good, 0n])).toBe('Input too long for arguments');
  });

  it('a withdrawal is checked in a fixed sequence: paused, proof, root, nullifier, fee, batch', () => {
    world.withdraw();
    const everythingWrong: StatementChanges = { root: 1n, fee: 1_001n, batchSize: 9n };
    const noProof = world.proofOf(everythingWrong).with(ROOT_AT, 2n);
    world.stage(POOL_STORAGE.paused, 1n);
    expect(world.reverted(() => world.send(noProof))).toBe('paused');
    world.stage(POOL_STORAGE.paused, 0n);
    expect(world.reverted(() => world.send(noProof))).toBe('invalid proof');
    expect(world.reverted(() => world.withdraw(everythingWrong))).toBe('unknown root');
    expect(world.reverted(() => world.withdraw({ fee: 1_001n, batchSize: 9n }))).toBe(
      'already withdrawn',
    );
    expect(
      world.reverted(() => world.withdraw({ nullifierHash: 5n, fee: 1_001n, batchSize: 9n })),
    ).toBe('fee too high');
    expect(world.reverted(() => world.withdraw({ nullifierHash: 5n, batchSize: 9n }))).toBe(
      'empty leaf',
    );
  });

  it('a pool without nullifier checks pays the same proof repeatedly while it has active deposits', () => {
    world = new PoolWorld({ enforceNullifier: false });
    world.depositMany(3);
    world.withdraw();
    world.withdraw();
    expect(world.balance(RECIPIENT)).toBe(2n * 19_850n);
    world.withdraw();
    expect(world.reverted(() => world.withdraw())).toBe('no active deposit');
    expect(world.read('is_spent', ...u256(NULLIFIER_HASH))).toBe(1n);
  });

  it('a withdrawal uses 34.5 M gas as in the protocol, including 10.7 M for the transaction and its calldata', () => {
    const calldata = world.proofOf();
    world.chain.gasUsed = 0n;
    world.send(calldata);
    const total = world.chain.gasUsed + 10_700_000n;
    expect(total).toBe(34_500_000n);
  });
});
