import { beforeEach, describe, expect, it } from '@jest/globals';
import { POOL_STORAGE, shieldedPool } from '../../../src/contracts/shielded-pool.js';
import { u256 } from './harness.js';
import {
  DENOMINATION,
  DEPOSITOR,
  POOL,
  PoolWorld,
  RELAYER,
  STRANGER,
  TERMS,
  TOKEN,
} from './pool-world.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

describe('shielded pool model', () => {
  let world: PoolWorld;

  beforeEach(() => {
    world = new PoolWorld();
  });

  it('the pool’s views return its denomination and maximum fee', () => {
    expect(world.chain.call(0n, POOL, 'denomination')).toEqual([DENOMINATION, 0n]);
    expect(world.chain.call(0n, POOL, 'max_fee_bps')).toEqual([500n]);
    expect(world.chain.call(0n, POOL, 'max_fee')).toEqual([1_000n, 0n]);
  });

  it.each([1_001, -1, 0.5])('the pool rejects a maximum fee of %p bps', (maxFeeBps) => {
    expect(() => shieldedPool({ ...TERMS, maxFeeBps })).toThrow(
      'maxFeeBps must be an integer from 0 to 1000',
    );
  });

  describe('deposit', () => {
    it('a deposit transfers exactly the denomination and appends the commitment as a leaf', () => {
      const emptyRoot = world.read('get_last_root');
      world.deposit(77n);
      expect(world.counts()).toEqual([1n, 1n, 0n]);
      expect(world.balance(POOL)).toBe(DENOMINATION);
      expect(world.balance(DEPOSITOR)).toBe(1_000_000n - DENOMINATION);
      expect(world.read('get_next_index')).toBe(1n);
      expect(world.read('total_assets')).toBe(DENOMINATION);
      expect(world.read('is_known_commitment', ...u256(77n))).toBe(1n);
      expect(world.read('is_known_commitment', ...u256(78n))).toBe(0n);
      expect(world.read('get_last_root')).not.toBe(emptyRoot);
      expect(world.read('is_known_root', ...u256(emptyRoot))).toBe(1n);
      expect(world.read('is_known_root', ...u256(world.read('get_last_root')))).toBe(1n);
      expect(world.read('is_known_root', ...u256(emptyRoot + 1n))).toBe(0n);
      expect(world.chain.eventsNamed('Deposit')).toEqual([
        expect.objectContaining({ from: POOL, data: [0n, 1_800_000_000n] }),
      ]);
    });

    it('three waiting deposits are deployed automatically as a batch', () => {
      const amount = [60_000n, 0n];
      world.depositMany(2);
      expect(world.chain.eventsNamed('BatchDeployed')).toEqual([]);
      world.depositMany(1);
      expect(world.counts()).toEqual([3n, 0n, 3n]);
      expect(world.chain.eventsNamed('BatchDeployed')).toEqual([
        expect.objectContaining({ data: [0n, 3n, ...amount, ...amount] }),
      ]);
      world.depositMany(4);
      expect(world.counts()).toEqual([7n, 1n, 6n]);
      expect(world.chain.eventsNamed('BatchDeployed')[1]).toMatchObject({
        data: [3n, 3n, ...amount, ...amount],
      });
    });

    it('deposits wait for a command if automatic deployment of batches is off', () => {
      world.stage(POOL_STORAGE.autoDeployOff, 1n);
      world.depositMany(4);
      expect(world.counts()).toEqual([4n, 4n, 0n]);
    });

    it('only a relayer can deposit', () => {
      const deposit = (): unknown =>
        world.chain.call(STRANGER, POOL, 'deposit', [...u256(5n), DEPOSITOR]);
      expect(world.reverted(deposit)).toBe('Not owner');
    });

    it('a deposit is rejected if its commitment exists, is zero, or is no field element', () => {
      world.deposit(77n);
      expect(world.reverted(() => world.deposit(77n))).toBe('commitment exists');
      expect(world.reverted(() => world.deposit(0n))).toBe('invalid commitment');
      expect(world.reverted(() => world.deposit(R))).toBe('invalid commitment');
    });

    it('a deposit changes nothing if the depositor has not approved the amount or cannot pay', () => {
      const depositFor = (depositor: bigint) => (): unknown =>
        world.chain.call(RELAYER, POOL, 'deposit', [...u256(77n), depositor]);
      expect(world.reverted(depositFor(STRANGER))).toBe('ERC20: insufficient allowance');
      world.chain.call(STRANGER, TOKEN, 'approve', [POOL, ...u256(DENOMINATION)]);
      expect(world.reverted(depositFor(STRANGER))).toBe('ERC20: insufficient balance');
      world.chain.call(DEPOSITOR, TOKEN, 'approve', [POOL, ...u256(DENOMINATION - 1n)]);
      expect(world.reverted(depositFor(DEPOSITOR))).toBe('ERC20: insufficient allowance');
    });

    it('a deposit reverts while the pool is paused, or if the tree is full', () => {
      world.stage(POOL_STORAGE.paused, 1n);
      expect(world.reverted(() => world.deposit(77n))).toBe('paused');
      world.stage(POOL_STORAGE.paused, 0n);
      world.stage('next_index', 1024n);
      expect(world.reverted(() => world.deposit(77n))).toBe('tree full');
    });
  });

  describe('deploy_batch and deploy_partial_batch', () => {
    beforeEach(() => {
      world.stage(POOL_STORAGE.autoDeployOff, 1n);
      world.depositMany(8);
    });

    it('each deployed batch activates the oldest waiting deposits', () => {
      world.deploy('deploy_batch', 5n);
      expect(world.counts()).toEqual([8n, 3n, 5n]);
      world.deploy('deploy_batch', 3n);
      expect(world.counts()).toEqual([8n, 0n, 8n]);
      expect(
        world.chain
          .eventsNamed('BatchDeployed')
          .map(({ keys, data }) => [keys[1], data[0], data[1]]),
      ).toEqual([
        [0n, 0n, 5n],
        [1n, 5n, 3n],
      ]);
    });

    it('`deploy_batch` accepts a batch of seven deposits', () => {
      world.deploy('deploy_batch', 7n);
      expect(world.counts()).toEqual([8n, 1n, 7n]);
    });

    it.each([0n, 1n, 2n, 4n, 6n, 8n])('`deploy_batch` rejects a batch of %p deposits', (count) => {
      expect(world.reverted(() => world.deploy('deploy_batch', count))).toBe('invalid batch size');
    });

    it('`deploy_partial_batch` accepts any number of waiting deposits', () => {
      world.deploy('deploy_partial_batch', 1n);
      world.deploy('deploy_partial_batch', 4n);
      expect(world.counts()).toEqual([8n, 3n, 5n]);
      expect(world.reverted(() => world.deploy('deploy_partial_batch', 0n))).toBe(
        'invalid batch size',
      );
      expect(world.reverted(() => world.deploy('deploy_partial_batch', 4n))).toBe(
        'not enough deposits',
      );
      expect(world.reverted(() => world.deploy('deploy_batch', 5n))).toBe('not enough deposits');
    });

    it.each(['deploy_batch', 'deploy_partial_batch'])(
      'only relayers can call %s, and only while the pool is not paused',
      (entrypoint) => {
        expect(world.reverted(() => world.chain.call(STRANGER, POOL, entrypoint, [3n]))).toBe(
          'Not owner',
        );
        expect(world.reverted(() => world.deploy(entrypoint, 2n ** 32n))).toBe(
          'Failed to deserialize param #1',
        );
        world.stage(POOL_STORAGE.paused, 1n);
        expect(world.reverted(() => world.deploy(entrypoint, 3n))).toBe('paused');
      },
    );
  });

  it('deposits and batches use the same gas as in the protocol, including 0.35 M for the transaction', () => {
    const transaction = 350_000n;
    world.stage(POOL_STORAGE.autoDeployOff, 1n);
    world.chain.gasUsed = 0n;
    world.deposit(1n);
    expect(world.chain.gasUsed + transaction).toBe(800_000n);
    world.depositMany(2);
    world.chain.gasUsed = 0n;
    world.deploy('deploy_batch', 3n);
    expect(world.chain.gasUsed + transaction).toBe(1_200_000n);
  });
});
