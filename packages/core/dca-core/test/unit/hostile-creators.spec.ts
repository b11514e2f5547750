import { beforeEach, describe, expect, it } from '@jest/globals';
import { TaskBudgets, type TaskGate } from '@sotto/keeper-core';
import { toFelt } from '@sotto/kernel';
import { isLive, type Attempt } from '@sotto/submission-core';
import { readExecution } from '../../src/domain/execution.js';
import { ETH, L2_GAS_FRI, PurchaseWorld } from '../support/world.js';

const STRK = 10n ** 18n;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_SECONDS = 1_200;
const STEPS_PER_DAY = DAY_MS / 1_000 / STEP_SECONDS;
const LIMITS = { hourlyBudgetFri: STRK, dailyBudgetFri: 3n * STRK };
/** Cost of one execution in fri: 0.16 STRK. */
const COST_FRI = 20_000_000n * L2_GAS_FRI;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/**
 * Any account may create purchase orders. These tests show that the gas that creators can make the
 * keeper spend is limited.
 */
describe('creators of orders who want to spend the keeper’s gas', () => {
  let world: PurchaseWorld;
  let gate: TaskGate;
  beforeEach(() => {
    world = new PurchaseWorld();
    gate = gateOf(world);
  });

  const ended = async (sinceMs: number): Promise<readonly Attempt[]> =>
    (await world.attempts()).filter(({ endedAtMs }) => (endedAtMs ?? -1) >= sinceMs);
  const spentSince = async (sinceMs: number): Promise<bigint> =>
    sum((await ended(sinceMs)).map(({ gasPaidFri }) => gasPaidFri ?? 0n));

  it('no execution is submitted for an order with a tiny amount, an unpriced token or a reverting execution', async () => {
    const reverting = new Set<bigint>();
    for (let each = 0; each < 40; each += 1) {
      // The amounts are up to 4.80 USD, and the fee is a thousandth of the amount.
      world.create({ amount: 600_000n * BigInt((each % 8) + 1) });
      world.create({ sellToken: toFelt(0xbad000n + BigInt(each)), amount: 10n ** 30n });
      world.create({ sellToken: ETH.address, amount: 10n ** 18n });
      reverting.add(world.create());
    }
    const keeper = world.aKeeper({
      simulator: {
        async simulate(call) {
          const read = readExecution(world.contract.layout.execution, call.calldata);
          return reverting.has(read?.orderId ?? 0n)
            ? { ok: false, reason: 'ERC20: transfer refused' }
            : world.simulate(call);
        },
      },
    });
    const reasons = new Map<string, number>();
    for (const report of (await world.round(keeper, gate)).values()) {
      const reason = report.outcome === 'skipped' ? report.reason : 'acted';
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    expect(Object.fromEntries(reasons)).toEqual({
      UNPROFITABLE: 40,
      TOKEN_UNPRICED: 80,
      SIMULATION_REVERTED: 40,
    });
    expect(await world.attempts()).toEqual([]);
  });

  it('order creators can’t make the keeper exceed its budgets by cancelling orders after a send', async () => {
    let worstHour = 0n;
    for (let step = 0; step < 1.25 * STEPS_PER_DAY; step += 1) {
      for (let each = 0; each < 3; each += 1) world.create();
      await world.round(world.task, gate);
      for (const attempt of await world.attempts()) {
        if (!isLive(attempt.state)) continue;
        const [orderId = ''] = (attempt.memo ?? '').split('|');
        world.chain.change(BigInt(orderId), { isCancelled: true });
        expect(await world.land(attempt)).toBe('REVERTED');
      }
      const inHour = await spentSince(world.clock.nowMs() - HOUR_MS);
      if (inHour > worstHour) worstHour = inHour;
      expect(inHour).toBeLessThanOrEqual(LIMITS.hourlyBudgetFri);
      expect(await spentSince(world.clock.nowMs() - DAY_MS)).toBeLessThanOrEqual(
        LIMITS.dailyBudgetFri,
      );
      world.pass(STEP_SECONDS);
    }
    // The costs almost reach the hourly budget, so this budget is the effective limit.
    expect(worstHour).toBeGreaterThan(LIMITS.hourlyBudgetFri - 4n * COST_FRI);
    expect((await world.attempts()).length).toBeLessThan(1.25 * 3 * STEPS_PER_DAY);
  });

  it('the keeper pays for at most three transactions of one reverting order until an operator resumes the order', async () => {
    const order = world.create();
    for (let step = 0; step < STEPS_PER_DAY; step += 1) {
      await world.round(world.task, gate);
      for (const attempt of await world.attempts()) {
        if (!isLive(attempt.state)) continue;
        // The order is not due at the time of the block that includes the call, so the call
        // reverts. The order is due again at the next block.
        world.chain.change(order, { lastExecution: BigInt(world.chain.head.timestamp) });
        expect(await world.land(attempt)).toBe('REVERTED');
        await world.finalize(attempt);
        world.chain.change(order, { lastExecution: 0n });
        world.chain.mine();
      }
      world.pass(STEP_SECONDS);
    }
    expect(await world.attempts()).toHaveLength(3);
    expect((await world.round(world.task, gate)).get(String(order))).toMatchObject({
      reason: 'FAILED_TOO_OFTEN',
    });
  });

  it('a late order is executed even if other creators add more orders than one check covers', async () => {
    world = new PurchaseWorld({ policy: { maxOrders: 5 } });
    for (let each = 0; each < 12; each += 1) world.create({ amount: 1n });
    const honest = world.create();
    const polled: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      const reports = await world.round();
      polled.push([...reports.keys()]);
      if (reports.get(String(honest))?.outcome === 'acted') break;
    }
    expect(polled.map(({ length }) => length)).toEqual([5, 5, 5]);
    expect(new Set(polled.flat())).toHaveProperty('size', 13);
    expect((await world.attempts()).map(({ memo }) => memo)).toEqual([`${honest}|0`]);
  });
});

/** Returns a gate that applies the task's budget to the attempts in the ledger. */
function gateOf(world: PurchaseWorld): TaskGate {
  const budgets = new TaskBudgets({
    store: {
      async spending(kinds, sinceMs) {
        const own = (await world.attempts()).filter(({ kind }) => kinds.includes(kind));
        const live = own.filter(({ state }) => isLive(state));
        const ended = own.filter(({ endedAtMs }) => (endedAtMs ?? -1) >= sinceMs);
        return {
          spentFri: sum(ended.map(({ gasPaidFri }) => gasPaidFri ?? 0n)),
          liveL2Gas: sum(live.map(({ limits }) => limits.l2Gas)),
          earned: [],
        };
      },
    },
    l2GasPriceFri: async () => L2_GAS_FRI,
    clock: world.clock,
  });
  return budgets.gateOf(world.task, LIMITS);
}
