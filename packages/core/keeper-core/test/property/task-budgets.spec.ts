import { describe, expect, it } from '@jest/globals';
import { NodeBehind } from '@sotto/submission-core';
import * as fc from 'fast-check';
import { resumedAt } from '../../src/index.js';
import { SETTINGS, World } from '../support/world.js';

const HOUR_MS = 3_600_000;
const TASK = { kinds: ['deploy_idle_funds'] };
const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n);
const fri = fc.bigInt({ min: 0n, max: 2n ** 100n });

describe('budget of a task', () => {
  it('a task’s gate never exceeds a gas budget', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          hourly: fri,
          daily: fri,
          old: fc.array(fri, { maxLength: 3 }),
          recent: fc.array(fri, { maxLength: 3 }),
          liveL2Gas: fc.bigInt({ min: 0n, max: 2n ** 40n }),
          priceFri: fc.bigInt({ min: 1n, max: 2n ** 40n }),
          costFri: fri,
        }),
        async ({ hourly, daily, old, recent, liveL2Gas, priceFri, costFri }) => {
          const world = new World();
          world.priceFri = async () => priceFri;
          for (const spent of old) world.store.end('deploy_idle_funds', spent);
          world.clock.advance(2 * HOUR_MS);
          for (const spent of recent) world.store.end('deploy_idle_funds', spent);
          world.store.begin('deploy_idle_funds', liveL2Gas);
          const limits = { ...SETTINGS, hourlyBudgetFri: hourly, dailyBudgetFri: daily };
          const pending = liveL2Gas * priceFri + costFri;
          const fits =
            sum(recent) + pending <= hourly && sum([...old, ...recent]) + pending <= daily;
          expect(await world.budgets.gateOf(TASK, limits).admit(costFri)).toBe(
            fits ? null : 'BUDGET_EXHAUSTED',
          );
        },
      ),
    );
  });

  it('gas that was spent before the budget’s time window no longer uses up the budget', async () => {
    const world = new World();
    const limits = { ...SETTINGS, hourlyBudgetFri: 10n, dailyBudgetFri: 15n };
    const gate = world.budgets.gateOf(TASK, limits);
    world.store.end('deploy_idle_funds', 10n);
    expect(await gate.admit(5n)).toBe('BUDGET_EXHAUSTED');
    world.clock.advance(HOUR_MS + 1);
    expect(await gate.admit(5n)).toBeNull();
    expect(await gate.admit(6n)).toBe('BUDGET_EXHAUSTED');
    world.clock.advance(23 * HOUR_MS);
    expect(await gate.admit(10n)).toBeNull();
  });

  it('a task’s gate admits no call while the gas price is unknown', async () => {
    const world = new World();
    const unread = new NodeBehind();
    world.priceFri = () => Promise.reject(unread);
    await expect(world.budgets.gateOf(TASK, SETTINGS).admit(0n)).rejects.toBe(unread);
  });
});

describe('resumedAt', () => {
  it('resumedAt returns the later of two times: the resume of the subject, and the resume of its task', async () => {
    const world = new World();
    expect(await resumedAt(world.store, 'curator', 'trident')).toBe(0);
    await world.store.resume('curator', 'trident');
    const first = world.clock.nowMs();
    expect(await resumedAt(world.store, 'curator', 'trident')).toBe(first);
    expect(await resumedAt(world.store, 'curator', 'turbo')).toBe(0);
    world.clock.advance(5);
    await world.store.resume('curator', null);
    expect(await resumedAt(world.store, 'curator', 'trident')).toBe(first + 5);
    expect(await resumedAt(world.store, 'curator', 'turbo')).toBe(first + 5);
    expect(await resumedAt(world.store, 'batches', 'trident')).toBe(0);
  });
});
