import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, toFelt, u256FromHalves } from '@sotto/kernel';
import { readExecution } from '../../src/domain/execution.js';
import { dayOf } from '../../src/index.js';
import { OTHER_CONTRACT } from '../support/contracts.js';
import { ACCOUNT, AMOUNT, BTC_USD_E8, CHAIN_ID, ETH, PurchaseWorld } from '../support/world.js';

const HOUR = 3_600;

describe('PurchaseTask', () => {
  let world: PurchaseWorld;
  beforeEach(() => {
    world = new PurchaseWorld();
  });

  /**
   * Returns the reason why a round skipped the first order, and the number of submissions in the
   * ledger.
   */
  const skipOf = async () => {
    const report = (await world.round()).get('1');
    const reason = report?.outcome === 'skipped' ? report.reason : null;
    return { reason, attempts: (await world.attempts()).length };
  };

  it('executes a new order at once, under the execution number 0', async () => {
    const order = world.create();
    const reports = await world.round();
    expect([...reports.keys()]).toEqual([String(order)]);
    expect(reports.get(String(order))).toMatchObject({
      outcome: 'acted',
      submissionId: 'execution-1',
      details: { executed: 0, amount: String(AMOUNT), minimumSats: '990000' },
    });
    expect(await world.lastAttempt()).toMatchObject({
      key: `${CHAIN_ID}|dca|${world.contract.address}|1|0`,
      kind: 'execute_order',
      subject: world.contract.address,
      memo: '1|0',
      role: 'keeper',
      target: { to: world.contract.address, entrypoint: 'execute_order' },
      replayProtected: false,
      terms: { feeAmount: 990n, strkUsdE8: 4_000_000n, feeTokenUsdE8: BTC_USD_E8 },
    });
  });

  it('requests the quote and the build with the purchase contract as taker', async () => {
    world.create();
    await world.round();
    const taker = world.contract.address;
    expect(world.aggregator.requested).toMatchObject([{ sellAmount: AMOUNT, taker }]);
    expect(world.aggregator.builds).toMatchObject([{ taker }]);
  });

  it('submits exactly the calldata that was simulated', async () => {
    world.create();
    const tried: unknown[] = [];
    const keeper = world.aKeeper({
      simulator: {
        simulate: (call, as) => {
          tried.push(as);
          return world.simulate(call);
        },
      },
    });
    await world.round(keeper);
    expect(tried).toEqual([ACCOUNT]);
    const calldata = await world.ledger.calldata('execution-1');
    expect(calldata && world.simulated[0]?.calldata.equals(calldata)).toBe(true);
  });

  it('executes an order once for each due time, and continues from the contract’s number of executions', async () => {
    const order = world.create({ total: 3n });
    for (let executed = 0; executed < 3; executed += 1) {
      expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
      expect((await world.round()).get('1')).toMatchObject({ reason: 'IN_FLIGHT' });
      expect(await world.land(await world.lastAttempt())).toBe('SUCCEEDED');
      world.pass(60);
      const { lastExecution } = world.chain.order(order);
      const report = (await world.round()).get('1');
      expect(report).toMatchObject(
        executed < 2
          ? { reason: 'NOT_DUE', dueAtMs: (Number(lastExecution) + HOUR) * 1_000 }
          : { reason: 'ORDER_ENDED' },
      );
      // Far more than one period passes, but no execution makes up for the missed ones.
      world.pass(10 * HOUR);
    }
    expect((await world.attempts()).map(({ memo }) => memo)).toEqual(['1|0', '1|1', '1|2']);
    expect(world.chain.order(order).executed).toBe(3n);
  });

  it('reads all orders that have not ended in one batched request', async () => {
    const orders = Array.from({ length: 20 }, () => world.create());
    for (const order of orders) world.chain.execute(order);
    world.pass(60);
    const reads = world.chain.reads;
    const reports = await world.round();
    expect([...reports.values()].every((report) => report.outcome === 'skipped')).toBe(true);
    // The first read is the batch of all orders. The second read checks which orders have ended.
    expect(world.chain.reads - reads).toBe(2);
  });

  it('the last execution of an order sells the whole remaining deposit', async () => {
    world.create({ deposited: AMOUNT + 1_000_000n, spent: AMOUNT - 200_000_000n });
    await world.round();
    expect(world.aggregator.requested).toMatchObject([{ sellAmount: 201_000_000n }]);
  });

  it.each([
    [40_000n, '1.5', 900_000_000n],
    [49_000n, '1.25', 750_000_000n],
    [61_000n, '1', 600_000_000n],
    [91_000n, '0.75', 450_000_000n],
    [120_000n, '0.75', 450_000_000n],
    [150_000n, '0.5', 300_000_000n],
  ] as const)(
    'the amount of a smart order at a price of %s USD is multiplied by %s',
    async (usd, band, amount) => {
      world.setBtc(usd * 100_000_000n);
      world.aggregator.setRates([
        {
          sellToken: toFelt('0x05dc'),
          buyToken: toFelt('0xb7c'),
          bought: 100n,
          sold: usd,
        },
      ]);
      world.chain.setMayerMultiple((usd * 1_000_000n) / 60_000n);
      world.create({ isSmart: true });
      expect((await world.round()).get('1')).toMatchObject({
        outcome: 'acted',
        details: { band, amount: String(amount) },
      });
      expect(world.aggregator.requested).toMatchObject([{ sellAmount: amount }]);
    },
  );

  it('executes an order that is not smart with its unchanged amount', async () => {
    world.chain.setMayerMultiple(3_000_000n);
    world.create();
    expect((await world.round()).get('1')).toMatchObject({ details: { amount: String(AMOUNT) } });
  });

  describe('skipped orders', () => {
    it('skips a smart order if only one source of closing prices is configured, and executes other orders', async () => {
      world = new PurchaseWorld({ sources: ['alpha'] });
      world.create({ isSmart: true });
      expect(await skipOf()).toEqual({ reason: 'SMART_ORDERS_OFF', attempts: 0 });
      world.create();
      expect((await world.round()).get('2')).toMatchObject({ outcome: 'acted' });
    });

    it('skips a smart order while fewer than 195 daily closing prices are known', async () => {
      const [alpha] = world.closes;
      const today = dayOf(world.chain.head.timestamp);
      for (let day = today - 6; day < today; day += 1) alpha?.set(day, null);
      world.create({ isSmart: true });
      expect(await skipOf()).toEqual({ reason: 'MAYER_UNKNOWN', attempts: 0 });
    });

    it('skips a smart order while the sources disagree on the closing prices of more than five days', async () => {
      const [alpha] = world.closes;
      const today = dayOf(world.chain.head.timestamp);
      for (let day = today - 6; day < today; day += 1) alpha?.set(day, BTC_USD_E8 * 2n);
      world.create({ isSmart: true });
      expect(await skipOf()).toEqual({ reason: 'MAYER_UNKNOWN', attempts: 0 });
    });

    it('skips a smart order if the contract’s Mayer Multiple is in another band than the service’s multiple', async () => {
      world.chain.setMayerMultiple(999_999n);
      world.create({ isSmart: true });
      expect(await skipOf()).toEqual({ reason: 'MAYER_DISPUTED', attempts: 0 });
      world.chain.setMayerMultiple(1_020_001n);
      world.chain.mine();
      expect(await skipOf()).toEqual({ reason: 'MAYER_DISPUTED', attempts: 0 });
      world.chain.setMayerMultiple(1_020_000n);
      world.chain.mine();
      expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
    });

    it('skips a smart order near the edge of its band if the contract could sell more than planned', async () => {
      world.chain.setMayerMultiple(1_009_999n);
      world.create({ isSmart: true });
      expect(await skipOf()).toEqual({ reason: 'NEAR_BAND_EDGE', attempts: 0 });
      expect(world.aggregator.requested).toEqual([]);
      world.chain.setMayerMultiple(1_010_102n);
      world.chain.mine();
      expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
    });

    it('skips an order if its sold token is not in the profile or has fewer than two prices', async () => {
      world.create({ sellToken: toFelt('0xbad') });
      expect(await skipOf()).toEqual({ reason: 'TOKEN_UNPRICED', attempts: 0 });
      world.create({ sellToken: ETH.address });
      expect((await world.round()).get('2')).toMatchObject({ reason: 'TOKEN_UNPRICED' });
    });

    it('skips an order while the price sources disagree', async () => {
      world.create();
      const [one] = world.sources;
      const observedAtMs = world.clock.nowMs();
      one.set([
        { asset: 'STRK', usdE8: 4_000_000n, observedAtMs },
        { asset: 'WBTC', usdE8: (BTC_USD_E8 * 103n) / 100n, observedAtMs },
        { asset: 'USDC', usdE8: 100_000_000n, observedAtMs },
      ]);
      expect(await skipOf()).toEqual({ reason: 'PRICE_UNAVAILABLE', attempts: 0 });
    });

    it('skips an order whose quote is too far below the fair value', async () => {
      world.create();
      world.aggregator.offer((quotes) =>
        quotes.map((quote) => ({ ...quote, buyAmount: (quote.buyAmount * 97n) / 100n })),
      );
      expect(await skipOf()).toEqual({ reason: 'PRICE_IMPACT_TOO_HIGH', attempts: 0 });
    });

    it('skips an order without a route, or whose build is invalid', async () => {
      world.create();
      world.aggregator.offer(() => []);
      expect(await skipOf()).toEqual({ reason: 'NO_QUOTES', attempts: 0 });
      world.pass(HOUR);
      world.aggregator.offer((quotes) => quotes);
      world.aggregator.tamper(([approve]) => (approve === undefined ? [] : [approve]));
      expect(await skipOf()).toEqual({ reason: 'NO_QUOTES', attempts: 0 });
    });

    it('skips an execution whose fee is below its gas cost plus the margin', async () => {
      // The fee of 14.85 STRK is 120 % of 12.375 STRK.
      world.useGas(1_546_875_000n);
      world.create();
      expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
      world = new PurchaseWorld();
      world.useGas(1_546_875_001n);
      world.create();
      expect(await skipOf()).toEqual({ reason: 'UNPROFITABLE', attempts: 0 });
    });

    it('skips an execution whose cost the task’s budget rejects', async () => {
      world.create();
      await world.task.subjects();
      const requested: bigint[] = [];
      const gate = {
        admit: async (costFri: bigint) => {
          requested.push(costFri);
          return 'BUDGET_EXHAUSTED' as const;
        },
      };
      const report = await world.task.attend('1', gate, new AbortController().signal);
      expect(report).toMatchObject({ reason: 'BUDGET_EXHAUSTED' });
      expect(requested).toEqual([20_000_000n * 8_000_000_000n]);
      expect(await world.attempts()).toEqual([]);
    });

    it('skips an order whose felts do not match the order layout in the profile', async () => {
      world.create({ frequency: 0n });
      expect(await skipOf()).toEqual({ reason: 'ORDER_UNREADABLE', attempts: 0 });
    });

    it('skips an order that is cancelled or does not exist', async () => {
      world.create({ isCancelled: true });
      expect(await skipOf()).toEqual({ reason: 'ORDER_ENDED', attempts: 0 });
      expect(await world.attend(99n)).toMatchObject({ reason: 'ORDER_ENDED' });
      expect(await world.attend('no order')).toMatchObject({ reason: 'ORDER_ENDED' });
    });
  });

  it('the keeper waits longer after each failed execution, up to the maximum number of failures', async () => {
    world.create();
    const fail = async (): Promise<void> => world.expire(await world.lastAttempt());
    await world.round();
    await fail();
    expect((await world.round()).get('1')).toMatchObject({ reason: 'BACKING_OFF' });
    world.pass(60);
    expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
    await fail();
    world.pass(60);
    expect((await world.round()).get('1')).toMatchObject({ reason: 'BACKING_OFF' });
    world.pass(60);
    expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
    await fail();
    world.pass(10 * HOUR);
    expect((await world.round()).get('1')).toMatchObject({ reason: 'FAILED_TOO_OFTEN' });
    world.controls.push({
      task: 'purchases',
      subject: '1',
      paused: null,
      resumedAtMs: world.clock.nowMs(),
    });
    expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
    expect((await world.attempts()).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  it('an order’s check fails while aggregator or node is unavailable, and submits no execution', async () => {
    world.create();
    await world.task.subjects();
    world.aggregator.fail();
    await expect(world.attend(1n)).rejects.toBeInstanceOf(DomainError);
    world.aggregator.fail(null);
    world.latestBlock.failGasPrices();
    world.pass(60);
    await expect(world.attend(1n)).rejects.toBeInstanceOf(DomainError);
    expect(await world.attempts()).toEqual([]);
  });

  it('executes known orders even if order events and closing prices can’t be read', async () => {
    world.create();
    await world.task.subjects();
    for (const source of world.closes) source.fail();
    world.closesStore.fail();
    expect((await world.round()).get('1')).toMatchObject({ outcome: 'acted' });
  });

  it('executes an order of a contract with a different order layout that the profile contains', async () => {
    world = new PurchaseWorld({ contract: OTHER_CONTRACT });
    world.chain.setMayerMultiple((1_015n * 10n ** 18n) / 1_000n);
    const order = world.create({ isSmart: true });
    expect((await world.round()).get(String(order))).toMatchObject({
      outcome: 'acted',
      details: { band: '1', amount: String(AMOUNT) },
    });
    const attempt = await world.lastAttempt();
    expect(attempt.target).toEqual({ to: OTHER_CONTRACT.address, entrypoint: 'run' });
    const calldata = await world.ledger.calldata(attempt.id);
    if (calldata === null) throw new Error('the calldata is not stored');
    expect(calldata.at(0)).toBe(7n);
    expect(calldata.at(calldata.length - 1)).toBe(order);
    const [low, high] = [calldata.at(calldata.length - 3), calldata.at(calldata.length - 2)];
    expect(u256FromHalves(low, high)).toBe(990_000n);
    expect(readExecution(OTHER_CONTRACT.layout.execution, calldata)).toMatchObject({
      orderId: order,
      minimumSats: 990_000n,
    });
    expect(await world.land(attempt)).toBe('SUCCEEDED');
    expect((await world.round()).get(String(order))).toMatchObject({ reason: 'NOT_DUE' });
  });
});
