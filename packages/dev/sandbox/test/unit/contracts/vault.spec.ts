import { beforeEach, describe, expect, it } from '@jest/globals';
import { erc20, mintTokens } from '../../../src/contracts/erc20.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { VAULT_STORAGE, vault } from '../../../src/contracts/vault.js';
import { sandboxWorld } from '../../../src/contracts/world.js';
import { TestChain, fromU256, u256 } from './harness.js';

const ASSET = 0x70n;
const CURATOR = 0xc0n;
const STRANGER = 0x57an;
const IDLE_SATS = 50_000n;

describe.each(Object.entries(sandboxWorld.vaults))(
  'vault model of %s',
  (_id, { address, strategy, methods, shape }) => {
    const rest = shape === 'loop' ? [3n] : [];
    const [method = ''] = methods;
    let chain: TestChain;
    const balance = (owner: bigint): bigint =>
      fromU256(chain.call(0n, ASSET, 'balance_of', [owner]));
    const deploy = (
      amount: bigint,
      { name = method, caller = CURATOR, args = rest } = {},
    ): bigint[] => chain.call(caller, address, name, [...u256(amount), ...args]);

    beforeEach(() => {
      const tokens: Record<string, bigint> = {};
      mintTokens(recordStorage(tokens), address, IDLE_SATS);
      chain = new TestChain();
      chain.deploy(ASSET, erc20({ name: 'Wrapped BTC', symbol: 'WBTC', decimals: 8 }), tokens);
      chain.deploy(address, vault({ asset: ASSET, owner: CURATOR, strategy, methods, shape }));
    });

    it.each(methods)(
      'a vault deployment by %s moves the amount to the vault’s strategy, and the rest stays idle',
      (name) => {
        expect(deploy(20_000n, { name })).toEqual([]);
        expect([balance(address), balance(strategy)]).toEqual([30_000n, 20_000n]);
        deploy(30_000n, { name });
        expect([balance(address), balance(strategy)]).toEqual([0n, 50_000n]);
      },
    );

    it('the total assets of a vault are its idle funds and its deployed funds', () => {
      deploy(20_000n);
      expect(fromU256(chain.call(0n, address, 'total_assets'))).toBe(IDLE_SATS);
    });

    it('a vault deployment uses less gas than the service’s limit', () => {
      deploy(IDLE_SATS);
      expect(chain.gasUsed).toBeLessThan(100_000_000n);
    });

    it('a vault deployment reverts for any caller except the owner', () => {
      expect(() => deploy(1n, { caller: STRANGER })).toThrow('Not owner');
    });

    it('a vault deployment of more than the idle amount reverts', () => {
      expect(() => deploy(IDLE_SATS + 1n)).toThrow('Insufficient idle');
      expect(balance(address)).toBe(IDLE_SATS);
    });

    it('a vault deployment reverts while the vault is paused', () => {
      chain.storageOf(address).set(VAULT_STORAGE.paused, 1n);
      expect(() => deploy(1n)).toThrow('paused');
    });

    it('a vault deployment reverts for a zero amount, and for calldata of a different deployment method', () => {
      expect(() => deploy(0n)).toThrow('Zero amount');
      const others = shape === 'loop' ? [] : [3n];
      expect(() => deploy(1n, { args: others })).toThrow(
        shape === 'loop' ? 'Failed to deserialize param #2' : 'Input too long',
      );
    });
  },
);

describe('the looping vault', () => {
  it.each([0n, 11n])('the looping vault reverts for %i loops', (loops) => {
    const { address, strategy, methods, shape } = sandboxWorld.vaults.trident;
    const chain = new TestChain();
    chain.deploy(address, vault({ asset: ASSET, owner: CURATOR, strategy, methods, shape }));
    expect(() => chain.call(CURATOR, address, 'execute_staking_loop', [1n, 0n, loops])).toThrow(
      'Invalid loops',
    );
  });
});
