import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { eventually, keyed } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { startDomains } from './support/domains.js';
import type { Stack } from './support/stack.js';

const { vaults, tokens, accounts, purchases } = sandboxWorld;
const QUICK = { candidateMs: 10, preConfirmedMs: 30, blockMs: 120 };
/** Number of blocks by which the node falls behind. */
const BEHIND = 20;
const INTERVAL_MS = 200;
/**
 * Number of polls that each task must make, without any effect, while the node returns an old
 * state.
 */
const POLLS = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const COLLATERAL_SATS = 10_000_000n;
const STRK = 10n ** 18n;
const [FLOOR, CEILING, DRAINED] = [100n * STRK, 200n * STRK, 50n * STRK] as const;
const OPERATOR_TOKEN = 'token-of-the-operator';
/** The subject that is tested for each task. */
const SUBJECTS = {
  curator: 'sentinel',
  treasury: 'swap_owner-0',
  purchases: '1',
  leverage: 'turbo',
} as const;
type Task = keyof typeof SUBJECTS;
const TASKS: readonly Task[] = ['curator', 'treasury', 'purchases', 'leverage'];
const SENDERS = { ...accounts, keeper: accounts.keeper1 };

describe('the keeper over a node that falls behind', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startDomains(
      {
        cadence: QUICK,
        // The chain's clock is a day behind the service's clock. So an order that is due by the
        // chain's clock is also due by the service's clock.
        clockShiftMs: -DAY_MS,
        deposit: async ({ control }) =>
          control.mint(vaults.turbo.address, COLLATERAL_SATS, tokens.WBTC.address),
      },
      {
        // The maximum age of prices is eight days, because the service allows only a quarter of it
        // (two days) for volatile assets.
        PRICE_MAX_AGE_MS: String(8 * DAY_MS),
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
        KEEPER_TASKS: TASKS.join(','),
        KEEPER_ACCOUNTS: JSON.stringify([keyed(accounts.keeper1)]),
        KEEPER_INTERVAL_MS: String(INTERVAL_MS),
        CURATOR_SETTLE_SECONDS: '0',
        CURATOR_COST_FACTOR: '1',
        TREASURY_ACCOUNT: JSON.stringify(keyed(accounts.treasury)),
        TREASURY_FLOORS: JSON.stringify({
          swap_owner: { floor: String(FLOOR), ceiling: String(CEILING) },
        }),
      },
    );
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const authorized = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const operator = async (path: string, body: object): Promise<void> => {
    const { status } = await stack.service.post(`/api/operator${path}`, body, authorized);
    expect(status).toBe(200);
  };
  const lastPoll = async (task: Task) => {
    const { body } = await stack.service.get('/api/operator/status', authorized);
    const { tasks } = Object(body).keeper;
    const { subjects } = tasks.find((each: { task: string }) => each.task === task);
    return subjects.find(({ subject }: { subject: string }) => subject === SUBJECTS[task]) ?? {};
  };
  /** Returns the transactions that the keeper's accounts paid for, by account. */
  const sent = () =>
    Object.fromEntries(
      (['curator', 'treasury', 'keeper'] as const).map((name) => [
        name,
        stack.chain.inclusions(SENDERS[name]),
      ]),
    );
  const counts = () =>
    Object.fromEntries(Object.entries(sent()).map(([name, { length }]) => [name, length]));
  const executed = async (): Promise<bigint | undefined> =>
    (await stack.chain.view(purchases.address, 'get_order', [1n]))[6];
  const give = async (target: number): Promise<void> => {
    const { control } = stack.chain;
    control.mint(vaults.sentinel.address, 1_000_000n, tokens.WBTC.address);
    const { address } = accounts.swapOwner;
    control.setStorage(tokens.STRK.address, `balance:${address.toString(16)}`, DRAINED);
    await operator('/leverage/turbo', { target });
  };
  const allDone = (executions: bigint, target: number): Promise<unknown> =>
    eventually('all that is due to be done', async () => {
      const { chain } = stack;
      const { reason, details } = await lastPoll('leverage');
      return (
        (await executed()) === executions &&
        (await chain.wbtcOf(vaults.sentinel.address)) === 0n &&
        (await chain.balanceOf(tokens.STRK.address, accounts.swapOwner.address)) === CEILING &&
        reason === 'AT_TARGET' &&
        Number(details.target) === target &&
        // No submission may be in flight when the node falls behind: the keeper would only wait for
        // it, and not check the state.
        stack.ledger().attempts.every(({ state }) => state === 'succeeded') &&
        Object.values(sent()).every((own) =>
          own.every(({ finality }) => finality !== 'PRE_CONFIRMED'),
        )
      );
    });

  it('the keeper repeats no action while its node is behind the chain', async () => {
    const { control } = stack.chain;
    await eventually('turbo to supply its funds', () => counts()['curator'] === 1);
    for (const task of TASKS) await operator(`/tasks/${task}/pause`, { reason: 'a test' });
    await stack.chain.openOrder({
      sellToken: tokens.USDC.address,
      amount: 2_000n * 10n ** 6n,
      frequencySeconds: 3_600n,
      purchases: 3n,
    });
    const height = control.mine();
    await give(1.5);
    for (const task of TASKS) await operator(`/tasks/${task}/resume`, {});
    await allDone(1n, 1.5);
    // Each task has acted once, and the curator has also supplied turbo's funds.
    expect(counts()).toEqual({ curator: 3, treasury: 1, keeper: 1 });

    // The node now returns the state before these transactions, so that all tasks seem due.
    control.pause();
    const newest = control.mine(BEHIND);
    control.lag(2 * DAY_MS, newest - height);
    control.resume();
    control.moveClock(HOUR_MS);
    await give(3);
    for (const task of TASKS)
      await eventually(
        `${task} to see that the node is behind`,
        async () => (await lastPoll(task)).reason === 'NODE_BEHIND',
      );
    await systemClock.sleep(POLLS * INTERVAL_MS);
    for (const task of TASKS)
      expect([task, (await lastPoll(task)).reason]).toEqual([task, 'NODE_BEHIND']);
    expect(counts()).toEqual({ curator: 3, treasury: 1, keeper: 1 });
    expect(control.waiting()).toEqual([]);

    control.endLag();
    await allDone(2n, 3);
    expect(counts()).toMatchObject({ treasury: 2, keeper: 2 });
    for (const { executionStatus } of Object.values(sent()).flat())
      expect(executionStatus).toBe('SUCCEEDED');
  });
});
