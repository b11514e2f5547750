import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Felts, toFelt } from '@sotto/kernel';
import { feltsOfOrder, layoutProblems, parseOrder, type OrderLayout } from '../../src/index.js';
import { encodeOrder, type FakeOrder } from '../../src/testing/index.js';
import { OTHER_CONTRACT, PLAIN_CONTRACT } from '../support/contracts.js';

const CONTRACTS = [PLAIN_CONTRACT, OTHER_CONTRACT];

const fakeOrder: fc.Arbitrary<FakeOrder> = fc
  .record({
    sellToken: fc.bigInt({ min: 1n, max: 2n ** 250n }).map(toFelt),
    amount: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
    deposited: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    spentPercent: fc.bigInt({ min: 0n, max: 100n }),
    frequency: fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }),
    total: fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }),
    executedPercent: fc.bigInt({ min: 0n, max: 100n }),
    lastExecution: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    isSmart: fc.boolean(),
    isCancelled: fc.boolean(),
  })
  .map(({ spentPercent, executedPercent, ...order }) => ({
    ...order,
    spent: (order.deposited * spentPercent) / 100n,
    executed: (order.total * executedPercent) / 100n,
  }));

describe('parseOrder', () => {
  it('decodes an order exactly for any sequence of its fields in the contract', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CONTRACTS), fakeOrder, (contract, order) => {
        expect(parseOrder(contract.layout, encodeOrder(contract, order))).toEqual({
          sellToken: order.sellToken,
          amount: order.amount,
          remaining: order.deposited - order.spent,
          frequencySeconds: order.frequency,
          total: Number(order.total),
          executed: Number(order.executed),
          lastExecution: order.lastExecution,
          isSmart: order.isSmart,
          isActive: !order.isCancelled,
        });
      }),
    );
  });

  it('an order with a missing or an added felt is unreadable', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CONTRACTS), fakeOrder, (contract, order) => {
        const felts = encodeOrder(contract, order);
        const longer = Felts.of([...felts.toHex().map(BigInt), 0n]);
        expect(parseOrder(contract.layout, felts.slice(0, felts.length - 1))).toBe('unreadable');
        expect(parseOrder(contract.layout, longer)).toBe('unreadable');
      }),
    );
  });

  it('parseOrder returns a valid order or unreadable for any felts, and never throws', () => {
    const value = fc.oneof(
      fc.bigInt({ min: 0n, max: 3n }),
      fc.bigInt({ min: 0n, max: 2n ** 33n }),
      fc.bigInt({ min: 0n, max: 2n ** 251n }),
    );
    const felts = fc.constantFrom(...CONTRACTS).chain(({ layout }) => {
      const length = feltsOfOrder(layout);
      return fc.tuple(
        fc.constant(layout),
        fc.array(value, { minLength: length, maxLength: length }),
      );
    });
    fc.assert(
      fc.property(felts, ([layout, values]) => {
        const order = parseOrder(layout, Felts.of(values));
        if (order === 'unreadable') return;
        expect(order.amount > 0n && order.frequencySeconds > 0n).toBe(true);
        expect(order.executed).toBeLessThanOrEqual(order.total);
        expect(order.total).toBeLessThan(2 ** 32);
      }),
    );
  });

  it.each([
    ['an amount of 0', { amount: 0n }],
    ['a frequency of 0', { frequency: 0n }],
    ['no executions', { total: 0n }],
    ['more executions than ordered', { executed: 11n }],
  ])('an order with %s is unreadable', (_, change) => {
    const order: FakeOrder = {
      sellToken: toFelt('0x05dc'),
      amount: 1n,
      deposited: 10n,
      spent: 0n,
      frequency: 3_600n,
      total: 10n,
      executed: 0n,
      lastExecution: 0n,
      isSmart: false,
      isCancelled: false,
    };
    for (const contract of CONTRACTS) {
      expect(parseOrder(contract.layout, encodeOrder(contract, order))).not.toBe('unreadable');
      expect(parseOrder(contract.layout, encodeOrder(contract, { ...order, ...change }))).toBe(
        'unreadable',
      );
    }
  });

  it('an order is unreadable if a flag is neither 0 nor 1, or half of a u256 is too large', () => {
    const { layout } = PLAIN_CONTRACT;
    const good = [0n, 0x5dcn, 5n, 0n, 50n, 0n, 3_600n, 10n, 0n, 0n, 1n, 1n];
    expect(parseOrder(layout, Felts.of(good))).toMatchObject({ amount: 5n, isSmart: true });
    expect(parseOrder(layout, Felts.of(good.with(10, 2n)))).toBe('unreadable');
    expect(parseOrder(layout, Felts.of(good.with(3, 2n ** 128n)))).toBe('unreadable');
    expect(parseOrder(layout, Felts.of(good.with(6, 2n ** 64n)))).toBe('unreadable');
  });
});

describe('layoutProblems', () => {
  const { layout } = PLAIN_CONTRACT;

  it('an order layout with each field once has no problem', () => {
    for (const contract of CONTRACTS) expect(layoutProblems(contract.layout)).toEqual([]);
  });

  it('missing and duplicate fields of an order layout are reported', () => {
    const broken: OrderLayout = {
      ...layout,
      fields: [
        ...layout.fields.filter(({ name }) => name !== 'active' && name !== 'remaining'),
        { name: 'spent', size: 'u256' },
        { name: 'total', size: 'u32' },
      ],
      execution: ['order', 'order', 'routes'],
      mayerMultiple: { size: 'u256', scale: 0n },
    };
    expect(layoutProblems(broken)).toEqual([
      'the order has no field remaining or deposited',
      'the order has no field active or cancelled',
      'the order has more than one field total',
      'the call that executes an order has to have order once',
      'the call that executes an order has to have minimum once',
      'the scale of the Mayer Multiple has to be above 0',
    ]);
  });
});
