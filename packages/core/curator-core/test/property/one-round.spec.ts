import { describe, expect, it } from '@jest/globals';
import { isLive } from '@sotto/submission-core';
import * as fc from 'fast-check';
import { leverageBps, type LeverageTask } from '../../src/index.js';
import { LeverageWorld, PRICE_USD, turbo } from '../support/leverage-world.js';

/**
 * Events that a property test generates in any sequence. On `poll`, both keepers run a check at the
 * same time.
 */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('look' as const, 'land' as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'restart' as const,
      'lag' as const,
      'catch up' as const,
      'liquidity gone' as const,
      'liquidity back' as const,
      'rate against' as const,
      'rate back' as const,
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 30_000 }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer What> ? What : never;

const MOST_BPS = 30_000;
const PERCENT = 10n ** 16n;
const market = {
  numerator: PRICE_USD * 10n ** 14n,
  denominator: 10n ** 16n,
};

class TwoKeepers {
  readonly world = new LeverageWorld();
  #keepers: readonly LeverageTask[] = [this.world.aKeeper(), this.world.aKeeper()];

  async happens(what: Happening): Promise<void> {
    const { world } = this;
    if (typeof what === 'number') return world.targets.set(turbo.address, what);
    switch (what) {
      case 'look':
        await Promise.all(this.#keepers.map((keeper) => world.attend(keeper)));
        break;
      case 'land':
        for (const attempt of await this.live()) await world.land(attempt);
        break;
      case 'restart':
        this.#keepers = [world.aKeeper(), world.aKeeper()];
        break;
      case 'lag':
        world.snapshots.lag(20);
        break;
      case 'catch up':
        world.snapshots.lag(0);
        break;
      case 'liquidity gone':
        world.positions.change(turbo.address, { freeLiquidity: 0n });
        break;
      case 'liquidity back':
        world.positions.change(turbo.address, { freeLiquidity: 10n ** 12n });
        break;
      case 'rate against':
        world.positions.change(turbo.address, { borrowRateE18: 9n * PERCENT });
        break;
      case 'rate back':
        world.positions.change(turbo.address, { borrowRateE18: PERCENT });
    }
    return undefined;
  }

  async live() {
    return (await this.world.attempts()).filter(({ state }) => isLive(state));
  }
}

describe('rounds of leverage by two keepers under random events', () => {
  it('two keepers have at most one leverage round in flight, and never exceed the highest target', async () => {
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 10, maxLength: 60 }),
        async (happenings) => {
          const keepers = new TwoKeepers();
          const { world } = keepers;
          for (const what of [MOST_BPS, ...happenings]) {
            await keepers.happens(what);
            expect((await keepers.live()).length).toBeLessThan(2);
            const leverage = leverageBps(world.holding, market);
            expect(leverage ?? Infinity).toBeLessThanOrEqual(MOST_BPS);
          }
          rounds += (await world.attempts()).length;
        },
      ),
      { numRuns: 60 },
    );
    expect(rounds).toBeGreaterThan(60);
  });

  it('two keepers continue leverage rounds to the target, or to no debt, after any interruption', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
        const keepers = new TwoKeepers();
        const { world } = keepers;
        for (const what of happenings) await keepers.happens(what);
        for (const what of ['catch up', 'liquidity back', 'rate back', 'land'] as const)
          await keepers.happens(what);
        world.clock.advance(86_400_000);
        world.setPrice(PRICE_USD);
        await keepers.happens(20_000);
        expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
        expect(world.leverage).toBeGreaterThan(1.97);
        expect(world.leverage).toBeLessThan(2.03);
        await keepers.happens(10_000);
        expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
        expect(world.holding.debt).toBe(0n);
      }),
      { numRuns: 60 },
    );
  });
});
