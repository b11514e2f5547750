import { beforeEach, describe, expect, it } from '@jest/globals';
import { UNLIMITED_ALLOWANCE, erc20, mintTokens } from '../../../src/contracts/erc20.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { TestChain, fromU256, u256 } from './harness.js';

const TOKEN = 0x70n;
const ALICE = 0xa1n;
const BOB = 0xb0bn;
const SPENDER = 0x5en;
const TRANSFER = 0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9n;
const LARGE = 2n ** 200n + 7n;

describe('ERC20 model', () => {
  let chain: TestChain;
  const balance = (owner: bigint): bigint => fromU256(chain.call(0n, TOKEN, 'balance_of', [owner]));

  beforeEach(() => {
    chain = new TestChain();
    const storage: Record<string, bigint> = {};
    mintTokens(recordStorage(storage), ALICE, LARGE);
    chain.deploy(TOKEN, erc20({ name: 'Wrapped BTC', symbol: 'WBTC', decimals: 8 }), storage);
  });

  it('the ERC-20 model returns name and symbol as short strings', () => {
    expect(chain.call(0n, TOKEN, 'symbol')).toEqual([0x57425443n]);
    expect(chain.call(0n, TOKEN, 'name')).toEqual([
      BigInt(`0x${Buffer.from('Wrapped BTC').toString('hex')}`),
    ]);
    expect(chain.call(0n, TOKEN, 'decimals')).toEqual([8n]);
  });

  it('the ERC-20 model stores balances under the storage keys that the engine uses for fees', () => {
    expect(chain.storageOf(TOKEN).get('balance:a1')).toBe(LARGE);
  });

  it('the ERC-20 model returns a u256 as low half and high half, under snake_case and camelCase names', () => {
    const halves = [7n, 2n ** 72n];
    expect(chain.call(0n, TOKEN, 'balance_of', [ALICE])).toEqual(halves);
    expect(chain.call(0n, TOKEN, 'balanceOf', [ALICE])).toEqual(halves);
    expect(chain.call(0n, TOKEN, 'total_supply')).toEqual(halves);
    expect(chain.call(0n, TOKEN, 'totalSupply')).toEqual(halves);
    expect(chain.call(0n, TOKEN, 'balance_of', [BOB])).toEqual([0n, 0n]);
  });

  it('an ERC-20 transfer emits an event with sender and recipient as keys', () => {
    expect(chain.call(ALICE, TOKEN, 'transfer', [BOB, ...u256(2n ** 130n)])).toEqual([1n]);
    expect(balance(ALICE)).toBe(LARGE - 2n ** 130n);
    expect(balance(BOB)).toBe(2n ** 130n);
    expect(chain.events).toEqual([{ from: TOKEN, keys: [TRANSFER, ALICE, BOB], data: [0n, 4n] }]);
  });

  it('an ERC-20 transfer to the sender does not change the balance', () => {
    chain.call(ALICE, TOKEN, 'transfer', [ALICE, ...u256(5n)]);
    expect(balance(ALICE)).toBe(LARGE);
  });

  it.each(['transfer_from', 'transferFrom'])(
    '%s can spend the approved amount, but not more',
    (entrypoint) => {
      chain.call(ALICE, TOKEN, 'approve', [SPENDER, ...u256(100n)]);
      expect(chain.eventsNamed('Approval')).toEqual([
        expect.objectContaining({ data: [100n, 0n] }),
      ]);
      chain.call(SPENDER, TOKEN, entrypoint, [ALICE, BOB, ...u256(60n)]);
      expect(fromU256(chain.call(0n, TOKEN, 'allowance', [ALICE, SPENDER]))).toBe(40n);
      expect(balance(BOB)).toBe(60n);
      expect(() => chain.call(SPENDER, TOKEN, entrypoint, [ALICE, BOB, ...u256(41n)])).toThrow(
        'ERC20: insufficient allowance',
      );
      expect(balance(BOB)).toBe(60n);
    },
  );

  it('a transfer does not reduce an unlimited ERC-20 allowance', () => {
    chain.call(ALICE, TOKEN, 'approve', [SPENDER, ...u256(UNLIMITED_ALLOWANCE)]);
    chain.call(SPENDER, TOKEN, 'transfer_from', [ALICE, BOB, ...u256(60n)]);
    expect(fromU256(chain.call(0n, TOKEN, 'allowance', [ALICE, SPENDER]))).toBe(
      UNLIMITED_ALLOWANCE,
    );
  });

  it.each([
    ['ERC20: insufficient balance', BOB, 'transfer', [ALICE, 1n, 0n]],
    ['ERC20: transfer to 0', ALICE, 'transfer', [0n, 1n, 0n]],
    ['ERC20: transfer from 0', 0n, 'transfer', [BOB, 0n, 0n]],
    ['ERC20: approve to 0', ALICE, 'approve', [0n, 1n, 0n]],
    ['ERC20: approve from 0', 0n, 'approve', [BOB, 1n, 0n]],
    ['ERC20: insufficient allowance', BOB, 'transfer_from', [ALICE, BOB, 1n, 0n]],
    ['Failed to deserialize param #1', ALICE, 'transfer', [2n ** 251n, 1n, 0n]],
    ['Failed to deserialize param #2', ALICE, 'transfer', [BOB, 2n ** 128n, 0n]],
    ['Failed to deserialize param #2', ALICE, 'transfer', [BOB, 1n]],
    ['Failed to deserialize param #1', ALICE, 'balance_of', []],
    ['Input too long for arguments', ALICE, 'transfer', [BOB, 1n, 0n, 0n]],
    ['Input too long for arguments', ALICE, 'decimals', [1n]],
  ])(
    'an ERC-20 call that reverts with "%s" does not change any balance',
    (text, caller, entrypoint, calldata) => {
      expect(() => chain.call(caller, TOKEN, entrypoint, calldata)).toThrow(text);
      expect(balance(ALICE)).toBe(LARGE);
      expect(chain.events).toEqual([]);
    },
  );

  it('the ERC-20 model has no entry point that mints', () => {
    expect(() => chain.call(ALICE, TOKEN, 'mint', [ALICE, 1n, 0n])).toThrow('ENTRYPOINT_NOT_FOUND');
  });

  it('erc20 rejects a name that does not fit into a short string', () => {
    expect(() => erc20({ name: 'x'.repeat(32), symbol: 'X', decimals: 0 })).toThrow(RangeError);
  });
});
