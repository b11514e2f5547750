import { describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, Felts } from '@sotto/kernel';
import * as fc from 'fast-check';
import {
  leverageCalldata,
  parseLeverageCall,
  parsePosition,
  type LeverageArgument,
  type LeverageCall,
  type LeverageEntry,
  type LeverageLayout,
} from '../../src/index.js';
import { LEVER, ROUNDS } from '../support/leverage-world.js';

const u256 = fc.bigInt(0n, 2n ** 256n - 1n);
const felt = fc.bigInt(0n, FIELD_PRIME - 1n);
const felts = (minLength: number): fc.Arbitrary<Felts> =>
  fc.array(felt, { minLength, maxLength: 12 }).map((values) => Felts.of(values));
const call: fc.Arbitrary<LeverageCall> = fc.record({
  direction: fc.constantFrom('up', 'down'),
  expectedDebt: u256,
  amount: u256,
  minimumOut: u256,
  routes: felts(1),
});

/** Generates layouts whose arguments are in any order and mixed with constant numbers. */
const recipe = (amount: 'borrow' | 'withdraw'): fc.Arbitrary<LeverageEntry> =>
  fc
    .tuple(
      fc.shuffledSubarray(['expected_debt', amount, 'minimum', 'routes', 'increase'] as const, {
        minLength: 5,
      }),
      fc.array(fc.nat(1_000), { maxLength: 3 }),
    )
    .map(([names, numbers]) => {
      const calldata: LeverageArgument[] = [...numbers, ...names];
      return { entrypoint: amount, calldata };
    });
const layout: fc.Arbitrary<LeverageLayout> = fc.oneof(
  fc.constantFrom(ROUNDS, LEVER),
  fc
    .tuple(recipe('borrow'), recipe('withdraw'))
    .map(([up, down]) => ({ ...ROUNDS, form: 'rounds' as const, up, down })),
);

describe('layout of a leveraged vault', () => {
  it('a leverage round’s arguments are encoded in the order that the contract expects', () => {
    const routes = Felts.of([1n, 9n]);
    const amounts = { expectedDebt: 2n ** 128n + 5n, amount: 7n, minimumOut: 8n, routes };
    const hex = (form: LeverageLayout, direction: 'up' | 'down'): readonly string[] =>
      leverageCalldata(form, { ...amounts, direction }).toHex();
    const [debt, amount, minimum] = [
      ['0x5', '0x1'],
      ['0x7', '0x0'],
      ['0x8', '0x0'],
    ] as const;
    const none = ['0x0', '0x0'];
    const path = ['0x1', '0x9'];
    expect(hex(ROUNDS, 'up')).toEqual([...debt, ...amount, ...minimum, ...path]);
    expect(hex(ROUNDS, 'down')).toEqual([...debt, ...amount, ...minimum, ...path]);
    expect(hex(LEVER, 'up')).toEqual([
      '0x7',
      '0x1',
      ...amount,
      ...none,
      ...minimum,
      ...path,
      ...debt,
    ]);
    expect(hex(LEVER, 'down')).toEqual([
      '0x7',
      '0x0',
      ...none,
      ...amount,
      ...minimum,
      ...path,
      ...debt,
    ]);
  });

  it('decodes every leverage call from its own calldata', () => {
    fc.assert(
      fc.property(layout, call, (laidOut, made) => {
        const read = parseLeverageCall(laidOut, made.direction, leverageCalldata(laidOut, made));
        expect(read).toMatchObject({ ...made, routes: expect.anything() });
        expect(read?.routes.equals(made.routes)).toBe(true);
      }),
    );
  });

  it('returns null for felts that are not calldata of the configured leverage layout', () => {
    fc.assert(
      fc.property(layout, felts(0), fc.constantFrom('up', 'down'), (laidOut, any, direction) => {
        const read = parseLeverageCall(laidOut, direction, any);
        expect(read === null || leverageCalldata(laidOut, read).equals(any)).toBe(true);
      }),
    );
  });

  it('parses a vault’s position view with yearly rates and rejects a wrong number of felts', () => {
    const view: LeverageLayout = {
      ...ROUNDS,
      position: {
        entrypoint: 'position',
        ratesPerSecond: true,
        fields: [
          { field: 'unused', felts: 1 },
          { field: 'debt', felts: 2 },
          { field: 'collateral', felts: 1 },
          { field: 'borrowRateE18', felts: 2 },
          { field: 'maxLtvE18', felts: 2 },
        ],
      },
    };
    const values = [99n, 5n, 1n, 7n, 3n, 0n, 11n, 0n];
    expect(parsePosition(view, Felts.of(values))).toEqual({
      collateral: 7n,
      debt: 2n ** 128n + 5n,
      borrowRateE18: 3n * 31_104_000n,
      maxLtvE18: 11n,
    });
    expect(parsePosition(view, Felts.of(values.slice(1)))).toBeNull();
    expect(parsePosition(view, Felts.of([...values, 0n]))).toBeNull();
    expect(parsePosition(view, Felts.of(values.with(2, 2n ** 128n)))).toBeNull();
  });
});
