import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskGate } from '@sotto/keeper-core';
import { DomainError } from '@sotto/kernel';
import { withChanged } from '@sotto/submission-core/testing';
import { CHAIN_ID, CURATOR } from '../support/world.js';
import {
  COLLATERAL,
  LEVER,
  LeverageWorld,
  PRICE_USD,
  ROUNDS,
  policy,
  turbo,
} from '../support/leverage-world.js';

const PERCENT = 10n ** 16n;
const BLOCK_SECONDS = 2;

/**
 * Alert for a vault whose health factor is below the floor and which is not deleveraged. `because`
 * is the reason why.
 */
const belowFloor = (because: string) => ({
  outcome: 'skipped',
  reason: 'HEALTH_BELOW_FLOOR',
  details: { because, healthE18: expect.stringMatching(/^10[0-4]\d{16}$/) },
});

describe('LeverageTask', () => {
  let world: LeverageWorld;
  beforeEach(() => {
    world = new LeverageWorld();
  });

  it('the keeper does not change a vault without a leverage target', async () => {
    expect(await world.attend()).toMatchObject({ outcome: 'skipped', reason: 'NOT_DUE' });
    expect(await world.attempts()).toEqual([]);
  });

  it.each([10_000, 30_000])(
    'reports NOTHING_SUPPLIED instead of AT_TARGET for a vault without collateral, target %p',
    async (target) => {
      world.positions.change(turbo.address, { collateral: 0n });
      await world.targets.set(turbo.address, target);
      expect(await world.attend()).toMatchObject({
        outcome: 'skipped',
        reason: 'NOTHING_SUPPLIED',
      });
      expect(await world.attempts()).toEqual([]);
    },
  );

  it('the keeper moves a vault to 3× leverage in rounds, and back to no debt', async () => {
    await world.targets.set(turbo.address, 30_000);
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect(world.leverage).toBeGreaterThan(2.96);
    expect(world.leverage).toBeLessThan(3.001);
    const rounds = (await world.attempts()).length;
    expect(rounds).toBeGreaterThan(2);
    await world.targets.set(turbo.address, 10_000);
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect(world.holding.debt).toBe(0n);
    // Both movements, first to 3× and then to no debt, swap at the market price. The vault loses
    // only the amount that a round sells beyond its debt.
    expect(world.holding.collateral > (COLLATERAL * 95n) / 100n).toBe(true);
    const states = (await world.attempts()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['succeeded']));
  });

  it('the keeper moves a vault to 3× leverage and back to no debt while the debt accrues interest', async () => {
    world.positions.change(turbo.address, { borrowRateE18: 25n * 10n ** 15n });
    world.secondsPerBlock = 30n;
    await world.targets.set(turbo.address, 30_000);
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect(world.leverage).toBeGreaterThan(2.96);
    const { debt } = world.holding;
    await world.targets.set(turbo.address, 10_000);
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect(world.holding).toMatchObject({ debt: 0n, nominalDebt: 0n });
    // The remaining balance was sold to pay interest that did not accrue: ten minutes at 2.5 % a
    // year.
    expect(world.holding.held).toBeLessThan(debt / 1_000_000n);
    const states = (await world.attempts()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['succeeded']));
  });

  it('the vault reaches its target although a third party sends small amounts', async () => {
    await world.targets.set(turbo.address, 30_000);
    for (let poll = 0; poll < 20 && world.leverage < 2.96; poll += 1) {
      world.give(policy.minRoundDebt);
      expect(await world.attend()).toMatchObject({ details: { direction: 'up' } });
      await world.land(await world.theLive());
    }
    const { debt, held } = world.holding;
    expect(await world.attend()).toMatchObject({ details: { direction: 'down', amount: '0' } });
    await world.land(await world.theLive());
    expect(world.holding).toMatchObject({ debt: debt - held, held: 0n });
  });

  it('the keeper sells collateral only for the debt above the vault’s own balance', async () => {
    await world.targets.set(turbo.address, 15_000);
    await world.run();
    const { debt } = world.holding;
    // Upper limit for the interest of ten minutes.
    const interest = debt / 1_000_000n;
    for (const held of [debt / 3n, policy.minRoundDebt - 1n]) {
      world.positions.change(turbo.address, { debt, held });
      await world.targets.set(turbo.address, 10_000);
      expect(await world.attend()).toMatchObject({ outcome: 'acted' });
      const round = await world.theLive();
      const { amount } = await world.callOf(round);
      expect((amount * PRICE_USD) / 100n).toBeLessThan(debt - held + interest);
      await world.land(round);
      expect(world.holding.debt).toBe(0n);
      expect(world.holding.held).toBeLessThan(interest);
    }
  });

  it.each([0n, 30n])(
    'a fully repaid vault retains at most one smallest round’s swap cost, with %p s of interest per block',
    async (secondsPerBlock) => {
      world.secondsPerBlock = secondsPerBlock;
      await world.targets.set(turbo.address, 30_000);
      await world.run();
      await world.targets.set(turbo.address, 10_000);
      await world.run();
      const { swapCostPpm, minRoundDebt } = policy;
      expect(world.holding.held).toBeLessThanOrEqual((minRoundDebt * swapCostPpm) / 1_000_000n);
      const { collateral, debt, held } = world.holding;
      expect(debt).toBe(0n);
      const worth = collateral + (held * 100n) / PRICE_USD;
      expect(COLLATERAL - worth).toBeLessThan(100n);
    },
  );

  it('sells no more than the debt if the free collateral covers the debt only at a good price', async () => {
    // The debt is worth 40 % of the collateral, and 40.4 % of the collateral can be withdrawn.
    const debt = 24_000n * 1_000_000n;
    world.positions.change(turbo.address, { debt, maxLtvE18: 721n * 10n ** 15n });
    await world.targets.set(turbo.address, 10_000);
    await world.attend();
    const round = await world.theLive();
    const { amount } = await world.callOf(round);
    expect((amount * PRICE_USD) / 100n).toBeLessThan(debt + 1_000_000n);
    await world.land(round);
    expect(world.holding.debt).toBe(0n);
  });

  it('the rest of the debt is repaid in a further round if the swap brings less than its quote', async () => {
    await world.targets.set(turbo.address, 15_000);
    await world.run();
    await world.targets.set(turbo.address, 10_000);
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
    const round = await world.theLive();
    // The market falls by less than the tolerance and recovers after the round.
    world.moveMarket(-4_000n);
    await world.land(round);
    world.moveMarket(0n);
    expect(world.holding.debt).toBeGreaterThan(policy.dustDebt);
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect(world.holding.debt).toBe(0n);
  });

  it('a dust amount of debt is not repaid at the target 1×, but a larger debt is repaid', async () => {
    world.positions.change(turbo.address, { debt: policy.dustDebt });
    await world.targets.set(turbo.address, 10_000);
    expect(await world.attend()).toMatchObject({ reason: 'AT_TARGET' });
    world.positions.change(turbo.address, { debt: policy.dustDebt + 1n });
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
    await world.land(await world.theLive());
    expect(world.holding.debt).toBe(0n);
  });

  it('a vault with a lever entry point needs one transaction per direction', async () => {
    world = new LeverageWorld(LEVER);
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    await world.land(await world.theLive());
    expect(world.leverage).toBeGreaterThan(2.8);
    await world.run();
    expect(world.leverage).toBeGreaterThan(2.96);
    await world.targets.set(turbo.address, 10_000);
    const before = (await world.attempts()).length;
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect((await world.attempts()).length).toBe(before + 1);
    expect(world.holding.debt).toBe(0n);
  });

  it('each leverage round is submitted with the debt from which the round was planned', async () => {
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    const first = await world.theLive();
    expect(first).toMatchObject({
      key: `${CHAIN_ID}|leverage|${turbo.address}|0`,
      kind: 'leverage_round',
      subject: turbo.address,
      role: 'curator',
      replayProtected: true,
      target: { to: turbo.address, entrypoint: 'leverage_round' },
    });
    expect(world.simulator.simulated).toMatchObject([{ to: turbo.address, as: CURATOR }]);
    await world.land(first);
    await world.attend();
    const second = await world.theLive();
    expect(second.key).toBe(`${CHAIN_ID}|leverage|${turbo.address}|1`);
    expect((await world.callOf(second)).expectedDebt).toBe(world.holding.debt);
  });

  it('the swap of a leverage round requires a minimum output near the fair value', async () => {
    await world.targets.set(turbo.address, 20_000);
    await world.attend();
    const { amount, minimumOut } = await world.callOf(await world.theLive());
    expect(minimumOut >= (((amount * 100n) / PRICE_USD) * 99n) / 100n).toBe(true);
  });

  it('no round is sent if the simulation reverts or the task’s budget rejects the cost', async () => {
    await world.targets.set(turbo.address, 30_000);
    const refused = { admit: async () => 'BUDGET_EXHAUSTED' as const };
    expect(await world.attend(world.subject, refused)).toMatchObject({
      reason: 'BUDGET_EXHAUSTED',
    });
    world.simulator.revert('Not owner');
    expect(await world.attend()).toMatchObject({
      reason: 'SIMULATION_REVERTED',
      details: { reason: 'Not owner' },
    });
    expect(await world.attempts()).toEqual([]);
  });

  it('only one round is submitted when several keepers check a vault concurrently', async () => {
    await world.targets.set(turbo.address, 30_000);
    const keepers = [world.subject, world.aKeeper(), world.aKeeper()];
    const reports = await Promise.all(keepers.map((keeper) => world.attend(keeper)));
    expect(reports.filter(({ outcome }) => outcome === 'acted')).toHaveLength(1);
    expect(await world.attend(world.aKeeper())).toMatchObject({ reason: 'IN_FLIGHT' });
    expect(await world.attempts()).toHaveLength(1);
  });

  it('leverage rounds continue after a kill between two rounds or before the submission returns', async () => {
    await world.targets.set(turbo.address, 30_000);
    const killed = world.aKeeper((kept) =>
      withChanged(kept, {
        submit: async (submission) => {
          await kept.submit(submission);
          throw new Error('killed');
        },
      }),
    );
    await expect(world.attend(killed)).rejects.toThrow('killed');
    expect(await world.attend(world.aKeeper())).toMatchObject({ reason: 'IN_FLIGHT' });
    await world.land(await world.theLive());
    const debt = world.holding.debt;
    expect(await world.attend(world.aKeeper())).toMatchObject({ outcome: 'acted' });
    expect((await world.callOf(await world.theLive())).expectedDebt).toBe(debt);
  });

  it('no second round is submitted while the node is 20 blocks behind', async () => {
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    await world.land(await world.theLive());
    world.snapshots.lag(20);
    for (const keeper of [world.subject, world.aKeeper()])
      expect(await world.attend(keeper)).toMatchObject({ reason: 'NODE_BEHIND' });
    expect(await world.attempts()).toHaveLength(1);
    world.snapshots.mine(20);
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
    expect((await world.callOf(await world.theLive())).expectedDebt).toBe(world.holding.debt);
  });

  it('the keeper waits until a rolled-back round is included again', async () => {
    await world.targets.set(turbo.address, 30_000);
    const { collateral, debt } = world.holding;
    await world.attend();
    const first = await world.theLive();
    await world.land(first);
    const after = world.holding.debt;
    await world.rollBack(first, { collateral, debt });
    expect(await world.attend()).toMatchObject({
      reason: 'IN_FLIGHT',
      details: { submissionId: first.id },
    });
    await world.landAgain(first);
    expect(world.holding.debt).toBe(after);
    await world.attend();
    expect((await world.callOf(await world.theLive())).expectedDebt).toBe(after);
  });

  it('the keeper retries after a wait if the vault reverts a round because its position has changed', async () => {
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    const first = await world.theLive();
    world.positions.change(turbo.address, { debt: 5_000_000_000n });
    await world.land(first);
    expect(world.holding.debt).toBe(5_000_000_000n);
    expect(await world.attend()).toMatchObject({ reason: 'BACKING_OFF' });
    world.clock.advance(policy.retry.baseMs);
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
    const second = await world.theLive();
    expect(second).toMatchObject({ key: first.key, attempt: 2 });
    expect((await world.callOf(second)).expectedDebt).toBe(5_000_000_000n);
  });

  it('the keeper stops after the maximum number of consecutive failures until an operator resumes the vault', async () => {
    await world.targets.set(turbo.address, 30_000);
    for (let failure = 0; failure < policy.retry.maxFailures; failure += 1) {
      world.clock.advance(86_400_000);
      await world.attend();
      const round = await world.theLive();
      world.positions.change(turbo.address, { debt: world.holding.debt + 1n });
      await world.land(round);
    }
    world.clock.advance(86_400_000);
    expect(await world.attend()).toMatchObject({ reason: 'FAILED_TOO_OFTEN' });
    await world.store.resume('leverage', 'turbo');
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
  });

  it('the keeper submits no round while the lending pool has no free liquidity, and continues when liquidity returns', async () => {
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    await world.land(await world.theLive());
    world.positions.change(turbo.address, { freeLiquidity: policy.minRoundDebt - 1n });
    expect(await world.attend()).toMatchObject({ reason: 'LIQUIDITY_MISSING' });
    world.positions.change(turbo.address, { freeLiquidity: 500_000_000n });
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
    expect((await world.callOf(await world.theLive())).amount).toBe(500_000_000n);
  });

  it('the vault borrows nothing while the borrow rate exceeds the supply rate', async () => {
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    await world.land(await world.theLive());
    world.positions.change(turbo.address, { borrowRateE18: 9n * PERCENT });
    expect(await world.attend()).toMatchObject({ reason: 'RATE_AGAINST' });
    world.snapshots.passTime(policy.rateAgainstSeconds - 10);
    world.snapshots.mine();
    expect(await world.attend()).toMatchObject({ reason: 'RATE_AGAINST' });
    world.snapshots.passTime(10);
    world.snapshots.mine();
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET', details: { target: '1' } });
    expect(world.holding.debt).toBe(0n);
    world.positions.change(turbo.address, { borrowRateE18: PERCENT });
    expect(await world.attend()).toMatchObject({
      outcome: 'acted',
      details: { direction: 'up' },
    });
  });

  it('the measured duration of a high borrow rate starts again after a gap in the checks', async () => {
    world = new LeverageWorld(ROUNDS, { intervalMs: 15_000 });
    await world.targets.set(turbo.address, 30_000);
    await world.attend();
    await world.land(await world.theLive());
    world.positions.change(turbo.address, { borrowRateE18: 9n * PERCENT });
    const pollEach = async (seconds: number, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        world.snapshots.passTime(seconds - BLOCK_SECONDS);
        world.snapshots.mine();
        expect(await world.attend()).toMatchObject({ reason: 'RATE_AGAINST' });
      }
    };
    await pollEach(300, 6);
    // The gap is longer than a gap between checks may be, and as long as the remaining time until
    // the position returns to 1×.
    world.snapshots.passTime(1_800);
    world.snapshots.mine();
    expect(await world.attend()).toMatchObject({ reason: 'RATE_AGAINST' });
    await pollEach(300, 11);
    world.snapshots.passTime(300 - BLOCK_SECONDS);
    world.snapshots.mine();
    expect(await world.attend()).toMatchObject({
      outcome: 'acted',
      details: { direction: 'down', target: '1' },
    });
  });

  it.each([
    ['another target', 10_000],
    ['no target', null],
  ])('no round is submitted if the operator sets %s during the check', async (_what, targetBps) => {
    await world.targets.set(turbo.address, 30_000);
    const late: TaskGate = {
      admit: async () => {
        await world.targets.set(turbo.address, targetBps);
        return null;
      },
    };
    expect(await world.attend(world.subject, late)).toMatchObject({ reason: 'TARGET_CHANGED' });
    expect(await world.attempts()).toEqual([]);
  });

  it('a round is submitted if the operator sets an equal target again during the check', async () => {
    await world.targets.set(turbo.address, 30_000);
    const late: TaskGate = {
      admit: async () => {
        await world.targets.set(turbo.address, 30_000);
        return null;
      },
    };
    expect(await world.attend(world.subject, late)).toMatchObject({ outcome: 'acted' });
  });

  describe('health factor below the floor', () => {
    beforeEach(async () => {
      await world.targets.set(turbo.address, 40_000);
      await world.run();
      world.setPrice((PRICE_USD * 91n) / 100n);
    });
    it('a vault below the health floor is deleveraged without an alert if a round is possible', async () => {
      expect(await world.attend()).toMatchObject({
        outcome: 'acted',
        details: { direction: 'down' },
      });
      expect(await world.attend()).toMatchObject({ reason: 'IN_FLIGHT' });
    });

    it('a vault below the health floor causes an alert while the task is paused, without a quote, a simulation or a submission', async () => {
      const paused: TaskGate = { isPaused: true, admit: async () => 'PAUSED' };
      const before = (await world.attempts()).length;
      const [requested, tried] = [
        world.aggregator.requested.length,
        world.simulator.simulated.length,
      ];
      expect(world.subject.watchesPaused).toBe(true);
      expect(await world.attend(world.subject, paused)).toMatchObject(belowFloor('PAUSED'));
      expect(world.aggregator.requested).toHaveLength(requested);
      expect(world.simulator.simulated).toHaveLength(tried);
      expect(await world.attempts()).toHaveLength(before);
      // The round that is already in flight deleverages the vault, so the task waits for this
      // round.
      await world.attend();
      expect(await world.attend(world.subject, paused)).toMatchObject({ reason: 'IN_FLIGHT' });
      await world.land(await world.theLive());
      world.setPrice(PRICE_USD);
      expect(await world.attend(world.subject, paused)).toMatchObject({ reason: 'PAUSED' });
    });

    it('a vault below the health floor deleverages although a third party sends small amounts', async () => {
      for (let poll = 0; poll < 20 && world.leverage > 4.05; poll += 1) {
        world.give(policy.minRoundDebt);
        expect(await world.attend()).toMatchObject({
          outcome: 'acted',
          details: { direction: 'down', amount: expect.stringMatching(/^[1-9]/) },
        });
        await world.land(await world.theLive());
        expect(world.holding.held).toBe(0n);
      }
      expect(world.leverage).toBeLessThan(4.05);
    });

    it('a vault below the health floor without a target causes only an alert', async () => {
      const before = (await world.attempts()).length;
      await world.targets.set(turbo.address, null);
      expect(await world.attend()).toMatchObject(belowFloor('NOT_DUE'));
      expect(await world.attempts()).toHaveLength(before);
    });

    it('a vault below the health floor causes an alert if no swap is available or the swap’s price is too low', async () => {
      world.aggregator.offer((quotes) =>
        quotes.map((quote) => ({ ...quote, buyAmount: (quote.buyAmount * 98n) / 100n })),
      );
      expect(await world.attend()).toMatchObject(belowFloor('PRICE_IMPACT_TOO_HIGH'));
      world.aggregator.setRates([]);
      expect(await world.attend()).toMatchObject(belowFloor('NO_QUOTES'));
      world.aggregator.fail();
      expect(await world.attend()).toMatchObject(belowFloor('READ_FAILED'));
    });

    it('a vault below the health floor causes an alert if the round would revert, or the task’s budget rejects its gas', async () => {
      const closed: TaskGate = { admit: async () => 'BUDGET_EXHAUSTED' };
      expect(await world.attend(world.subject, closed)).toMatchObject(
        belowFloor('BUDGET_EXHAUSTED'),
      );
      world.simulator.revert('Not owner');
      expect(await world.attend()).toMatchObject(belowFloor('SIMULATION_REVERTED'));
    });

    it('a vault below the health floor causes an alert while the task waits after a failed round', async () => {
      await world.attend();
      const round = await world.theLive();
      world.positions.change(turbo.address, { debt: world.holding.debt + 1n });
      await world.land(round);
      expect(await world.attend()).toMatchObject({
        ...belowFloor('BACKING_OFF'),
        dueAtMs: world.clock.nowMs() + policy.retry.baseMs,
      });
      world.positions.failReads();
      expect(await world.attend()).toMatchObject({ reason: 'BACKING_OFF' });
    });
  });

  it('the keeper reports why the health of a vault with debt but without a target is unknown', async () => {
    await world.targets.set(turbo.address, 20_000);
    await world.run();
    await world.targets.set(turbo.address, null);
    expect(await world.attend()).toMatchObject({ reason: 'NOT_DUE' });
    world.clock.advance(2_000);
    world.otherPrices.fail();
    expect(await world.attend()).toMatchObject({ reason: 'PRICE_UNAVAILABLE' });
  });

  it('the keeper deleverages a position whose health factor has fallen below its floor', async () => {
    await world.targets.set(turbo.address, 40_000);
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    world.setPrice((PRICE_USD * 95n) / 100n);
    const report = await world.attend();
    expect(report).toMatchObject({ outcome: 'acted', details: { direction: 'down' } });
    await world.land(await world.theLive());
    expect(await world.run()).toMatchObject({ reason: 'AT_TARGET' });
    expect(world.leverage).toBeLessThan(4.05);
  });

  it('reports DELEVERAGE_BLOCKED if no collateral can be withdrawn at the lending pool’s limit', async () => {
    await world.targets.set(turbo.address, 40_000);
    await world.run();
    world.setPrice((PRICE_USD * 85n) / 100n);
    expect(await world.attend()).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
  });

  it('reports a leverage target beyond the vault’s current limit, together with the limit', async () => {
    await world.targets.set(turbo.address, 45_000);
    world.positions.change(turbo.address, { maxLtvE18: 50n * PERCENT });
    expect(await world.attend()).toMatchObject({ reason: 'LEVERAGE_UNREACHABLE' });
    const { details } = await world.attend();
    expect(Number(details['limit'])).toBeLessThan(2);
    expect(Number(details['limit'])).toBeGreaterThan(1.5);
  });

  it('submits no round while price sources disagree or one source is missing', async () => {
    await world.targets.set(turbo.address, 30_000);
    world.setPriceOf(world.otherPrices, (PRICE_USD * 105n) / 100n);
    expect(await world.attend()).toMatchObject({ reason: 'PRICE_UNAVAILABLE' });
    world.clock.advance(2_000);
    world.otherPrices.fail();
    expect(await world.attend()).toMatchObject({ reason: 'PRICE_UNAVAILABLE' });
    expect(await world.attempts()).toEqual([]);
  });

  it('submits no round if the aggregator returns no quote, or a quote too far below the fair value', async () => {
    await world.targets.set(turbo.address, 30_000);
    world.aggregator.offer((quotes) =>
      quotes.map((quote) => ({ ...quote, buyAmount: (quote.buyAmount * 98n) / 100n })),
    );
    expect(await world.attend()).toMatchObject({ reason: 'PRICE_IMPACT_TOO_HIGH' });
    world.aggregator.setRates([]);
    expect(await world.attend()).toMatchObject({ reason: 'NO_QUOTES' });
    expect(await world.attempts()).toEqual([]);
  });

  it('a check of a leveraged vault fails with the error of a failed read, and submits nothing', async () => {
    await world.targets.set(turbo.address, 30_000);
    world.positions.failReads();
    await expect(world.attend()).rejects.toBeInstanceOf(DomainError);
    expect(await world.attempts()).toEqual([]);
  });
});

describe('SetLeverageTarget', () => {
  const world = new LeverageWorld();
  const set = (targetBps: number | null, vaultId = 'turbo') =>
    world.operator().execute({ vaultId, targetBps });

  it('stores a leverage target within the limits, and removes the target again', async () => {
    expect(await set(30_000)).toMatchObject({ vault: turbo.address, targetBps: 30_000 });
    expect(await world.targets.of(turbo.address)).toMatchObject({ targetBps: 30_000 });
    expect(await set(null)).toBeNull();
    expect(await world.targets.of(turbo.address)).toBeNull();
  });

  it('rejects the leverage target 5× with the highest possible leverage at a pool limit of 85 %', async () => {
    const defaults = {
      safetyDistanceE18: 5n * 10n ** 16n,
      healthFloorE18: 105n * 10n ** 16n,
      swapCostPpm: 20_000n,
      maxRounds: 12,
    };
    const strict = new LeverageWorld(ROUNDS, defaults);
    strict.positions.change(turbo.address, { maxLtvE18: 85n * 10n ** 16n });
    const to = (targetBps: number) => strict.operator().execute({ vaultId: 'turbo', targetBps });
    await expect(to(50_000)).rejects.toMatchObject({
      code: 'LEVERAGE_UNREACHABLE',
      details: { limit: '4.4339' },
    });
    expect(await to(44_339)).toMatchObject({ targetBps: 44_339 });
    expect(await strict.run()).toMatchObject({ reason: 'AT_TARGET' });
  });

  it('rejects a leverage target beyond the vault’s limit and returns the limit', async () => {
    await expect(set(50_000)).rejects.toMatchObject({ code: 'LEVERAGE_UNREACHABLE' });
    const limit = await set(50_000).catch(({ details }) => Number(details.limit));
    expect(await set(Math.floor(Number(limit) * 10_000))).not.toBeNull();
  });

  it.each([9_999, 50_001, 0, -1, 20_000.5, Number.NaN])(
    'rejects the leverage target %p',
    async (targetBps) => {
      await expect(set(targetBps)).rejects.toMatchObject({ code: 'LEVERAGE_TARGET_INVALID' });
    },
  );

  it('rejects a leverage target for a vault for which the profile has no leverage layout', async () => {
    await expect(set(20_000, 'sentinel')).rejects.toMatchObject({ code: 'VAULT_NOT_FOUND' });
  });
});
