import { beforeEach, describe, expect, it } from '@jest/globals';
import { ec, num } from 'starknet';
import { buildGenesis, type GenesisOptions } from '../../../src/contracts/genesis.js';
import { extraLane, publicSideOf, sandboxWorld } from '../../../src/contracts/world.js';
import { TestChain, fromU256, u256 } from './harness.js';
import { forge, toCalldata, trapdoorKey } from './trapdoor.js';

const { accounts, tokens, pools, oracle, exchanges, swapPool, vaults } = sandboxWorld;

describe('development genesis', () => {
  let chain: TestChain;
  const start = (options: Partial<GenesisOptions> = {}): void => {
    chain = new TestChain();
    for (const { address, model, storage } of buildGenesis({
      verificationKey: trapdoorKey,
      ...options,
    }).contracts) {
      chain.deploy(address, model, storage);
    }
  };
  const balance = (token: bigint, owner: bigint): bigint =>
    fromU256(chain.call(0n, token, 'balance_of', [owner]));
  const quote = (exchange: bigint, sell: bigint, buy: bigint, amount: bigint): bigint =>
    fromU256(chain.call(0n, exchange, 'quote', [sell, buy, ...u256(amount)]));
  const query = (pairId: bigint): bigint[] =>
    chain.call(0n, oracle, 'get_data_median', [0n, pairId]);
  const deposit = (pool: bigint, depositor: bigint, commitment: bigint): bigint[] =>
    chain.call(accounts.lane1.address, pool, 'deposit', [...u256(commitment), depositor]);

  beforeEach(() => {
    start();
  });

  it('the development genesis has a distinct chain id and charges fees in STRK', () => {
    const genesis = buildGenesis({ verificationKey: trapdoorKey });
    expect(genesis.chainId).toBe('SN_SOTTO_SANDBOX');
    expect(genesis.feeToken).toBe(tokens.STRK.address);
    expect(new Set(genesis.contracts.map(({ address }) => address)).size).toBe(
      genesis.contracts.length,
    );
  });

  it('every account has a different key and a different address', () => {
    const all = Object.values(accounts);
    expect(new Set(all.map(({ address }) => address)).size).toBe(all.length);
    for (const { address, publicKey, privateKey } of all) {
      expect(BigInt(ec.starkCurve.getStarkKey(num.toHex(privateKey)))).toBe(publicKey);
      expect(publicSideOf(privateKey)).toEqual({ publicKey, address });
      expect(chain.call(0n, address, 'get_public_key')).toEqual([publicKey]);
    }
  });

  it('the addresses of the test accounts never change, because wallets and profiles may use them', () => {
    // Wallets and profiles of the development stack may contain these addresses. All addresses
    // change if the seed or the class hash changes.
    expect(num.toHex(accounts.lane1.address)).toBe(
      '0x890d0e652bb12e72398fb305fb5d5d11d1ce01c5ca9d6089957bc029384d2a',
    );
    expect(num.toHex(accounts.feeCollector.address)).toBe(
      '0x7e73e962fbfb771401beebd952831dda52e08f6f94ad2afe7352051d7931bd4',
    );
  });

  it('lanes have STRK, users have all tokens, and recipients and the fee collector have no tokens', () => {
    const held = (owner: bigint): bigint[] =>
      Object.values(tokens).map((token) => balance(token.address, owner));
    expect(held(accounts.lane3.address)).toEqual([10n ** 21n, 0n, 0n, 0n]);
    expect(held(accounts.swapOwner.address)).toEqual([10n ** 21n, 0n, 0n, 0n]);
    expect(held(accounts.curator.address)).toEqual([10n ** 21n, 0n, 0n, 0n]);
    expect(held(accounts.depositor.address)).toEqual([10n ** 21n, 10n ** 9n, 10n ** 12n, 0n]);
    expect(held(accounts.crowd2.address)).toEqual([10n ** 21n, 10n ** 9n, 10n ** 12n, 0n]);
    expect(held(accounts.keeper2.address)).toEqual([10n ** 21n, 0n, 0n, 0n]);
    expect(held(accounts.treasury.address)).toEqual([10n ** 21n, 10n ** 9n, 10n ** 12n, 0n]);
    expect(held(accounts.buyer.address)).toEqual([10n ** 21n, 10n ** 9n, 10n ** 12n, 0n]);
    expect(held(accounts.feeCollector.address)).toEqual([0n, 0n, 0n, 0n]);
    expect(held(accounts.recipient1.address)).toEqual([0n, 0n, 0n, 0n]);
    expect(held(exchanges.first.address)).toEqual([
      10n ** 27n,
      3n * 10n ** 11n,
      3n * 10n ** 14n,
      10n ** 23n,
    ]);
    expect(fromU256(chain.call(0n, tokens.STRK.address, 'total_supply'))).toBe(
      12n * 10n ** 21n + 2n * 10n ** 27n + 10n ** 24n,
    );
  });

  it('crowd accounts can deposit into every pool without a further approval', () => {
    for (const { address, denomination } of Object.values(pools)) {
      deposit(address, accounts.crowd1.address, 5n);
      expect(fromU256(chain.call(0n, address, 'total_assets'))).toBe(denomination);
    }
    const { address, token, denomination } = pools.sentinel_1x;
    expect(() => deposit(address, accounts.depositor.address, 6n)).toThrow(
      'ERC20: insufficient allowance',
    );
    chain.call(accounts.depositor.address, token, 'approve', [address, ...u256(denomination)]);
    deposit(address, accounts.depositor.address, 6n);
    expect(chain.call(0n, address, 'total_deposits')).toEqual([2n]);
  });

  it('the pools pay withdrawals whose proof is valid under the verification key of the genesis', () => {
    const { address } = pools.stable_10;
    for (const commitment of [5n, 6n, 7n]) deposit(address, accounts.crowd2.address, commitment);
    const root = fromU256(chain.call(0n, address, 'get_last_root'));
    const { recipient1, feeCollector } = accounts;
    const proof = forge([root, 9n, recipient1.address, feeCollector.address, 1_000n, 0n, 3n]);
    chain.call(accounts.lane2.address, address, 'withdraw', toCalldata(proof));
    expect(balance(tokens.USDC.address, recipient1.address)).toBe(9_999_000n);
    expect(balance(tokens.USDC.address, feeCollector.address)).toBe(1_000n);
  });

  it('the genesis options autoDeploy and enforceNullifier apply to the pools', () => {
    start({ autoDeploy: false, enforceNullifier: false });
    const { address } = pools.sentinel_2x;
    for (const commitment of [5n, 6n, 7n]) deposit(address, accounts.crowd1.address, commitment);
    expect(chain.call(0n, address, 'undeployed_count')).toEqual([3n]);
    chain.call(accounts.lane1.address, address, 'deploy_batch', [3n]);
    const root = fromU256(chain.call(0n, address, 'get_last_root'));
    const calldata = toCalldata(
      forge([root, 9n, accounts.recipient1.address, accounts.feeCollector.address, 0n, 0n, 3n]),
    );
    chain.call(accounts.lane2.address, address, 'withdraw', calldata);
    chain.call(accounts.lane2.address, address, 'withdraw', calldata);
    expect(balance(tokens.WBTC.address, accounts.recipient1.address)).toBe(80_000n);
  });

  it('the genesis contains the requested number of additional lanes, each with its key and STRK', () => {
    start({ extraLanes: 2 });
    const [fourth, fifth, sixth] = [extraLane(4), extraLane(5), extraLane(6)];
    for (const { address, publicKey } of [fourth, fifth]) {
      expect(chain.call(0n, address, 'get_public_key')).toEqual([publicKey]);
      expect(balance(tokens.STRK.address, address)).toBe(10n ** 21n);
    }
    expect(fourth.address).not.toBe(fifth.address);
    expect(balance(tokens.STRK.address, sixth.address)).toBe(0n);
    expect(() => chain.call(0n, sixth.address, 'get_public_key')).toThrow(
      'no contract at this address',
    );
  });

  it('the pools accept a wrong proof only if `trustProofs` is set', () => {
    const { address } = pools.stable_10;
    const withdrawWrongly = (): void => {
      for (const commitment of [5n, 6n, 7n]) deposit(address, accounts.crowd2.address, commitment);
      const root = fromU256(chain.call(0n, address, 'get_last_root'));
      const proof = forge([
        root,
        9n,
        accounts.recipient1.address,
        accounts.feeCollector.address,
        0n,
        0n,
        3n,
      ]);
      const anothers = forge([
        root,
        10n,
        accounts.recipient1.address,
        accounts.feeCollector.address,
        0n,
        0n,
        3n,
      ]);
      chain.call(
        accounts.lane2.address,
        address,
        'withdraw',
        toCalldata({ ...proof, c: anothers.c }),
      );
    };
    expect(withdrawWrongly).toThrow('invalid proof');
    start({ trustProofs: true });
    withdrawWrongly();
    expect(balance(tokens.USDC.address, accounts.recipient1.address)).toBe(10_000_000n);
  });

  it('the oracle’s default prices always have the time of the current block', () => {
    const strkUsd = 6004514686061859652n;
    const btcUsd = 18669995996566340n;
    expect(query(strkUsd)).toEqual([4_000_000n, 8n, 1_800_000_000n, 10n, 0n, 0n]);
    expect(query(btcUsd)).toEqual([10_000_000_000_000n, 8n, 1_800_000_000n, 10n, 0n, 0n]);
    start({
      prices: {
        'STRK/USD': { price: 7n, decimals: 2, lastUpdatedTimestampSeconds: 9, numSources: 3 },
      },
    });
    expect(query(strkUsd)).toEqual([7n, 2n, 9n, 3n, 0n, 0n]);
    expect(query(btcUsd)[0]).toBe(10_000_000_000_000n);
  });

  it('all pairs of tokens can be swapped at the oracle prices', () => {
    const { WBTC, ETH, USDC, STRK } = tokens;
    // 0.0002 BTC at 100,000 USD per BTC is 20 USD.
    expect(quote(exchanges.first.address, WBTC.address, USDC.address, 20_000n)).toBe(20_000_000n);
    expect(quote(exchanges.first.address, WBTC.address, STRK.address, 20_000n)).toBe(
      500n * 10n ** 18n,
    );
    expect(quote(exchanges.first.address, WBTC.address, ETH.address, 20_000n)).toBe(
      (20n * 10n ** 18n) / 3_500n,
    );
    expect(quote(exchanges.first.address, STRK.address, WBTC.address, 500n * 10n ** 18n)).toBe(
      20_000n,
    );
    expect(quote(exchanges.second.address, WBTC.address, USDC.address, 20_000n)).toBe(19_980_000n);
    start({
      prices: {
        'ETH/USD': { price: 0n, decimals: 0, lastUpdatedTimestampSeconds: 0, numSources: 0 },
      },
    });
    expect(() => quote(exchanges.first.address, WBTC.address, ETH.address, 20_000n)).toThrow(
      'No liquidity',
    );
    expect(() => quote(exchanges.first.address, WBTC.address, WBTC.address, 20_000n)).toThrow(
      'No liquidity',
    );
  });

  it('the genesis has two lending pools of WBTC, with utilizations of 40 % and 75 %', () => {
    const { prime, partner_xbtc: partner } = sandboxWorld.lendingPools;
    const used = ({ address }: typeof prime): bigint =>
      fromU256(chain.call(0n, address, 'utilization', [tokens.WBTC.address]));
    expect([used(prime), used(partner)]).toEqual([4n * 10n ** 17n, 75n * 10n ** 16n]);
    expect(chain.call(0n, prime.address, 'asset_config', [tokens.WBTC.address])[10]).toBe(
      10n ** 8n,
    );
  });

  it('only the swap owner can make private swaps in the swap pool of the genesis', () => {
    expect(chain.call(0n, swapPool.address, 'max_fee_bps')).toEqual([500n]);
    const swap = [pools.swap_input_1.address, 0n, ...u256(5n), tokens.ETH.address, ...u256(1n), 0n];
    expect(() =>
      chain.call(accounts.lane1.address, swapPool.address, 'private_swap', swap),
    ).toThrow('Not owner');
    expect(() =>
      chain.call(accounts.swapOwner.address, swapPool.address, 'private_swap', swap),
    ).toThrow('invalid proof');
  });

  it('the genesis has six vaults without funds, owned by the curator', () => {
    const { WBTC } = tokens;
    for (const { address, methods } of Object.values(vaults)) {
      expect(chain.call(0n, address, 'asset')).toEqual([WBTC.address]);
      expect(chain.call(0n, address, 'owner')).toEqual([accounts.curator.address]);
      expect(fromU256(chain.call(0n, address, 'total_assets'))).toBe(0n);
      expect(() =>
        chain.call(accounts.lane1.address, address, methods[0] ?? '', [
          1n,
          0n,
          ...(vaults.trident.address === address ? [3n] : []),
        ]),
      ).toThrow('Not owner');
    }
    expect(Object.keys(vaults)).toHaveLength(6);
  });

  it('buildGenesis rejects an invalid verification key', () => {
    expect(() => buildGenesis({ verificationKey: { protocol: 'plonk' } })).toThrow('groth16');
  });
});
