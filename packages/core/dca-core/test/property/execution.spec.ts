import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Felts, toFelt } from '@sotto/kernel';
import {
  amountOf,
  dueAt,
  executionCalldata,
  isProfitable,
  orderIdOf,
  orderSubject,
  readExecution,
} from '../../src/domain/execution.js';
import { judgeOrder } from '../../src/domain/judge-order.js';
import { BANDS, bandOf, confirms, factorOf } from '../../src/domain/mayer-multiple.js';
import type { ExecutionRecipe, Order } from '../../src/index.js';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const u256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const amount = fc.bigInt({ min: 1n, max: 2n ** 128n });

const order = (changes: Partial<Order> = {}): Order => ({
  sellToken: toFelt('0x05dc'),
  amount: 1_000n,
  remaining: 100_000n,
  frequencySeconds: 3_600n,
  total: 10,
  executed: 0,
  lastExecution: 0n,
  isSmart: false,
  isActive: true,
  ...changes,
});

const facts = (order_: Order) => ({ order: order_, blockTime: 2_000_000, mayer: null });

describe('amount of an execution', () => {
  it('an execution sells at most the order’s remaining deposit and at most the amount for its Mayer Multiple', () => {
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(...BANDS, null), (each, remaining, band) => {
        const factor = band === null ? null : factorOf(band);
        const sold = amountOf({ amount: each, remaining }, factor);
        expect(sold <= remaining).toBe(true);
        const { numerator, denominator } = factor ?? { numerator: 1n, denominator: 1n };
        expect(sold * denominator <= each * numerator).toBe(true);
        const isMost = sold === remaining || (sold + 1n) * denominator > each * numerator;
        expect(isMost).toBe(true);
      }),
    );
  });

  it.each([
    ['1.5', 1_500n],
    ['1.25', 1_250n],
    ['1', 1_000n],
    ['0.75', 750n],
    ['0.5', 500n],
  ] as const)('the factor %s changes the amount of an execution to %s', (band, sold) => {
    expect(amountOf(order(), factorOf(band))).toBe(sold);
    expect(amountOf(order({ remaining: 600n }), factorOf(band))).toBe(sold < 600n ? sold : 600n);
  });

  it('two executions of a smart order at the highest factor use up a deposit of three times the order’s amount', () => {
    const first = amountOf(order({ remaining: 3_000n }), factorOf('1.5'));
    expect(first + amountOf(order({ remaining: 3_000n - first }), factorOf('1.5'))).toBe(3_000n);
  });
});

describe('due time of an execution', () => {
  it('an order’s first execution is due at once, and each later execution after one more period', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 40n }), u64, (lastExecution, frequency) => {
        expect(dueAt({ lastExecution: 0n, frequencySeconds: frequency })).toBe(0n);
        expect(dueAt({ lastExecution, frequencySeconds: frequency })).toBe(
          lastExecution + frequency,
        );
      }),
    );
  });

  it('an order’s due time is compared with the block’s time, to the second', () => {
    const waiting = order({ executed: 1, lastExecution: 1_000_000n });
    const at = (blockTime: number) => judgeOrder({ order: waiting, blockTime, mayer: null });
    expect(at(1_003_599)).toEqual({
      kind: 'skip',
      reason: 'NOT_DUE',
      details: {},
      dueAtMs: 1_003_600_000,
    });
    expect(at(1_003_600)).toMatchObject({ kind: 'execute', amount: 1_000n, band: null });
  });

  it('an order has only one due execution after any number of missed periods', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (periods) => {
        const lastExecution = 1_000_000n;
        const blockTime = 1_000_000 + 3_600 * (periods + 1);
        const late = order({ executed: 1, lastExecution });
        expect(judgeOrder({ order: late, blockTime, mayer: null })).toMatchObject({
          kind: 'execute',
          amount: 1_000n,
        });
        const after = order({ executed: 2, lastExecution: BigInt(blockTime) });
        expect(judgeOrder({ order: after, blockTime, mayer: null })).toMatchObject({
          reason: 'NOT_DUE',
          dueAtMs: (blockTime + 3_600) * 1_000,
        });
      }),
    );
  });
});

/**
 * Returns true if the multiple, in millionths, is at or above the edge of a band but would be below
 * it if the multiple fell by the margin.
 */
function isJustAbove(millionths: bigint, marginBps: bigint): boolean {
  const lowered = millionths * (10_000n - marginBps);
  const below = [800_000n, 1_000_000n, 1_500_000n].some(
    (edge) => millionths >= edge && lowered < edge * 10_000n,
  );
  return below || (millionths > 2_000_000n && lowered <= 2_000_000n * 10_000n);
}

describe('judgeOrder', () => {
  it.each([
    ['was cancelled', order({ isActive: false })],
    ['has had all executions', order({ executed: 10, lastExecution: 5n })],
    ['has nothing left', order({ remaining: 0n })],
  ])('skips an order that %s', (_, ended) => {
    expect(judgeOrder(facts(ended))).toMatchObject({ reason: 'ORDER_ENDED' });
  });

  it('a smart order is executed only if the service’s Mayer Multiple confirms the contract’s multiple', () => {
    const multiple = fc.record({
      numerator: fc.bigInt({ min: 0n, max: 3_000_000n }),
      denominator: fc.constant(1_000_000n),
    });
    fc.assert(
      fc.property(
        fc.nat(3),
        fc.option(multiple),
        multiple,
        fc.boolean(),
        (sources, ours, contracts, isOurs) => {
          const mayer = { sources, ours, contracts: isOurs && ours !== null ? ours : contracts };
          const judged = judgeOrder({ ...facts(order({ isSmart: true })), mayer });
          const expected = (): object => {
            if (sources < 2) return { reason: 'SMART_ORDERS_OFF' };
            if (ours === null) return { reason: 'MAYER_UNKNOWN' };
            if (!confirms(ours, mayer.contracts)) return { reason: 'MAYER_DISPUTED' };
            return isJustAbove(mayer.contracts.numerator, 100n)
              ? { reason: 'NEAR_BAND_EDGE' }
              : { kind: 'execute', band: bandOf(ours) };
          };
          expect(judged).toMatchObject(expected());
        },
      ),
    );
  });

  it('skips a smart order if a small fall of the Mayer Multiple would increase the sold amount', () => {
    const DAY = 86_400n;
    const overdue = fc.bigInt({ min: 0n, max: 3n * DAY });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 700_000n, max: 2_200_000n }),
        overdue,
        fc.boolean(),
        fc.constantFrom(1_000n, 100_000n),
        (numerator, overdueSeconds, isFirst, remaining) => {
          const multiple = { numerator, denominator: 1_000_000n };
          const mayer = { sources: 2, ours: multiple, contracts: multiple };
          const lastExecution = isFirst ? 0n : 2_000_000n - 3_600n - overdueSeconds;
          const judged = judgeOrder({
            ...facts(order({ isSmart: true, remaining, lastExecution })),
            mayer,
          });
          const marginBps = !isFirst && overdueSeconds >= DAY ? 25n : 100n;
          const band = bandOf(multiple);
          // In every band, the sold amount is at most the remaining deposit.
          const canGrow = amountOf(order({ remaining }), factorOf(band)) < remaining;
          expect(judged).toMatchObject(
            canGrow && isJustAbove(numerator, marginBps)
              ? { reason: 'NEAR_BAND_EDGE' }
              : { kind: 'execute', band },
          );
        },
      ),
    );
  });

  it('requests the Mayer Multiple only for smart orders that are due', () => {
    expect(judgeOrder(facts(order({ isSmart: true }))).kind).toBe('needs_mayer');
    expect(
      judgeOrder(facts(order({ isSmart: true, executed: 1, lastExecution: 1_999_000n }))).kind,
    ).toBe('skip');
  });

  it('skips an order whose adjusted amount rounds to 0', () => {
    const mayer = {
      sources: 2,
      ours: { numerator: 3n, denominator: 1n },
      contracts: { numerator: 3n, denominator: 1n },
    };
    expect(judgeOrder({ ...facts(order({ isSmart: true, amount: 1n })), mayer })).toMatchObject({
      reason: 'UNPROFITABLE',
    });
  });
});

describe('profitability of an execution', () => {
  // The exact values are 0.01 BTC at 60,000 USD; a fee of 0.1 % is 0.60 USD, or 15 STRK at 0.04
  // USD.
  const economics = {
    minimumSats: 1_000_000n,
    keeperFeeBps: 10,
    prices: [{ strkUsdE8: 4_000_000n, wbtcUsdE8: 6_000_000_000_000n }],
    leastFeePercent: 100,
  };
  const FEE_FRI = 15n * 10n ** 18n;

  it('isProfitable is exact to one fri, with a margin and without a margin', () => {
    expect(isProfitable({ ...economics, costFri: FEE_FRI })).toBe(true);
    expect(isProfitable({ ...economics, costFri: FEE_FRI + 1n })).toBe(false);
    const margin = { ...economics, leastFeePercent: 120 };
    expect(isProfitable({ ...margin, costFri: (FEE_FRI * 10n) / 12n })).toBe(true);
    expect(isProfitable({ ...margin, costFri: (FEE_FRI * 10n) / 12n + 1n })).toBe(false);
  });

  it('an execution must be profitable at the prices of every source, even the source that values the fee lowest', () => {
    const dear = { strkUsdE8: 4_040_000n, wbtcUsdE8: 6_000_000_000_000n };
    const prices = [...economics.prices, dear];
    expect(isProfitable({ ...economics, prices, costFri: FEE_FRI })).toBe(false);
  });

  it('an execution that is profitable at one cost is profitable at every lower cost', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.nat(500),
        (a, b, leastFeePercent) => {
          const [low, high] = a < b ? [a, b] : [b, a];
          const at = (costFri: bigint) => isProfitable({ ...economics, leastFeePercent, costFri });
          expect(at(low) || !at(high)).toBe(true);
        },
      ),
    );
  });
});

describe('calldata of an execution', () => {
  const felts = fc
    .array(fc.bigInt({ min: 0n, max: 2n ** 250n }), { minLength: 1, maxLength: 20 })
    .map((values) => Felts.of(values));
  const recipes: readonly ExecutionRecipe[] = [
    ['order', 'minimum', 'routes'],
    ['routes', 'minimum', 'order'],
    [7, 'minimum', 'routes', 3, 'order'],
  ];

  it('decodes an execution’s calldata to the original call, for any order of the arguments', () => {
    fc.assert(
      fc.property(fc.constantFrom(...recipes), u64, u256, felts, (recipe, id, minimum, routes) => {
        const calldata = executionCalldata(recipe, { orderId: id, minimumSats: minimum, routes });
        const read = readExecution(recipe, calldata);
        expect(read).toMatchObject({ orderId: id, minimumSats: minimum });
        expect(read?.routes.equals(routes)).toBe(true);
      }),
    );
  });

  it('encodes an execution’s arguments in the configured order', () => {
    const call = { orderId: 5n, minimumSats: 2n ** 128n + 9n, routes: Felts.of([1n, 42n]) };
    const [first, second] = recipes;
    if (first === undefined || second === undefined) throw new Error('no recipes');
    expect(executionCalldata(first, call).toHex()).toEqual(['0x5', '0x9', '0x1', '0x1', '0x2a']);
    expect(executionCalldata(second, call).toHex()).toEqual(['0x1', '0x2a', '0x9', '0x1', '0x5']);
  });

  it('decodes no execution from felts that the configured argument order can’t produce', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...recipes),
        fc.array(fc.bigInt({ min: 0n, max: 2n ** 251n }), { maxLength: 12 }),
        (recipe, values) => {
          const calldata = Felts.of(values);
          const read = readExecution(recipe, calldata);
          const again = read === null ? calldata : executionCalldata(recipe, read);
          expect(again.equals(calldata)).toBe(true);
        },
      ),
    );
    expect(readExecution(['order', 'minimum', 'routes'], Felts.of([2n ** 64n, 1n, 0n, 0n]))).toBe(
      null,
    );
    expect(readExecution(['order', 'minimum', 'routes'], Felts.of([1n, 2n ** 128n, 0n, 0n]))).toBe(
      null,
    );
  });
});

describe('subject of an order', () => {
  it('an order’s subject is its decimal id, and no other text is read as an order id', () => {
    fc.assert(fc.property(u64, (id) => expect(orderIdOf(orderSubject(id))).toBe(id)));
    for (const text of ['', '01', '-1', '0x1', '1.0', ' 1', (2n ** 64n).toString(), '9'.repeat(99)])
      expect(orderIdOf(text)).toBeNull();
  });
});
