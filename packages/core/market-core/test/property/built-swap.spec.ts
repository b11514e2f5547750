import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import * as fc from 'fast-check';
import { checkBuiltSwap, type SwapOrder } from '../../src/domain/built-swap.js';
import { minimumOut } from '../../src/domain/swap.js';
import { readRoutes } from '../../src/domain/swap-routes.js';
import { SwapBuildRejected, type BuiltCall } from '../../src/index.js';
import {
  APPROVE,
  BOUGHT,
  HEAD,
  ROUTES,
  SOLD,
  approveCall,
  branch,
  direct,
  order,
  swapCall,
  swapWithRoutes,
} from '../support/built-swap.js';

const BRANCH = 0x6272616e6368n;
const felt = fc.bigInt({ min: 0n, max: 1n << 251n });
const exchange = fc.record({
  address: felt.filter((address) => address !== 0n && address !== BRANCH),
  percent: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  params: fc.array(felt, { maxLength: 4 }),
});
const leg = fc
  .tuple(felt, felt, exchange, fc.option(fc.array(exchange, { maxLength: 3 })))
  .map(([sell, buy, principal, alternatives]) =>
    alternatives === null
      ? direct(sell, buy, principal)
      : branch(sell, buy, principal, alternatives),
  );
const routes = fc.array(leg, { maxLength: 5 }).map((legs) => [BigInt(legs.length), ...legs.flat()]);

/**
 * Positions of the felts before the routes that are not checked: the quoted amount, and the
 * recipient of a fee of zero.
 */
const FREE = new Set([4, 5, 10]);
const PLACES = [
  ...APPROVE.map((_, at) => ({ call: 'approve', at })),
  ...HEAD.map((_, at) => ({ call: 'swap', at })),
].filter(({ call, at }) => call === 'approve' || !FREE.has(at));

/** Returns the minimum of an accepted build, or `refused`; rethrows any other error. */
function verdictOn(calls: readonly BuiltCall[], on: SwapOrder = order): bigint | 'refused' {
  try {
    return checkBuiltSwap(calls, on).minimumOut;
  } catch (error) {
    if (error instanceof SwapBuildRejected) return 'refused';
    throw error;
  }
}

describe('checkBuiltSwap', () => {
  it('rejects a built swap with any changed felt at a checked position, unless the minimum output is higher', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), felt, ({ call, at }, value) => {
        const felts = call === 'approve' ? APPROVE : HEAD;
        fc.pre(felts[at] !== value);
        const changed = felts.with(at, value);
        const calls =
          call === 'approve'
            ? [approveCall(changed), swapCall()]
            : [approveCall(), swapCall([...changed, ...ROUTES])];
        const raised =
          call === 'swap' &&
          (at === 6 || at === 7) &&
          value > (felts[at] ?? 0n) &&
          value < 1n << 128n;
        expect(verdictOn(calls) === 'refused').toBe(!raised);
      }),
    );
  });

  it('the check of a built swap with arbitrary felts either accepts the swap or throws SwapBuildRejected', () => {
    fc.assert(
      fc.property(
        fc.array(felt, { maxLength: 40 }),
        fc.array(felt, { maxLength: 5 }),
        (swap, approval) => {
          for (const calls of [
            [approveCall(approval), swapCall()],
            [approveCall(), swapCall(swap)],
            swapWithRoutes(swap),
          ]) {
            expect(() => verdictOn(calls)).not.toThrow();
          }
        },
      ),
    );
  });

  it('accepts a minimum output of at least the quoted amount less the tolerance, and rejects any lower minimum', () => {
    const u256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
    const near = fc.tuple(u256, fc.bigInt({ min: -3n, max: 3n }), fc.boolean());
    fc.assert(
      fc.property(
        near,
        fc.integer({ min: 1, max: 150_000 }),
        u256,
        ([quotedAmount, offset, close], slippagePpm, far) => {
          const promised = (quotedAmount * (1_000_000n - BigInt(slippagePpm))) / 1_000_000n;
          const minimum = close ? promised + offset : far;
          fc.pre(minimum >= 0n);
          const head = HEAD.toSpliced(6, 2, minimum & ((1n << 128n) - 1n), minimum >> 128n);
          const verdict = verdictOn([approveCall(), swapCall([...head, ...ROUTES])], {
            ...order,
            quotedAmount,
            slippagePpm,
          });
          expect(verdict).toBe(minimum > 0n && minimum >= promised ? minimum : 'refused');
        },
      ),
    );
  });
});

describe('readRoutes', () => {
  it('parses all felts of valid routes', () => {
    fc.assert(
      fc.property(routes, (felts) => {
        expect(readRoutes(Felts.of(felts))).toHaveLength(Number(felts[0]));
      }),
    );
  });

  it('rejects routes with missing or extra felts', () => {
    fc.assert(
      fc.property(
        routes,
        fc.nat(),
        fc.array(felt, { minLength: 1, maxLength: 3 }),
        (felts, cut, more) => {
          expect(() => readRoutes(Felts.of(felts.slice(0, cut % felts.length)))).toThrow(
            SwapBuildRejected,
          );
          expect(() => readRoutes(Felts.of([...felts, ...more]))).toThrow(SwapBuildRejected);
        },
      ),
    );
  });

  it('requires that the legs of a route connect the sold token to the bought token', () => {
    fc.assert(
      fc.property(leg, leg, (first, last) => {
        const open = { ...order, allowBranchRoutes: true };
        const legs = [...first.with(0, SOLD), ...last.with(1, BOUGHT)];
        expect(checkBuiltSwap(swapWithRoutes([2n, ...legs]), open).routes.length).toBe(
          legs.length + 1,
        );
        fc.pre(first[0] !== SOLD);
        expect(() =>
          checkBuiltSwap(swapWithRoutes([2n, ...first, ...last.with(1, BOUGHT)]), open),
        ).toThrow(SwapBuildRejected);
      }),
    );
  });
});

describe('minimumOut', () => {
  it('the minimum output is the quoted amount less the tolerance, rounded down, and never more than the quoted amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
        fc.integer({ min: 1, max: 150_000 }),
        (amount, ppm) => {
          const least = minimumOut(amount, ppm);
          const exact = amount * (1_000_000n - BigInt(ppm));
          expect(least * 1_000_000n <= exact && (least + 1n) * 1_000_000n > exact).toBe(true);
          expect(least <= amount && minimumOut(amount, ppm + 1) <= least).toBe(true);
        },
      ),
    );
  });
});
