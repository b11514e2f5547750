import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskGate } from '@sotto/keeper-core';
import { Felts } from '@sotto/kernel';
import { RepeatedSubmissions } from '@sotto/submission-core';
import { repaymentCalls, type LeverageTask } from '../../src/index.js';
import { CHAIN_ID } from '../support/world.js';
import {
  LeverageWorld,
  PRICE_USD,
  ROUNDS,
  TREASURY,
  policy,
  turbo,
} from '../support/leverage-world.js';

const USDC_UNIT = 1_000_000n;
const WEALTH = 1_000_000n * USDC_UNIT;

/**
 * Report of a check that submitted a round which only repays. The report is an alert, because the
 * health factor is still below its floor after the repayment.
 */
const repaidBelowFloor = {
  outcome: 'skipped',
  reason: 'DELEVERAGE_BLOCKED',
  details: { direction: 'down', amount: '0', submissionId: expect.any(String) },
};

describe('LeverageTask with a vault at its lending pool’s limit', () => {
  let world: LeverageWorld;
  let keeper: LeverageTask;

  /** Moves the vault to 4×, then lowers the price until no collateral can be withdrawn. */
  async function aBlockedVault(repayPerDay: bigint | null, layout = ROUNDS): Promise<void> {
    world = new LeverageWorld(layout);
    world.repayPerDay = repayPerDay;
    world.treasuryUsdc = WEALTH;
    keeper = world.aKeeper();
    await world.targets.set(turbo.address, 40_000);
    await world.run();
    world.setPrice((PRICE_USD * 85n) / 100n);
  }
  beforeEach(() => aBlockedVault(WEALTH));
  const sent = async (): Promise<readonly bigint[]> =>
    (await world.attempts()).flatMap(({ kind, memo }) =>
      kind === 'fund_repayment' ? [BigInt(memo ?? 0)] : [],
    );
  const land = async (): Promise<void> => world.land(await world.theLive());

  it('the vault reaches its target leverage after the treasury has sent the missing repayment amount', async () => {
    const { debt } = world.holding;
    expect(await world.attend(keeper)).toMatchObject({
      outcome: 'acted',
      details: { kind: 'fund_repayment' },
    });
    const transfer = await world.theLive();
    expect(transfer).toMatchObject({
      key: `${CHAIN_ID}|repayment|${turbo.address}|0`,
      role: 'treasury',
      subject: turbo.address,
      target: { to: turbo.debt.address, entrypoint: 'transfer' },
      replayProtected: false,
    });
    await land();
    expect(await world.attend(keeper)).toMatchObject({
      outcome: 'acted',
      details: { direction: 'down', amount: '0' },
    });
    expect(await world.callOf(await world.theLive())).toMatchObject({
      expectedDebt: debt,
      routes: Felts.of([0n]),
    });
    await land();
    const [amount = 0n] = await sent();
    expect(world.holding.debt).toBe(debt - amount);
    expect(world.holding.held).toBe(0n);
    // Collateral can be withdrawn again, so ordinary rounds move the vault to its target, or as
    // near to it as possible.
    expect(await world.run(40, keeper)).toMatchObject({ reason: 'AT_TARGET' });
    expect(await sent()).toHaveLength(1);
    const states = (await world.attempts()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['succeeded']));
  });

  it('the treasury sends the amount that is still missing after a further price fall', async () => {
    await world.attend(keeper);
    await land();
    const [first = 0n] = await sent();
    world.setPrice((PRICE_USD * 80n) / 100n);
    const { debt } = world.holding;
    expect(await world.attend(keeper)).toMatchObject(repaidBelowFloor);
    await land();
    expect(world.holding.debt).toBe(debt - first);
    expect(await world.attend(keeper)).toMatchObject({
      outcome: 'acted',
      details: { kind: 'fund_repayment' },
    });
    await land();
    expect(await world.run(40, keeper)).toMatchObject({ reason: 'AT_TARGET' });
    expect(await sent()).toHaveLength(2);
    expect(world.holding.held).toBe(0n);
  });

  it('the vault repays with the treasury’s transfer even if the rest of the missing amount exceeds the daily limit', async () => {
    await world.attend(keeper);
    await land();
    const [first = 0n] = await sent();
    await aBlockedVault(first);
    await world.attend(keeper);
    await land();
    world.setPrice((PRICE_USD * 80n) / 100n);
    const { debt } = world.holding;
    await world.attend(keeper);
    await land();
    expect(world.holding).toMatchObject({ debt: debt - first, held: 0n });
    expect(await world.attend(keeper)).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
    expect(await sent()).toEqual([first]);
  });

  it('the vault repays with the treasury’s transfer even if the price has risen since the transfer', async () => {
    await world.attend(keeper);
    await land();
    const [first = 0n] = await sent();
    world.setPrice(PRICE_USD);
    const { debt } = world.holding;
    await world.attend(keeper);
    await land();
    expect(world.holding).toMatchObject({ debt: debt - first, held: 0n });
  });

  it('the vault repays with a third party’s transfer even if the treasury sends nothing', async () => {
    await aBlockedVault(null);
    const { debt } = world.holding;
    world.positions.change(turbo.address, { held: policy.minRoundDebt - 1n });
    expect(await world.attend(keeper)).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
    world.positions.change(turbo.address, { held: policy.minRoundDebt });
    expect(await world.attend(keeper)).toMatchObject(repaidBelowFloor);
    await land();
    expect(world.holding.debt).toBe(debt - policy.minRoundDebt);
  });

  it('a too small own balance of the vault reduces the treasury’s transfer', async () => {
    const { debt } = world.holding;
    const little = policy.minRoundDebt - 1n;
    world.positions.change(turbo.address, { held: little });
    await world.attend(keeper);
    await land();
    await world.attend(keeper);
    await land();
    const [amount = 0n] = await sent();
    expect(world.holding).toMatchObject({ debt: debt - amount - little, held: 0n });
  });

  it('the treasury sends the missing amount only once although a third party sends small amounts', async () => {
    const reports: string[] = [];
    let given = 0n;
    for (let poll = 0; poll < 12; poll += 1) {
      world.give(policy.minRoundDebt);
      given += policy.minRoundDebt;
      const { details } = await world.attend(keeper);
      reports.push(String(details['kind'] ?? (details['amount'] === '0' ? 'repays' : 'leads')));
      await land();
      if (world.leverage < 4.05) break;
    }
    expect(reports.slice(0, 3)).toEqual(['fund_repayment', 'repays', 'leads']);
    expect(world.leverage).toBeLessThan(4.05);
    expect(reports.slice(2)).not.toContain('repays');
    expect(await sent()).toHaveLength(1);
    expect(given).toBeLessThan(12n * policy.minRoundDebt);
  });

  it('the treasury sends the rest of the missing amount after the vault’s repayment, despite a third party’s transfers', async () => {
    await world.attend(keeper);
    await land();
    const [first = 0n] = await sent();
    world.setPrice((PRICE_USD * 78n) / 100n);
    const { debt } = world.holding;
    expect(await world.attend(keeper)).toMatchObject(repaidBelowFloor);
    await land();
    expect(world.holding.debt).toBe(debt - first);
    world.give(policy.minRoundDebt);
    expect(await world.attend(keeper)).toMatchObject({ details: { kind: 'fund_repayment' } });
    await land();
    expect(world.holding.held).toBe(((await sent())[1] ?? 0n) + policy.minRoundDebt);
    expect(await world.attend(keeper)).toMatchObject({
      outcome: 'acted',
      details: { amount: '0' },
    });
    await land();
    expect(world.holding.held).toBe(0n);
  });

  it('the alert continues while a third party sends only small amounts to the vault', async () => {
    for (const repayPerDay of [null, 5n * USDC_UNIT]) {
      await aBlockedVault(repayPerDay);
      for (let poll = 0; poll < 3; poll += 1) {
        world.give(policy.minRoundDebt);
        expect(await world.attend(keeper)).toMatchObject(repaidBelowFloor);
        const { id } = await world.theLive();
        expect(await world.attend(keeper)).toMatchObject({
          reason: 'DELEVERAGE_BLOCKED',
          details: { submissionId: id },
        });
        await land();
        expect(world.holding.held).toBe(0n);
        expect(await world.attend(keeper)).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
      }
      expect(await sent()).toEqual([]);
    }
  });

  it('the treasury sends nothing if the operator forbids repayments, or the vault can’t repay from its own balance', async () => {
    await aBlockedVault(null);
    expect(await world.attend(keeper)).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
    if (ROUNDS.form !== 'rounds') throw new Error('the vault has no rounds');
    await aBlockedVault(WEALTH, { ...ROUNDS, repaysHeld: false });
    expect(await world.attend(keeper)).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
    expect(await sent()).toEqual([]);
  });

  it.each([
    ['the day’s limit', 5n * USDC_UNIT, WEALTH],
    ['the treasury’s balance', WEALTH, 5n * USDC_UNIT],
  ])(
    'the treasury sends nothing if the missing amount exceeds %s',
    async (_what, perDay, wealth) => {
      await aBlockedVault(perDay);
      world.treasuryUsdc = wealth;
      expect(await world.attend(keeper)).toMatchObject({
        reason: 'DELEVERAGE_BLOCKED',
        details: { missing: expect.stringMatching(/^\d+$/), treasury: String(wealth) },
      });
      expect(await sent()).toEqual([]);
    },
  );

  it('the treasury sends at most the daily limit when the price falls several times', async () => {
    await world.attend(keeper);
    await land();
    const [first = 0n] = await sent();
    await aBlockedVault(first + first / 2n);
    for (const percent of [85n, 72n, 61n]) {
      world.setPrice((PRICE_USD * percent) / 100n);
      const report = await world.run(40, keeper);
      expect(['AT_TARGET', 'DELEVERAGE_BLOCKED', 'LEVERAGE_UNREACHABLE']).toContain(
        report.outcome === 'skipped' ? report.reason : 'acted',
      );
    }
    const total = (await sent()).reduce((sum, amount) => sum + amount, 0n);
    expect(total).toBeGreaterThan(0n);
    expect(total).toBeLessThanOrEqual(first + first / 2n);
    expect(await world.run(40, keeper)).toMatchObject({ reason: 'DELEVERAGE_BLOCKED' });
  });

  it('concurrent keepers send the missing amount once, even if one keeper reads an old position', async () => {
    const keepers = [world.aKeeper(), world.aKeeper(), world.aKeeper()];
    await Promise.all(keepers.map((each) => world.attend(each)));
    expect(await sent()).toHaveLength(1);
    // The block of the transfer is now recorded in the ledger. Then the vault repays.
    await land();
    await world.attend(keeper);
    await land();
    await Promise.all(keepers.map((each) => world.attend(each)));
    expect(await sent()).toHaveLength(1);
  });

  it('no transfer is sent to the vault if the transfer would revert or exceed the budget', async () => {
    expect(await world.attend(keeper, { admit: async () => 'BUDGET_EXHAUSTED' })).toMatchObject({
      reason: 'HEALTH_BELOW_FLOOR',
      details: { because: 'BUDGET_EXHAUSTED' },
    });
    world.simulator.revert('ERC20: insufficient balance', ({ as }) => as === TREASURY);
    expect(await world.attend(keeper)).toMatchObject({
      reason: 'HEALTH_BELOW_FLOOR',
      details: { because: 'SIMULATION_REVERTED' },
    });
    expect(await sent()).toEqual([]);
  });

  it('no transfer is sent to the vault if the operator removes the vault’s leverage target during the check', async () => {
    const late: TaskGate = {
      admit: async () => {
        await world.targets.set(turbo.address, null);
        return null;
      },
    };
    expect(await world.attend(keeper, late)).toMatchObject({
      details: { because: 'TARGET_CHANGED' },
    });
    expect(await sent()).toEqual([]);
  });

  it('a repayment transfer on chain is read as the submission with the next number', async () => {
    await world.attend(keeper);
    const { id, target } = await world.theLive();
    const calldata = await world.ledger.calldata(id);
    if (calldata === null) throw new Error('the calldata is not stored');
    await land();
    const reader = repaymentCalls(new RepeatedSubmissions(world.ledger), {
      chainId: CHAIN_ID,
      vaults: [turbo],
      newId: () => 'read-back',
    });
    expect(reader.submissionOf(target, calldata)).toBeNull();
    await reader.learn();
    const [amount] = await sent();
    expect(reader.submissionOf(target, calldata)).toMatchObject({
      key: `${CHAIN_ID}|repayment|${turbo.address}|1`,
      id: 'read-back',
      kind: 'fund_repayment',
      memo: String(amount),
      role: 'treasury',
    });
    expect(reader.submissionOf({ ...target, entrypoint: 'approve' }, calldata)).toBeNull();
    expect(reader.submissionOf({ ...target, to: turbo.collateral.address }, calldata)).toBeNull();
  });
});
