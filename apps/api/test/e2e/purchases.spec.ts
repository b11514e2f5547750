import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { u256ToHalves } from '@sotto/kernel';
import { eventually, keyed } from '@sotto/process-kit';
import { sandboxWorld, type Sandbox } from '@sotto/sandbox';
import { restarted, startDomains } from './support/domains.js';
import type { Stack } from './support/stack.js';

const { accounts, exchanges, purchases, tokens } = sandboxWorld;
const { buyer, keeper1, keeper2 } = accounts;
const [WBTC, USDC] = [tokens.WBTC.address, tokens.USDC.address];

/**
 * Amount per purchase: 1,000 USDC, the price of a hundredth of a BTC. A smart order spends a
 * quarter more at a Mayer Multiple of 0.9.
 */
const AMOUNT = 1_000_000_000n;
const BOUGHT_SATS = 1_000_000n;
const SMART_SATS = (BOUGHT_SATS * 5n) / 4n;
const HOUR_SECONDS = 3_600n;
const MAYER_E18 = purchases.mayerMultipleE18;
const DAY_MS = 86_400_000;
/**
 * Days, counted back from the day of the test, for which the two price sources disagree. All are
 * among the last 200 days, even if a new day begins during the test. Two further days are missing
 * in one source, so fewer than 195 closing prices remain. The closing prices of two of the four
 * days are above the mean, and those of the other two are below it by the same amount.
 */
const DISPUTED_DAYS = [10, 30, 100, 120];
const MISSING_DAYS = [20, 40];
/**
 * Mayer Multiple that the service computes from the daily closing prices. In the first hour of a
 * day, yesterday's closing price may be unknown, which changes the mean slightly.
 */
const OUR_MULTIPLE = expect.stringMatching(/^0\.(900|8999)/);
/** Number of faults, greater than the number of polls for which a test waits. */
const MANY = 1_000;
/**
 * Delay of the aggregator in milliseconds, long enough for other parties to act during the wait.
 */
const BUILT_LATE_MS = 1_500;
const OPERATOR_TOKEN = 'token-of-the-operator';
const QUICK = { candidateMs: 10, preConfirmedMs: 30, blockMs: 120 };

const call = (entrypoint: string) => ({ to: purchases.address, entrypoint });

const today = (): number => Math.floor(Date.now() / DAY_MS);
const DAY_OF_TEST = today();

/**
 * Sets closing prices of the second source for days that are counted back from the day of the test.
 * The dates stay the same even if a new day begins during the test.
 */
function setSecond(
  aggregator: Sandbox['control']['aggregator'],
  days: readonly number[],
  usd: number | null,
): void {
  for (const day of days) aggregator.setClose(WBTC, day + today() - DAY_OF_TEST, usd, 'second');
}

/**
 * Tests an order from the buyer's deposit to the keeper's fee. Errors of other parties must not
 * cost the keeper any gas.
 */
describe('recurring purchases by the service', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startDomains(
      {
        cadence: QUICK,
        deposit: async ({ control: { aggregator } }) => {
          setSecond(aggregator, DISPUTED_DAYS, 90_000);
          setSecond(aggregator, MISSING_DAYS, null);
        },
      },
      ({ aggregatorUrl }) => ({
        DAILY_CLOSES_URLS: `${aggregatorUrl},${aggregatorUrl}/second`,
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
        KEEPER_TASKS: 'purchases',
        KEEPER_ACCOUNTS: JSON.stringify([keyed(keeper1)]),
        KEEPER_INTERVAL_MS: '200',
      }),
    );
    await stack.service.ready();
    await stack.chain.approve(buyer, USDC, purchases.address, 1_000n * AMOUNT);
  });
  afterAll(() => stack.stop());

  const orderCount = async () =>
    (await stack.chain.view(purchases.address, 'order_count'))[0] ?? 0n;
  /** @returns the id of the new order */
  const order = async ({ smart = false, times = 1n } = {}): Promise<bigint> => {
    const terms = [USDC, ...u256ToHalves(AMOUNT), HOUR_SECONDS, times, smart ? 1n : 0n];
    await stack.chain.act(buyer, call('create_order'), terms);
    return orderCount();
  };
  const executionsOf = (id: bigint) =>
    stack.chain.control.storage(purchases.address, `order:${id}:executed`);
  const executed = (id: bigint, times = 1n) =>
    eventually(`order ${id} to be executed`, () => executionsOf(id) === times);
  const seen = async (id: bigint) => {
    const { body } = await stack.service.get('/api/keeper/status');
    const task = Object(body).tasks.find((each: { task: string }) => each.task === 'purchases');
    return task.subjects.find(({ subject }: { subject: string }) => subject === String(id));
  };
  const skipped = (id: bigint, reason: string) =>
    eventually(`order ${id} to be left for ${reason}`, async () => {
      const subject = await seen(id);
      return subject?.reason === reason && subject;
    });
  const mayer = async () => Object((await stack.service.get('/api/keeper/mayer')).body);
  const funds = async () => ({
    buyer: await stack.chain.wbtcOf(buyer.address),
    keeper: await stack.chain.wbtcOf(keeper1.address),
    gas: await stack.chain.balanceOf(tokens.STRK.address, keeper1.address),
    sent: stack.chain.inclusions(keeper1).length,
  });

  it('skips a smart order while the price sources agree on fewer than 195 daily closing prices', async () => {
    const id = await order({ smart: true, times: 2n });
    await skipped(id, 'MAYER_UNKNOWN');
    expect(await mayer()).toMatchObject({
      verdict: 'unknown',
      own: null,
      meanUsd: null,
      days: { agreed: expect.any(Number), missing: expect.any(Number), disputed: 4 },
    });
    const { agreed, missing } = (await mayer()).days;
    expect([194, 193]).toContain(agreed);
    expect(agreed + missing).toBe(196);
    expect((await funds()).sent).toBe(0);
  });

  it('a smart order is executed once at the Mayer Multiple of the closing prices when the price sources agree', async () => {
    const before = await funds();
    const { aggregator } = stack.chain.control;
    aggregator.clearCloses(WBTC);
    // The service also requests the disputed closing prices again, but none of these prices was
    // corrected.
    setSecond(aggregator, DISPUTED_DAYS, 90_000);
    await restarted(stack);
    await executed(1n);
    const fee = SMART_SATS / 1_000n;
    expect(await funds()).toMatchObject({
      buyer: before.buyer + SMART_SATS - fee,
      keeper: before.keeper + fee,
      sent: 1,
    });
    expect(await mayer()).toMatchObject({
      verdict: 'confirmed',
      contract: { multiple: '0.900000', band: '1.25' },
      own: { multiple: OUR_MULTIPLE, band: '1.25' },
      days: { agreed: expect.any(Number), disputed: 4 },
    });
    expect([196, 195]).toContain((await mayer()).days.agreed);
    const { dueAt } = await skipped(1n, 'NOT_DUE');
    expect(Object((await stack.service.get('/api/keeper/orders')).body).orders).toEqual([
      {
        order: '1',
        state: 'waiting',
        sellToken: expect.any(String),
        sellSymbol: 'USDC',
        amount: String(AMOUNT),
        remaining: String(3n * AMOUNT - (AMOUNT * 5n) / 4n),
        frequencySeconds: Number(HOUR_SECONDS),
        total: 2,
        executed: 1,
        smart: true,
        nextDueAt: dueAt,
      },
    ]);
  });

  it('skips an executed smart order until it is due again', async () => {
    // The poll that executes this order has also checked the older order.
    await executed(await order());
    expect(executionsOf(1n)).toBe(1n);
    const { control } = stack.chain;
    const last = 'order:1:lastExecution';
    const lastAt = control.storage(purchases.address, last);
    const deposited = await stack.chain.balanceOf(USDC, buyer.address);
    control.setStorage(purchases.address, last, lastAt - HOUR_SECONDS);
    await executed(1n, 2n);
    expect((await funds()).sent).toBe(3);
    const back = (await stack.chain.balanceOf(USDC, buyer.address)) - deposited;
    expect(back).toBe(3n * AMOUNT - 2n * ((AMOUNT * 5n) / 4n));
  });

  it.each([
    ['quotes a thousandth of the price', 'hostile-quotes', 'low-quote', 'PRICE_IMPACT_TOO_HIGH'],
    ['pays what is bought to itself', 'hostile', 'wrong-beneficiary', 'SWAP_BUILD_REJECTED'],
    ['lowers the minimum', 'hostile', 'lower-minimum', 'SWAP_BUILD_REJECTED'],
  ] as const)(
    'signs no purchase if the aggregator %s, and continues once the aggregator responds honestly',
    async (_what, kind, deed, code) => {
      const { aggregator } = stack.chain.control;
      const before = await funds();
      const spoiled =
        kind === 'hostile'
          ? ({ endpoint: 'build', fault: { kind, deed } } as const)
          : ({ endpoint: 'quotes', fault: { kind, deed } } as const);
      aggregator.addFault({ ...spoiled, times: MANY });
      const id = await order();
      const { details } = await skipped(id, kind === 'hostile' ? 'NO_QUOTES' : code);
      expect(details).toMatchObject({ code });
      expect(await funds()).toEqual(before);
      aggregator.clearFaults();
      await executed(id);
      expect(await stack.chain.wbtcOf(keeper1.address)).toBe(before.keeper + BOUGHT_SATS / 1_000n);
    },
  );

  it.each([
    ['in the same band', (MAYER_E18 * 103n) / 100n, '0.9270'],
    ['in another band', 10n ** 18n, '1.0000'],
  ])(
    'skips a smart order while the contract’s Mayer Multiple is wrong %s',
    async (_where, e18, shown) => {
      const before = await funds();
      const set = (multiple: bigint) =>
        stack.chain.control.setStorage(purchases.address, 'mayer_multiple', multiple);
      set(e18);
      const id = await order({ smart: true });
      const { details } = await skipped(id, 'MAYER_DISPUTED');
      expect(details).toEqual({ ours: OUR_MULTIPLE, contracts: shown });
      expect((await mayer()).verdict).toBe('disputed');
      expect(await funds()).toEqual(before);
      set(MAYER_E18);
      await executed(id);
      expect(await stack.chain.wbtcOf(keeper1.address)).toBe(before.keeper + SMART_SATS / 1_000n);
    },
  );

  it.each([
    ['is executed by another', 'NOT_DUE', keeper2],
    ['is cancelled', 'ORDER_ENDED', buyer],
  ] as const)(
    'the keeper pays no gas for an order that %s after the keeper’s poll',
    async (_what, reason, by) => {
      const { aggregator } = stack.chain.control;
      const { buyer: _had, ...before } = await funds();
      const built = aggregator.counters().build;
      aggregator.addFault({ endpoint: 'build', fault: { kind: 'late', delayMs: BUILT_LATE_MS } });
      const id = await order({ times: 2n });
      await eventually('a build to be requested', () => aggregator.counters().build > built);
      const routes = [1n, USDC, WBTC, exchanges.first.address, 10n ** 12n, 0n];
      await (by === buyer
        ? stack.chain.act(by, call('cancel_order'), [id])
        : stack.chain.act(by, call('execute_order'), [id, ...u256ToHalves(1n), ...routes]));
      expect((await skipped(id, reason)).lastActed).toBeNull();
      const { buyer: _has, ...after } = await funds();
      expect(after).toEqual(before);
      expect(executionsOf(id)).toBe(by === buyer ? 0n : 1n);
    },
  );

  it('sends no purchase if an operator pauses the purchase task after the poll has begun', async () => {
    const { aggregator } = stack.chain.control;
    const before = await funds();
    const say = (word: 'pause' | 'resume', body: object) =>
      stack.service.post(`/api/operator/tasks/purchases/${word}`, body, {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
      });
    const built = aggregator.counters().build;
    aggregator.addFault({ endpoint: 'build', fault: { kind: 'late', delayMs: BUILT_LATE_MS } });
    const id = await order();
    await eventually('a build to be requested', () => aggregator.counters().build > built);
    expect((await say('pause', { reason: 'a doubt' })).status).toBe(200);
    expect((await skipped(id, 'PAUSED')).lastActed).toBeNull();
    await stack.chain.act(buyer, call('cancel_order'), [id]);
    expect((await say('resume', {})).status).toBe(200);
    await skipped(id, 'ORDER_ENDED');
    expect(await funds()).toEqual(before);
  });

  it('the keeper’s account has paid gas only for purchases that succeeded', () => {
    const paid = stack.chain.inclusions(keeper1);
    expect(paid).toHaveLength(8);
    expect(paid.every(({ executionStatus }) => executionStatus === 'SUCCEEDED')).toBe(true);
  });
});
