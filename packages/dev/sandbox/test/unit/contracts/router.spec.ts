import { beforeEach, describe, expect, it } from '@jest/globals';
import { erc20, mintTokens } from '../../../src/contracts/erc20.js';
import { exchange, setRate } from '../../../src/contracts/exchange.js';
import { WHOLE, routesFelts, type Route } from '../../../src/contracts/route.js';
import { exchangeKey, router } from '../../../src/contracts/router.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { TestChain, fromU256, u256 } from './harness.js';

const ROUTER = 0x40a7e4n;
const [WBTC, ETH, USDC] = [0xb7cn, 0xe7n, 0x05dcn];
const [GOOD, DEAR, UNKNOWN] = [0xe1n, 0xe2n, 0xe3n];
const TAKER = 0x7a6e4n;
const INTEGRATOR = 0x147n;

interface Choices {
  readonly sellAmount?: bigint;
  readonly minimum?: bigint;
  readonly beneficiary?: bigint;
  readonly integratorFeeBps?: bigint;
  readonly routes?: readonly Route[];
}

const direct = (
  exchangeAddress: bigint,
  percent: bigint = WHOLE,
  params: readonly bigint[] = [],
): Route => ({
  sellToken: WBTC,
  buyToken: ETH,
  swap: { exchange: exchangeAddress, percent, params },
});
const branch = (percent: bigint): Route => ({
  sellToken: WBTC,
  buyToken: ETH,
  swap: {
    principal: { exchange: DEAR, percent: WHOLE, params: [1n, 2n] },
    alternatives: [{ exchange: GOOD, percent, params: [3n] }],
  },
});

describe('router model', () => {
  let chain: TestChain;
  const balance = (token: bigint, owner: bigint): bigint =>
    fromU256(chain.call(0n, token, 'balance_of', [owner]));
  const swap = (choices: Choices = {}): bigint[] => {
    const {
      sellAmount = 1_000n,
      minimum = 0n,
      beneficiary = TAKER,
      integratorFeeBps = 0n,
      routes = [direct(GOOD)],
    } = choices;
    return chain.call(TAKER, ROUTER, 'multi_route_swap', [
      WBTC,
      ...u256(sellAmount),
      ETH,
      ...u256(30_000n),
      ...u256(minimum),
      beneficiary,
      integratorFeeBps,
      INTEGRATOR,
      ...routesFelts(routes),
    ]);
  };

  beforeEach(() => {
    chain = new TestChain();
    for (const [token, symbol] of [
      [WBTC, 'WBTC'],
      [ETH, 'ETH'],
      [USDC, 'USDC'],
    ] as const) {
      const storage: Record<string, bigint> = {};
      for (const holder of [GOOD, DEAR, UNKNOWN])
        mintTokens(recordStorage(storage), holder, 10n ** 9n);
      if (token === WBTC) mintTokens(recordStorage(storage), TAKER, 1_500n);
      chain.deploy(token, erc20({ name: symbol, symbol, decimals: 8 }), storage);
    }
    for (const [address, feeBps] of [
      [GOOD, 0n],
      [DEAR, 100n],
      [UNKNOWN, 0n],
    ] as const) {
      const storage: Record<string, bigint> = {};
      setRate(recordStorage(storage), WBTC, ETH, { sellAmount: 1n, buyAmount: 30n });
      setRate(recordStorage(storage), WBTC, USDC, { sellAmount: 1n, buyAmount: 10n });
      setRate(recordStorage(storage), USDC, ETH, { sellAmount: 2n, buyAmount: 5n });
      chain.deploy(address, exchange({ feeBps }), storage);
    }
    chain.deploy(ROUTER, router, { [exchangeKey(GOOD)]: 1n, [exchangeKey(DEAR)]: 1n });
    chain.call(TAKER, WBTC, 'approve', [ROUTER, ...u256(10_000n)]);
  });

  it('the router sells the approved tokens, pays the caller and emits an event', () => {
    expect(swap({ minimum: 30_000n })).toEqual([1n]);
    expect([balance(WBTC, TAKER), balance(ETH, TAKER)]).toEqual([500n, 30_000n]);
    expect([balance(WBTC, ROUTER), balance(ETH, ROUTER)]).toEqual([0n, 0n]);
    expect(balance(WBTC, GOOD)).toBe(10n ** 9n + 1_000n);
    expect(chain.eventsNamed('Swap').map(({ from, keys, data }) => ({ from, keys, data }))).toEqual(
      [
        {
          from: ROUTER,
          keys: [0xe316f0d9d2a3affa97de1d99bb2aac0538e2666d0d8545545ead241ef0ccabn],
          data: [TAKER, WBTC, 1_000n, 0n, ETH, 30_000n, 0n, TAKER],
        },
      ],
    );
  });

  it('the router parses the published example calldata', () => {
    const calldata = [
      WBTC,
      1_000n,
      0n,
      ETH,
      30_000n,
      0n,
      29_700n,
      0n,
      TAKER,
      0n,
      0n,
      1n,
      WBTC,
      ETH,
      GOOD,
      0xe8d4a51000n,
      2n,
      7n,
      8n,
    ];
    chain.call(TAKER, ROUTER, 'multi_route_swap', calldata);
    expect(balance(ETH, TAKER)).toBe(30_000n);
    const marked = [
      ...calldata.slice(0, 14),
      0x6272616e6368n,
      GOOD,
      0xe8d4a51000n,
      1n,
      7n,
      1n,
      DEAR,
      500_000_000_000n,
      0n,
    ];
    chain.call(TAKER, WBTC, 'approve', [ROUTER, ...u256(10_000n)]);
    chain.call(TAKER, ROUTER, 'multi_route_swap', marked.with(1, 500n).with(6, 0n));
    expect(balance(ETH, TAKER)).toBe(45_000n);
  });

  it('the router model applies the percentage of each route to the balance that is left after the previous routes', () => {
    swap({ routes: [direct(GOOD, (6n * WHOLE) / 10n), direct(DEAR)] });
    expect(balance(ETH, TAKER)).toBe(600n * 30n + (400n * 30n * 99n) / 100n);
  });

  it('the router model can swap through a third token', () => {
    const first: Route = {
      sellToken: WBTC,
      buyToken: USDC,
      swap: { exchange: GOOD, percent: WHOLE, params: [] },
    };
    const second: Route = {
      sellToken: USDC,
      buyToken: ETH,
      swap: { exchange: GOOD, percent: WHOLE, params: [] },
    };
    swap({ routes: [first, second] });
    expect(balance(ETH, TAKER)).toBe(25_000n);
  });

  it('a branch route sells through its alternative exchange if this exchange pays better than the principal exchange', () => {
    swap({ routes: [branch(WHOLE / 4n)] });
    expect(balance(ETH, TAKER)).toBe(250n * 30n + (750n * 30n * 99n) / 100n);
  });

  it('a branch route sells through the principal exchange unless the alternative exchange pays better', () => {
    setRate(
      { get: () => 0n, set: (key, value) => chain.storageOf(GOOD).set(key, value) },
      WBTC,
      ETH,
      { sellAmount: 10n, buyAmount: 297n },
    );
    swap({ routes: [branch(WHOLE / 4n)] });
    expect(balance(ETH, TAKER)).toBe((1_000n * 30n * 99n) / 100n);
  });

  it('the router pays the integrator’s fee from the bought amount', () => {
    swap({ integratorFeeBps: 500n, minimum: 28_500n });
    expect([balance(ETH, TAKER), balance(ETH, INTEGRATOR)]).toEqual([28_500n, 1_500n]);
  });

  it.each<[string, Choices]>([
    ['Beneficiary is not the caller', { beneficiary: TAKER + 1n }],
    ['Token from amount is 0', { sellAmount: 0n }],
    ['Token from balance is too low', { sellAmount: 1_501n }],
    ['Routes is empty', { routes: [] }],
    ['Invalid token from', { routes: [{ ...direct(GOOD), sellToken: USDC }] }],
    ['Invalid token to', { routes: [{ ...direct(GOOD), buyToken: USDC }] }],
    ['Unknown exchange', { routes: [direct(UNKNOWN)] }],
    ['Invalid route percent', { routes: [direct(GOOD, 0n)] }],
    ['Invalid route percent', { routes: [direct(GOOD, WHOLE + 1n)] }],
    ['Invalid route percent', { routes: [branch(0n)] }],
    ['Residual tokens', { routes: [direct(GOOD, WHOLE - 1_000_000_000n)] }],
    ['Insufficient tokens received', { minimum: 30_001n }],
    ['Insufficient tokens received', { minimum: 30_000n, integratorFeeBps: 1n }],
    ['Integrator fees are too high', { integratorFeeBps: 501n }],
  ])(
    'a router swap that reverts with "%s" changes no balance and emits no event',
    (text, choices) => {
      expect(() => swap(choices)).toThrow(new RegExp(`^${text}$`));
      expect([balance(WBTC, TAKER), balance(ETH, TAKER), chain.eventsNamed('Swap')]).toEqual([
        1_500n,
        0n,
        [],
      ]);
    },
  );

  it('the router sells at most the approved amount', () => {
    chain.call(TAKER, WBTC, 'approve', [ROUTER, ...u256(999n)]);
    expect(() => swap()).toThrow('ERC20: insufficient allowance');
  });

  it('the router rejects calldata that is too short or too long, or has a percentage above u128', () => {
    const good = [
      WBTC,
      1_000n,
      0n,
      ETH,
      30_000n,
      0n,
      0n,
      0n,
      TAKER,
      0n,
      0n,
      ...routesFelts([direct(GOOD)]),
    ];
    const send = (calldata: readonly bigint[]): unknown =>
      chain.call(TAKER, ROUTER, 'multi_route_swap', calldata);
    expect(() => send(good.slice(0, -1))).toThrow('Failed to deserialize param #9');
    expect(() => send([...good, 0n])).toThrow('Input too long for arguments');
    expect(() => send(good.with(15, 2n ** 128n))).toThrow('Failed to deserialize param #9');
    expect(() => send(good.with(11, 2n ** 200n))).toThrow('Failed to deserialize param #9');
    expect(() => send(good.with(9, 2n ** 128n))).toThrow('Failed to deserialize param #7');
  });
});
