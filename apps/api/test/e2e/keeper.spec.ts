import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually, keyed } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { TOKENS, startDomains } from './support/domains.js';
import type { Stack } from './support/stack.js';

const { vaults, tokens, accounts } = sandboxWorld;
const IDLE_SATS = 1_250_000n;
const COLLATERAL_SATS = 10_000_000n;
const OPERATOR_TOKEN = 'token-of-the-operator';
const QUICK = { candidateMs: 10, preConfirmedMs: 30, blockMs: 120 };

describe('the keeper in the service', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startDomains(
      { cadence: QUICK },
      {
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
        KEEPER_TASKS: 'curator,batches,leverage,purchases,treasury',
        KEEPER_SUBJECTS: JSON.stringify({ curator: ['sentinel'], batches: ['sentinel_2x'] }),
        KEEPER_ACCOUNTS: JSON.stringify([keyed(accounts.keeper1)]),
        KEEPER_INTERVAL_MS: '200',
        CURATOR_SETTLE_SECONDS: '0',
        CURATOR_COST_FACTOR: '1',
        TREASURY_ACCOUNT: JSON.stringify(keyed(accounts.treasury)),
        // The floor is higher than the initial balance of lanes, so that the treasury funds the
        // lane.
        TREASURY_FLOORS: JSON.stringify({
          keeper: { floor: `${1_001n * 10n ** 18n}`, ceiling: `${1_002n * 10n ** 18n}` },
        }),
      },
    );
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const subjectOf = async (task: string, subject: string) => {
    const { body } = await stack.service.get('/api/keeper/status');
    const { tasks } = Object(body);
    const found = tasks.find((each: { task: string }) => each.task === task);
    return found.subjects.find((each: { subject: string }) => each.subject === subject);
  };
  const rounds = () => stack.chain.inclusions(accounts.curator);
  const acted = (task: string, subject: string) =>
    eventually(`${task} to act on ${subject}`, async () => {
      const found = await subjectOf(task, subject);
      return found?.lastActed !== null && found?.lastActed !== undefined && found;
    });

  /** Waits until the vault turbo is skipped for this reason. */
  const because = (reason: string): Promise<unknown> =>
    eventually(`turbo to say ${reason}`, async () => {
      return (await subjectOf('leverage', 'turbo'))?.reason === reason;
    });

  it('the keeper automatically deploys idle funds, but only those of the configured vaults', async () => {
    for (const vault of ['sentinel', 'citadel'] as const)
      stack.chain.control.mint(vaults[vault].address, IDLE_SATS, tokens.WBTC.address);
    await acted('curator', 'sentinel');
    await eventually('the funds to be deployed', async () => {
      return (await stack.chain.wbtcOf(vaults.sentinel.address)) === 0n;
    });
    expect(await stack.chain.wbtcOf(vaults.citadel.address)).toBe(IDLE_SATS);
  });

  it('the treasury funds a lane whose balance is below its floor, with a single payment', async () => {
    await acted('treasury', 'keeper-0');
    const balance = await eventually('the lane to be full', async () => {
      const fri = await stack.chain.balanceOf(tokens.STRK.address, accounts.keeper1.address);
      return fri >= 1_001n * 10n ** 18n && fri;
    });
    expect(balance).toBeLessThanOrEqual(1_002n * 10n ** 18n);
  });

  it('the keeper moves the vault turbo to the leverage that the operator sets: three, and then one', async () => {
    stack.chain.control.mint(vaults.turbo.address, COLLATERAL_SATS, tokens.WBTC.address);
    const { status } = await stack.service.post(
      '/api/curator',
      { vaultId: 'turbo' },
      { authorization: `Bearer ${TOKENS.first}` },
    );
    expect(status).toBe(200);
    const led = async (target: number): Promise<number> => {
      const before = rounds().length;
      const { status: answered } = await stack.service.post(
        '/api/operator/leverage/turbo',
        { target },
        { authorization: `Bearer ${OPERATOR_TOKEN}` },
      );
      expect(answered).toBe(200);
      await eventually(`turbo to be at ${target}`, async () => {
        const { reason, details } = (await subjectOf('leverage', 'turbo')) ?? {};
        return reason === 'AT_TARGET' && Math.abs(Number(details.leverage) - target) < 0.06;
      });
      return rounds().length - before;
    };
    expect(await led(3)).toBeGreaterThan(1);
    expect(await led(1)).toBeGreaterThan(1);
    expect(rounds().every(({ executionStatus }) => executionStatus === 'SUCCEEDED')).toBe(true);
  });

  it('the keeper does not change the vault turbo while prices disagree, liquidity is missing, the rate is too high or the vault is paused', async () => {
    const { control } = stack.chain;
    const { pool, reserve } = sandboxWorld.lending;
    const [WBTC, USDC] = [tokens.WBTC.address, tokens.USDC.address];
    const market = (changes: { reserve?: bigint; nominalDebtE18?: bigint }): void =>
      control.setLendingMarket(pool, changes, USDC);
    const aim = (target: number) =>
      stack.service.post(
        '/api/operator/leverage/turbo',
        { target },
        { authorization: `Bearer ${OPERATOR_TOKEN}` },
      );
    const sent = rounds().length;

    control.aggregator.setUsdPrice(WBTC, 110_000);
    await because('PRICE_UNAVAILABLE');
    expect((await aim(2)).status).toBe(200);
    await because('PRICE_UNAVAILABLE');
    // The prices are correct again, but the lending pool has no USDC that could be borrowed.
    market({ reserve: 0n });
    control.aggregator.setUsdPrice(WBTC, 'oracle');
    await because('LIQUIDITY_MISSING');
    // Nine tenths of the supply are lent: the rate is high, but the utilization is below the pool's
    // maximum.
    market({ reserve: 10n ** 12n, nominalDebtE18: 9n * 10n ** 24n });
    await because('RATE_AGAINST');
    control.setStorage(vaults.turbo.address, 'paused', 1n);
    market({ reserve, nominalDebtE18: 0n });
    await because('SIMULATION_REVERTED');
    expect(rounds()).toHaveLength(sent);

    control.setStorage(vaults.turbo.address, 'paused', 0n);
    await because('AT_TARGET');
    expect(rounds().length).toBeGreaterThan(sent);
    expect(rounds().every(({ executionStatus }) => executionStatus === 'SUCCEEDED')).toBe(true);
  });

  it('the keeper executes a due purchase once if its fee covers the gas, and skips a purchase whose fee does not cover the gas', async () => {
    const { buyer, keeper1 } = accounts;
    const [worthless, worth] = [1_000_000n, 1_000_000_000n];
    const before = await stack.chain.wbtcOf(buyer.address);
    await stack.chain.orderPurchases(buyer, tokens.USDC.address, worthless, 2n);
    await stack.chain.orderPurchases(buyer, tokens.USDC.address, worth, 2n);
    await acted('purchases', '2');
    const bought = await eventually('the purchase to be paid', async () => {
      const sats = (await stack.chain.wbtcOf(buyer.address)) - before;
      return sats > 0n && sats;
    });
    // The buyer receives the value of 1,000 USDC at 100,000 USD, minus the fee of 0.1 %, and at
    // most 1 % less than the fair value.
    expect(bought).toBeGreaterThan(989_000n);
    expect(bought).toBeLessThan(1_000_000n);
    await eventually('both orders to wait', async () => {
      const [first, second] = [
        await subjectOf('purchases', '1'),
        await subjectOf('purchases', '2'),
      ];
      return first?.reason === 'UNPROFITABLE' && second?.reason === 'NOT_DUE';
    });
    expect(stack.chain.inclusions(keeper1)).toMatchObject([{ executionStatus: 'SUCCEEDED' }]);
    const { body } = await stack.service.get('/api/operator/status', {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    });
    const { budget } = Object(body).keeper.tasks.find(
      ({ task }: { task: string }) => task === 'purchases',
    );
    expect(budget.day.earned).toEqual([
      { token: toFelt(tokens.WBTC.address), amount: expect.stringMatching(/^9\d\d$/) },
    ]);
    expect(BigInt(budget.day.spentFri)).toBeGreaterThan(0n);
  });

  it('the service reports the Mayer Multiple and all smart orders that have not ended', async () => {
    expect((await stack.service.get('/api/keeper/mayer')).body).toMatchObject({ verdict: 'off' });
    expect((await stack.service.get('/api/keeper/orders')).body).toMatchObject({
      orders: [{ state: 'due' }, { state: 'waiting', executed: 1 }],
    });
  });
});

describe('fees that the treasury has earned', () => {
  /** Initial WBTC balance of the treasury's account, in sats, which is never swapped. */
  const RESERVE = 1_000_000_000n;
  const EARNED = 3_000_000n;
  const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.STRK.address };
  let stack: Stack;
  beforeAll(async () => {
    const { treasury } = accounts;
    stack = await startDomains(
      { cadence: QUICK },
      {
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
        FEE_ADDRESS: toFelt(treasury.address),
        KEEPER_TASKS: 'treasury',
        KEEPER_INTERVAL_MS: '200',
        KEEPER_SUBJECTS: JSON.stringify({ treasury: ['fees:WBTC'] }),
        TREASURY_ACCOUNT: JSON.stringify(keyed(treasury)),
        TREASURY_FLOORS: JSON.stringify({ relay: { floor: '1', ceiling: '1' } }),
        TREASURY_CONVERSIONS: JSON.stringify({
          WBTC: {
            reserve: String(RESERVE),
            least: '500000',
            most: String(EARNED),
            perDay: String(EARNED),
          },
        }),
      },
    );
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const reasonOf = async (): Promise<unknown> => {
    const { body } = await stack.service.get('/api/operator/status', {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    });
    const found = Object(body).keeper.tasks.find(
      (each: { task: string }) => each.task === 'treasury',
    );
    return found.subjects[0]?.reason;
  };
  const until = (reason: string) =>
    eventually(`the keeper to say ${reason}`, async () => (await reasonOf()) === reason);
  const held = (token: bigint) => stack.chain.balanceOf(token, accounts.treasury.address);
  const sent = () => stack.chain.inclusions(accounts.treasury).length;

  it('the treasury swaps its earned fees above the reserve to STRK, but never at a bad price', async () => {
    const { aggregator } = stack.chain.control;
    await until('BELOW_THRESHOLD');
    aggregator.moveRate(pair, -350);
    stack.chain.control.mint(accounts.treasury.address, EARNED, tokens.WBTC.address);
    await until('PRICE_IMPACT_TOO_HIGH');
    expect(sent()).toBe(0);
    expect(await held(tokens.WBTC.address)).toBe(RESERVE + EARNED);

    const before = await held(tokens.STRK.address);
    // Restore the rate that was valid before the change: 0.965 of that rate, times 1.0363, is that
    // rate.
    aggregator.moveRate(pair, 363);
    await eventually('the fees to be swapped', async () => {
      return (await held(tokens.WBTC.address)) === RESERVE;
    });
    await until('BELOW_THRESHOLD');
    expect(sent()).toBe(2);
    expect(await held(tokens.STRK.address)).toBeGreaterThan(before);
    // The treasury swaps fees at most once per day, so fees that arrive later are swapped on the
    // next day.
    stack.chain.control.mint(accounts.treasury.address, EARNED, tokens.WBTC.address);
    await until('DAILY_LIMIT');
    expect(sent()).toBe(2);
  });
});

describe('a vault that the price leaves at its lending pool’s limit', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startDomains(
      { cadence: QUICK },
      {
        OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
        KEEPER_TASKS: 'leverage',
        KEEPER_INTERVAL_MS: '200',
        TREASURY_ACCOUNT: JSON.stringify(keyed(accounts.treasury)),
        LEVERAGE_REPAY_PER_DAY_USDC: '100000000000',
      },
    );
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const { treasury, curator } = accounts;
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const leverage = async () => {
    const { body } = await stack.service.get('/api/operator/status', operator);
    const { tasks } = Object(body).keeper;
    const found = tasks.find((each: { task: string }) => each.task === 'leverage');
    return Object(found.subjects[0]);
  };
  const atTarget = (): Promise<unknown> =>
    eventually('turbo to be at three times', async () => {
      const { reason, details } = await leverage();
      return reason === 'AT_TARGET' && Math.abs(Number(details.leverage) - 3) < 0.07;
    });
  const held = () => stack.chain.balanceOf(tokens.USDC.address, treasury.address);
  const inVault = () => stack.chain.balanceOf(tokens.USDC.address, vaults.turbo.address);
  const isAllRight = (): boolean =>
    [treasury, curator]
      .flatMap((account) => stack.chain.inclusions(account))
      .every(({ executionStatus }) => executionStatus === 'SUCCEEDED');
  /** Sets the price of WBTC, in USD, at the oracle and at the exchanges. */
  const fall = (from: number, to: number): void => {
    for (const pair of ['WBTC/USD', 'BTC/USD'])
      stack.chain.setPrice(pair, { usdE8: BigInt(to) * 10n ** 8n });
    const [WBTC, USDC] = [tokens.WBTC.address, tokens.USDC.address];
    const { aggregator } = stack.chain.control;
    aggregator.moveRate({ sellToken: WBTC, buyToken: USDC }, Math.round((to / from - 1) * 10_000));
    aggregator.moveRate({ sellToken: USDC, buyToken: WBTC }, Math.round((from / to - 1) * 10_000));
  };

  it('the treasury pays for a vault once when the vault’s debt reaches the lending pool’s limit', async () => {
    stack.chain.control.mint(vaults.turbo.address, COLLATERAL_SATS, tokens.WBTC.address);
    await stack.service.post(
      '/api/curator',
      { vaultId: 'turbo' },
      { authorization: `Bearer ${TOKENS.first}` },
    );
    await stack.service.post('/api/operator/leverage/turbo', { target: 3 }, operator);
    await atTarget();
    const before = await held();
    expect(stack.chain.inclusions(treasury)).toEqual([]);

    fall(100_000, 77_000);
    await eventually('the treasury to pay', async () => (await held()) < before);
    await atTarget();
    expect(stack.chain.inclusions(treasury)).toMatchObject([{ executionStatus: 'SUCCEEDED' }]);
    expect(before - (await held())).toBeLessThanOrEqual(100_000_000_000n);
    expect(await inVault()).toBe(0n);
    expect(isAllRight()).toBe(true);
  });

  it('when the price falls again, the vault repays debt with the treasury’s payment', async () => {
    const { control } = stack.chain;
    const sent = stack.chain.inclusions(treasury).length;
    const before = await held();
    control.setStorage(vaults.turbo.address, 'paused', 1n);
    fall(77_000, 60_000);
    await eventually('the treasury to pay', async () => (await inVault()) > 0n);
    const first = before - (await held());
    const { details } = await leverage();
    fall(60_000, 55_000);
    await eventually('a poll at the lower price', async () => {
      const now = await leverage();
      const isLower = BigInt(now.details.healthE18) < (BigInt(details.healthE18) * 95n) / 100n;
      return isLower && now.details.because === 'SIMULATION_REVERTED';
    });
    expect(before - (await held())).toBe(first);
    control.setStorage(vaults.turbo.address, 'paused', 0n);
    await eventually('the treasury to pay again', async () => before - (await held()) > first);
    await atTarget();
    expect(await inVault()).toBe(0n);
    expect(stack.chain.inclusions(treasury)).toHaveLength(sent + 2);
    expect(isAllRight()).toBe(true);
  });

  it('the keeper does not change a vault without a leverage target, even if the vault’s health is below the floor', async () => {
    const { status } = await stack.service.post(
      '/api/operator/leverage/turbo',
      { target: null },
      operator,
    );
    expect(status).toBe(200);
    const sent = stack.chain.inclusions(accounts.curator).length;
    fall(55_000, 44_000);
    const keeper = await eventually('an alert', async () => {
      const { body } = await stack.service.get('/api/operator/status', operator);
      const { alerts, tasks } = Object(body).keeper;
      return alerts.length > 0 && { alerts, tasks };
    });
    expect(keeper.alerts).toMatchObject([
      { task: 'leverage', subject: 'turbo', reason: 'HEALTH_BELOW_FLOOR' },
    ]);
    const { subjects } = keeper.tasks.find(({ task }: { task: string }) => task === 'leverage');
    expect(subjects).toMatchObject([{ details: { because: 'NOT_DUE' } }]);
    expect(stack.chain.inclusions(accounts.curator)).toHaveLength(sent);
  });
});
