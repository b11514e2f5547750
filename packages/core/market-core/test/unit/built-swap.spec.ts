import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { checkBuiltSwap } from '../../src/domain/built-swap.js';
import type { BuiltCall } from '../../src/index.js';
import {
  APPROVE,
  BOUGHT,
  HEAD,
  MIDDLE,
  MINIMUM,
  POOL,
  ROUTER,
  ROUTES,
  SELL_AMOUNT,
  SOLD,
  approveCall,
  branch,
  direct,
  order,
  swapCall,
  swapWithRoutes,
} from '../support/built-swap.js';

const BAD = toFelt('0xbad');
const WHOLE = 10n ** 12n;
const with1 = (
  felts: readonly bigint[],
  at: number,
  ...values: readonly bigint[]
): readonly bigint[] => felts.toSpliced(at, values.length, ...values);
const swapWith = (at: number, ...values: readonly bigint[]): readonly BuiltCall[] => [
  approveCall(),
  swapCall([...with1(HEAD, at, ...values), ...ROUTES]),
];

describe('checkBuiltSwap', () => {
  it('returns the minimum output and the routes of a built swap that matches the requested swap', () => {
    const [approval, swap] = [approveCall(), swapCall()];
    expect(checkBuiltSwap([approval, swap], order)).toEqual({
      minimumOut: MINIMUM,
      routes: expect.any(Felts),
      calls: { approval, swap },
    });
    expect(checkBuiltSwap([approveCall(), swapCall()], order).routes.toHex()).toEqual(
      Felts.of(ROUTES).toHex(),
    );
  });

  it('accepts a built swap whose minimum output is above the promised minimum output', () => {
    expect(checkBuiltSwap(swapWith(6, ...u256ToHalves(MINIMUM + 1n)), order).minimumOut).toBe(
      MINIMUM + 1n,
    );
  });

  it('S3 rejects a built swap whose minimum output is below the floor, for any quote and slippage tolerance', () => {
    const built = [approveCall(), swapCall()];
    expect(checkBuiltSwap(built, { ...order, floor: MINIMUM }).minimumOut).toBe(MINIMUM);
    expect(() => checkBuiltSwap(built, { ...order, floor: MINIMUM + 1n })).toThrow(
      expect.objectContaining({ details: { reason: 'minimum_out' } }),
    );
  });

  it('accepts any fee recipient in a built swap without a fee', () => {
    expect(checkBuiltSwap(swapWith(10, 0xbadn), order).minimumOut).toBe(MINIMUM);
  });

  it('accepts branch routes if the pool can parse them', () => {
    const exchange = { address: 0xe8n, percent: 1n, params: [1n] };
    const routes = [
      2n,
      ...branch(SOLD, MIDDLE, {}, [exchange, { ...exchange, params: [] }]),
      ...branch(MIDDLE, BOUGHT),
    ];
    expect(
      checkBuiltSwap(swapWithRoutes(routes), { ...order, allowBranchRoutes: true }).routes.toHex(),
    ).toEqual(Felts.of(routes).toHex());
  });

  it.each<readonly [string, string, readonly BuiltCall[]]>([
    ['no call', 'calls', []],
    ['an approval alone', 'calls', [approveCall()]],
    ['a swap alone', 'calls', [swapCall()]],
    ['the calls in reverse order', 'calls', [swapCall(), approveCall()]],
    ['a third call', 'calls', [approveCall(), swapCall(), approveCall()]],
    [
      'a transfer instead of the approval',
      'calls',
      [approveCall(APPROVE, { entrypoint: 'transfer' }), swapCall()],
    ],
    [
      'another method of the router',
      'calls',
      [approveCall(), swapCall(undefined, { entrypoint: 'swap_exact_token_to' })],
    ],
    ['an approval with an extra felt', 'calls', [approveCall([...APPROVE, 0n]), swapCall()]],
    ['an approval with a missing felt', 'calls', [approveCall(APPROVE.slice(0, 2)), swapCall()]],
    ['an approval without felts', 'calls', [approveCall([]), swapCall()]],
    ['a swap without routes', 'calls', [approveCall(), swapCall(HEAD)]],
    ['a swap without felts', 'calls', [approveCall(), swapCall([])]],
    [
      'an approval of another token',
      'approve_token',
      [approveCall(APPROVE, { to: BAD }), swapCall()],
    ],
    [
      'an approval for another spender',
      'approve_spender',
      [approveCall(with1(APPROVE, 0, 0xbadn)), swapCall()],
    ],
    [
      'an approval of more',
      'approve_amount',
      [approveCall([ROUTER, ...u256ToHalves(SELL_AMOUNT + 1n)]), swapCall()],
    ],
    [
      'an approval of less',
      'approve_amount',
      [approveCall([ROUTER, ...u256ToHalves(SELL_AMOUNT - 1n)]), swapCall()],
    ],
    [
      'an unlimited approval',
      'approve_amount',
      [approveCall([ROUTER, ...u256ToHalves((1n << 256n) - 1n)]), swapCall()],
    ],
    [
      'swapped halves of the amount',
      'approve_amount',
      [approveCall([ROUTER, ...u256ToHalves(SELL_AMOUNT).toReversed()]), swapCall()],
    ],
    [
      'an unknown router',
      'router',
      [approveCall([0xbadn, ...APPROVE.slice(1)]), swapCall(undefined, { to: BAD })],
    ],
    ['another sold token', 'sell_token', swapWith(0, MIDDLE)],
    ['more sold', 'sell_amount', swapWith(1, ...u256ToHalves(SELL_AMOUNT + 1n))],
    ['less sold', 'sell_amount', swapWith(1, ...u256ToHalves(SELL_AMOUNT - 1n))],
    ['another bought token', 'buy_token', swapWith(3, MIDDLE)],
    ['a minimum one below the promise', 'minimum_out', swapWith(6, ...u256ToHalves(MINIMUM - 1n))],
    ['no minimum', 'minimum_out', swapWith(6, 0n, 0n)],
    ['a minimum whose low half is out of range', 'minimum_out', swapWith(6, 1n << 128n, 0n)],
    ['a minimum whose high half is out of range', 'minimum_out', swapWith(6, 0n, 1n << 128n)],
    ['another beneficiary', 'beneficiary', swapWith(8, POOL + 1n)],
    ['no beneficiary', 'beneficiary', swapWith(8, 0n)],
    ['a fee for an integrator', 'integrator_fee', swapWith(9, 1n)],
    ['no routes', 'route_tokens', swapWithRoutes([0n])],
    ['a felt after the routes', 'routes', swapWithRoutes([...ROUTES, 0n])],
    ['fewer routes than counted', 'routes', swapWithRoutes(with1(ROUTES, 0, 3n))],
    ['more routes than counted', 'routes', swapWithRoutes(with1(ROUTES, 0, 1n))],
    ['a huge count', 'routes', swapWithRoutes(with1(ROUTES, 0, (1n << 251n) - 1n))],
    [
      'parameters beyond the end',
      'routes',
      swapWithRoutes([1n, SOLD, BOUGHT, 0xe8n, WHOLE, 3n, 1n, 2n]),
    ],
    [
      'a huge number of parameters',
      'routes',
      swapWithRoutes([1n, SOLD, BOUGHT, 0xe8n, WHOLE, 1n << 250n, 1n]),
    ],
    ['a leg that ends early', 'routes', swapWithRoutes([1n, SOLD, BOUGHT])],
    ['no exchange', 'routes', swapWithRoutes([1n, ...direct(SOLD, BOUGHT, { address: 0n })])],
    [
      'routes that start elsewhere',
      'route_tokens',
      swapWithRoutes([1n, ...direct(MIDDLE, BOUGHT)]),
    ],
    ['routes that end elsewhere', 'route_tokens', swapWithRoutes([1n, ...direct(SOLD, MIDDLE)])],
    [
      'a share of 0',
      'route_percent',
      swapWithRoutes([1n, ...direct(SOLD, BOUGHT, { percent: 0n })]),
    ],
    [
      'a share of more than 100 %',
      'route_percent',
      swapWithRoutes([1n, ...direct(SOLD, BOUGHT, { percent: WHOLE + 1n })]),
    ],
    [
      'a branch that the pool can’t read',
      'route_form',
      swapWithRoutes([1n, ...branch(SOLD, BOUGHT)]),
    ],
    [
      'another form of route',
      'route_percent',
      swapWithRoutes([1n, SOLD, BOUGHT, 0x6c6f6f70n, 0n, 0n, 0n]),
    ],
  ])('rejects a built swap with %s: %s', (_, reason, calls) => {
    expect(() => checkBuiltSwap(calls, order)).toThrow(
      expect.objectContaining({
        code: 'SWAP_BUILD_REJECTED',
        kind: 'upstream_failed',
        details: { reason },
      }),
    );
  });

  it.each<readonly [string, string, readonly bigint[]]>([
    ['a marker at the end', 'routes', [1n, SOLD, BOUGHT, 0x6272616e6368n]],
    ['a branch without its alternatives', 'routes', [1n, ...branch(SOLD, BOUGHT).slice(0, -1)]],
    [
      'an alternative with a share of 0',
      'route_percent',
      [1n, ...branch(SOLD, BOUGHT, {}, [{ address: 1n, percent: 0n, params: [] }])],
    ],
    [
      'an alternative with a share of more than 100 %',
      'route_percent',
      [1n, ...branch(SOLD, BOUGHT, {}, [{ address: 1n, percent: WHOLE + 1n, params: [] }])],
    ],
    [
      'a branch within a branch',
      'route_percent',
      [1n, ...branch(SOLD, BOUGHT, {}, [{ address: 0x6272616e6368n, percent: 0n, params: [] }])],
    ],
  ])('rejects %s even if the pool can parse branch routes: %s', (_, reason, routes) => {
    expect(() =>
      checkBuiltSwap(swapWithRoutes(routes), { ...order, allowBranchRoutes: true }),
    ).toThrow(expect.objectContaining({ details: { reason } }));
  });

  it('requires a positive minimum output even if the promised minimum rounds down to 0', () => {
    const tiny = { ...order, quotedAmount: 1n };
    expect(() => checkBuiltSwap(swapWith(6, 0n, 0n), tiny)).toThrow(
      expect.objectContaining({ details: { reason: 'minimum_out' } }),
    );
    expect(checkBuiltSwap(swapWith(6, 1n, 0n), tiny).minimumOut).toBe(1n);
  });
});
