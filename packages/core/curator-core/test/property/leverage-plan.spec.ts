import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  healthE18,
  leverageBps,
  leverageLimitBps,
  missingRepayment,
  planLeverage,
  trimToNeeded,
  usableLtvE18,
  type LeverageLimits,
  type LeverageQuestion,
} from '../../src/index.js';

const ONE = 10n ** 18n;
const percent = (from: number, to: number): fc.Arbitrary<bigint> =>
  fc.integer({ min: from * 100, max: to * 100 }).map((bps) => (BigInt(bps) * ONE) / 10_000n);

const limits: fc.Arbitrary<LeverageLimits> = fc.record({
  safetyDistanceE18: percent(2, 20),
  healthFloorE18: percent(100, 120),
  swapCostPpm: fc.bigInt(0n, 50_000n),
  maxRounds: fc.integer({ min: 1, max: 30 }),
  minRoundDebt: fc.bigInt(1_000_000n, 100_000_000n),
  // The value is at least a tenth of the smallest position, so that no plan needs a thousand rounds
  // down.
  maxRoundDebt: fc.bigInt(10n ** 12n, 10n ** 15n),
  toleranceBps: fc.bigInt(50n, 500n),
  dustDebt: fc.bigInt(0n, 100_000n),
  accrualSeconds: fc.bigInt(0n, 3_600n),
});

/**
 * Generates prices of WBTC (8 decimals) against USDC (6 decimals), from 10,000 to 1,000,000 USD.
 */
const price = fc.record({
  numerator: fc.bigInt(10n ** 12n, 10n ** 14n).map((usdE8) => usdE8 * 10n ** 6n),
  denominator: fc.bigInt(99_000_000n, 101_000_000n).map((usdE8) => usdE8 * 10n ** 8n),
});

/** Generates positions without debt, with targets that are mostly reachable. */
const requested: fc.Arbitrary<{ question: LeverageQuestion; within: LeverageLimits }> = fc
  .record({
    collateral: fc.bigInt(10n ** 6n, 10n ** 10n),
    freeLiquidity: fc.bigInt(10n ** 9n, 10n ** 15n),
    maxLtvE18: percent(50, 93),
    price,
    share: fc.integer({ min: 0, max: 110 }),
    form: fc.constantFrom('rounds' as const, 'lever' as const),
    within: limits,
  })
  .map(({ collateral, freeLiquidity, maxLtvE18, share, within, form, ...rest }) => {
    const above = leverageLimitBps(maxLtvE18, form, within) - 10_000;
    const targetBps = Math.min(50_000, 10_000 + Math.floor((above * share) / 100));
    const rates = { borrowRateE18: 0n, supplyRateE18: 0n };
    const position = { collateral, debt: 0n, freeLiquidity, maxLtvE18, ...rates };
    return { within, question: { ...rest, form, targetBps, position } };
  });
const RUNS = { numRuns: 500 };

/** Returns the positions after each round of the plan that starts from this position. */
function madeBy(start: LeverageQuestion, within: LeverageLimits): readonly LeverageQuestion[] {
  const plan = planLeverage(start, within);
  return plan.kind === 'rounds'
    ? plan.rounds.map(({ after }) => ({ ...start, position: { ...start.position, ...after } }))
    : [];
}

const lowered = ({ price: { numerator, denominator } }: LeverageQuestion, by: bigint) => ({
  numerator: numerator * (ONE - by),
  denominator: denominator * ONE,
});

describe('planLeverage', () => {
  it('planLeverage returns rounds for most of the generated leverage targets', () => {
    const kinds = fc.sample(requested, 500).map(({ question, within }) => {
      const plan = planLeverage(question, within);
      return plan.kind;
    });
    expect(kinds.filter((kind) => kind === 'rounds').length).toBeGreaterThan(300);
    expect(kinds).toContain('unreachable');
    expect(kinds).toContain('at_target');
  });

  it('no planned round increases the loan-to-value above the usable maximum', () => {
    fc.assert(
      fc.property(requested, ({ question, within }) => {
        const { maxLtvE18 } = question.position;
        const guard = (maxLtvE18 * ONE) / usableLtvE18(maxLtvE18, within);
        for (const { position } of madeBy(question, within)) {
          const health = healthE18(position, question.price, maxLtvE18);
          expect(health).not.toBeNull();
          expect((health ?? 0n) >= guard - 1n).toBe(true);
          expect((health ?? 0n) >= within.healthFloorE18).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('a borrowing plan has at most maxRounds rounds within the limits and the free liquidity', () => {
    fc.assert(
      fc.property(requested, ({ question, within }) => {
        const plan = planLeverage(question, within);
        if (plan.kind !== 'rounds') return;
        expect(plan.rounds.length).toBeLessThanOrEqual(within.maxRounds);
        let free = question.position.freeLiquidity;
        let debt = 0n;
        for (const round of plan.rounds) {
          expect(round.before.debt).toBe(debt);
          expect(round.amount >= within.minRoundDebt).toBe(true);
          expect(round.amount <= within.maxRoundDebt).toBe(true);
          free -= round.amount;
          expect(free >= 0n).toBe(true);
          debt = round.after.debt;
        }
      }),
      RUNS,
    );
  });

  it('a leverage plan never exceeds the target', () => {
    fc.assert(
      fc.property(requested, ({ question, within }) => {
        const generous = {
          ...question,
          position: { ...question.position, freeLiquidity: 10n ** 18n, collateral: 10n ** 9n },
        };
        const plan = planLeverage(generous, { ...within, maxRoundDebt: 10n ** 18n });
        const limit = leverageLimitBps(question.position.maxLtvE18, question.form, within);
        expect(plan.kind === 'unreachable').toBe(question.targetBps > limit);
        if (plan.kind !== 'rounds') return;
        const end = leverageBps(plan.rounds.at(-1)?.after ?? question.position, question.price);
        expect(end ?? Infinity).toBeLessThanOrEqual(question.targetBps + 1);
        expect(plan.isComplete).toBe(true);
      }),
      RUNS,
    );
  });

  it('every planned position can be fully repaid even if the price falls by the safety distance', () => {
    fc.assert(
      fc.property(requested, ({ question, within }) => {
        for (const made of madeBy(question, within)) {
          for (const at of [made.price, lowered(made, within.safetyDistanceE18)]) {
            const back = planLeverage({ ...made, price: at, targetBps: 10_000 }, within);
            if (back.kind !== 'rounds') throw new Error(`no way back: ${back.kind}`);
            expect(back.isComplete).toBe(true);
            const end = back.rounds.at(-1)?.after;
            expect(end?.debt).toBe(0n);
            expect((end?.collateral ?? -1n) >= 0n).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('every repaying round raises the health factor, for any lower leverage target', () => {
    fc.assert(
      fc.property(
        requested,
        fc.integer({ min: 10_000, max: 50_000 }),
        ({ question, within }, lowerBps) => {
          const made = madeBy(question, within).at(-1);
          if (made === undefined) return;
          const at = lowered(made, within.safetyDistanceE18);
          const plan = planLeverage({ ...made, price: at, targetBps: lowerBps }, within);
          if (plan.kind !== 'rounds' || plan.rounds[0].direction === 'up') return;
          let before = healthE18(made.position, at, made.position.maxLtvE18) ?? 0n;
          for (const { after, healthE18: health, amount, minimumOut } of plan.rounds) {
            expect(amount > 0n && minimumOut > 0n).toBe(true);
            expect(after.collateral >= 0n && after.debt >= 0n).toBe(true);
            expect(health === null || health >= before).toBe(true);
            before = health ?? before;
          }
        },
      ),
      RUNS,
    );
  });

  it('each repaying round withdraws only collateral that the debt does not need', () => {
    fc.assert(
      fc.property(requested, ({ question, within }) => {
        const made = madeBy({ ...question, form: 'rounds' }, within).at(-1);
        if (made === undefined) return;
        const at = lowered(made, within.safetyDistanceE18);
        const plan = planLeverage({ ...made, price: at, targetBps: 10_000 }, within);
        if (plan.kind !== 'rounds') throw new Error('no way back');
        let { collateral, debt } = made.position;
        for (const { amount, after } of plan.rounds) {
          const left = { collateral: collateral - amount, debt };
          const covered = healthE18(left, at, made.position.maxLtvE18) ?? ONE;
          expect(covered >= ONE).toBe(true);
          ({ collateral, debt } = after);
        }
      }),
      RUNS,
    );
  });
});

describe('planLeverage with a growing debt', () => {
  const bounds: LeverageLimits = {
    safetyDistanceE18: ONE / 20n,
    healthFloorE18: ONE,
    swapCostPpm: 0n,
    maxRounds: 12,
    minRoundDebt: 100_000_000n,
    maxRoundDebt: 10n ** 12n,
    toleranceBps: 200n,
    dustDebt: 1_000_000n,
    accrualSeconds: 600n,
  };
  /**
   * Position with 5 WBTC at 100,000 USDC per WBTC. The debt is four fifths of the value of the
   * collateral.
   */
  const position = {
    collateral: 500_000_000n,
    debt: 400_000_000_000n,
    freeLiquidity: 0n,
    borrowRateE18: 0n,
    supplyRateE18: 0n,
    maxLtvE18: (85n * ONE) / 100n,
  };
  const start: LeverageQuestion = {
    position,
    price: { numerator: 1_000n, denominator: 1n },
    targetBps: 50_000,
    form: 'lever',
  };
  const grown = (by: bigint): LeverageQuestion => ({
    ...start,
    position: { ...position, debt: position.debt + by },
  });

  it('no round is planned for a dust amount of debt, even above the usable loan-to-value', () => {
    for (const by of [0n, 1n, bounds.dustDebt / 10n])
      expect(planLeverage(grown(by), bounds)).toEqual({ kind: 'at_target' });
    expect(planLeverage(grown(bounds.dustDebt), bounds)).toMatchObject({
      kind: 'rounds',
      rounds: [{ direction: 'down' }],
    });
  });

  it('a leverage plan sells collateral only for the debt and its interest until the execution', () => {
    fc.assert(
      fc.property(percent(0, 100), price, (borrowRateE18, at) => {
        const back = { ...start, price: at, targetBps: 10_000, form: 'lever' as const };
        const debt = 200_000_000_000n;
        const plan = planLeverage(
          { ...back, position: { ...position, collateral: 10n ** 12n, debt, borrowRateE18 } },
          { ...bounds, swapCostPpm: 20_000n },
        );
        if (plan.kind !== 'rounds') throw new Error('there is no way back');
        const [round] = plan.rounds;
        const growth = (debt * borrowRateE18 * 600n) / (ONE * 31_104_000n);
        expect((round.needed ?? 0n) - debt - growth).toBeLessThanOrEqual(1n);
        expect(round.needed).toBeGreaterThanOrEqual(debt + growth);
        const quoted = (round.amount * at.numerator) / at.denominator;
        const trimmed = trimToNeeded(round, quoted);
        const brings = (trimmed.amount * at.numerator) / at.denominator;
        expect(brings).toBeGreaterThanOrEqual(round.needed ?? 0n);
        expect(((trimmed.amount - 2n) * at.numerator) / at.denominator).toBeLessThan(
          round.needed ?? 0n,
        );
        expect(trimToNeeded(round, round.needed ?? 0n)).toMatchObject({ amount: round.amount });
      }),
      RUNS,
    );
  });

  it('a leverage plan sells less collateral if the vault has its own balance of debt tokens', () => {
    fc.assert(
      fc.property(percent(0, 100), price, fc.bigInt(0n, 120n), (borrowRateE18, at, share) => {
        const debt = 200_000_000_000n;
        const repaysWith = (debt * share) / 100n;
        const plan = planLeverage(
          {
            position: { ...position, collateral: 10n ** 12n, debt, borrowRateE18 },
            price: at,
            targetBps: 10_000,
            form: 'rounds',
            repaysWith,
          },
          { ...bounds, swapCostPpm: 20_000n },
        );
        if (plan.kind !== 'rounds') throw new Error('there is no way back');
        const [round] = plan.rounds;
        const year = ONE * 31_104_000n;
        const growth = (debt * borrowRateE18 * 600n + year - 1n) / year;
        const missing = debt + growth - repaysWith;
        expect(plan.isComplete).toBe(true);
        expect(round.needed).toBe(missing > bounds.minRoundDebt ? missing : null);
        const worst = (round.amount * at.numerator * 98n) / (at.denominator * 100n);
        const rest = round.amount === 0n ? bounds.dustDebt : 0n;
        expect(worst + rest).toBeGreaterThanOrEqual(missing - 1n);
        const less = ((round.amount - 1n) * at.numerator * 98n) / (at.denominator * 100n);
        expect(less).toBeLessThanOrEqual(missing > 0n ? missing : 0n);
        expect(round.after.debt).toBeLessThanOrEqual(rest);
      }),
      RUNS,
    );
  });

  it('a leverage plan is blocked if its swaps repay less than the accruing interest, regardless of the vault’s own balance', () => {
    const atLimit = { ...position, debt: 424_999_990_000n, borrowRateE18: ONE / 10n };
    const back = { ...start, position: atLimit, targetBps: 10_000, form: 'rounds' as const };
    for (const repaysWith of [1n, bounds.minRoundDebt, 10n * bounds.minRoundDebt])
      expect(planLeverage({ ...back, repaysWith }, bounds).kind).toBe('blocked');
  });

  it('a leverage plan is blocked if its rounds repay less than the accruing interest', () => {
    const atLimit = { ...position, debt: 424_999_990_000n };
    const back = { ...start, targetBps: 10_000, form: 'rounds' as const };
    expect(planLeverage({ ...back, position: atLimit }, bounds).kind).toBe('rounds');
    const growing = { ...atLimit, borrowRateE18: ONE / 10n };
    expect(planLeverage({ ...back, position: growing }, bounds).kind).toBe('blocked');
  });
});

describe('missingRepayment at the pool’s limit', () => {
  const blocked = fc
    .record({
      collateral: fc.bigInt(10n ** 6n, 10n ** 10n),
      maxLtvE18: percent(50, 93),
      price,
      /** Ratio of the position's loan-to-value to the pool's limit, in percent. */
      share: fc.bigInt(100n, 130n),
      within: limits,
    })
    .map(({ collateral, maxLtvE18, share, within, ...rest }) => {
      const { numerator, denominator } = rest.price;
      const debt = (collateral * numerator * maxLtvE18 * share) / (denominator * ONE * 100n) + 1n;
      const rates = { borrowRateE18: 0n, supplyRateE18: 0n };
      const position = { collateral, debt, freeLiquidity: 0n, maxLtvE18, ...rates };
      return {
        within,
        question: { ...rest, form: 'rounds' as const, targetBps: 10_000, position },
      };
    });

  it('missingRepayment returns the smallest repayment after which the loan-to-value is usable', () => {
    fc.assert(
      fc.property(blocked, ({ question, within }) => {
        expect(planLeverage(question, within).kind).toBe('blocked');
        const { position, price: at } = question;
        const missing = missingRepayment(position, at, within);
        const usableE18 = usableLtvE18(position.maxLtvE18, within);
        fc.pre(usableE18 > 0n);
        const isUsable = (debt: bigint): boolean =>
          debt * at.denominator * ONE <= usableE18 * position.collateral * at.numerator;
        expect(missing > 0n && missing <= position.debt).toBe(true);
        expect(isUsable(position.debt - missing)).toBe(true);
        expect(isUsable(position.debt - missing + 1n)).toBe(false);
      }),
      RUNS,
    );
  });

  it('leverage rounds are possible again once the missing amount is repaid', () => {
    fc.assert(
      fc.property(blocked, ({ question, within }) => {
        const { position, price: at } = question;
        fc.pre(usableLtvE18(position.maxLtvE18, within) > 0n);
        const debt = position.debt - missingRepayment(position, at, within);
        const plan = planLeverage({ ...question, position: { ...position, debt } }, within);
        expect(plan.kind).toBe('rounds');
      }),
      RUNS,
    );
  });
});
