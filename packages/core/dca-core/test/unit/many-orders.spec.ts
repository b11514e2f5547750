import { beforeEach, describe, expect, it } from '@jest/globals';
import { skippedBy, type TaskGate, type TaskReport } from '@sotto/keeper-core';
import { DomainError } from '@sotto/kernel';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import { BTC_USD_E8, PurchaseWorld } from '../support/world.js';

const MAX_QUOTES = 5;
const CENT = 10_000n;
const USD = 100n * CENT;
/**
 * Amount whose fee is 2 cents, or half a STRK. An execution costs 0.16 STRK, or 0.192 STRK with the
 * margin.
 */
const WORTH_IT = 20n * USD;

const reasonOf = (report: TaskReport | undefined): string =>
  report === undefined ? 'none' : report.outcome === 'acted' ? 'acted' : report.reason;

/**
 * Any account may create orders and pays only the gas of the creation. These tests show that the
 * keeper's cost for such orders is limited.
 */
describe('PurchaseTask with many orders', () => {
  let world: PurchaseWorld;
  beforeEach(() => {
    world = new PurchaseWorld({ policy: { maxQuotes: MAX_QUOTES } });
  });

  const countsOf = async (): Promise<Readonly<Record<string, number>>> => {
    const counts: Record<string, number> = {};
    for (const report of (await world.round()).values()) {
      const reason = reasonOf(report);
      counts[reason] = (counts[reason] ?? 0) + 1;
    }
    return counts;
  };
  const requested = (): number => world.aggregator.requested.length;
  /** Makes the price sources disagree about the price of WBTC. */
  const disagree = (): void => {
    const [one] = world.sources;
    const observedAtMs = world.clock.nowMs();
    one.set([
      { asset: 'STRK', usdE8: 4_000_000n, observedAtMs },
      { asset: 'WBTC', usdE8: 2n * BTC_USD_E8, observedAtMs },
      { asset: 'USDC', usdE8: 100_000_000n, observedAtMs },
    ]);
  };
  /**
   * Returns the reason with which the check of each order ended in one round, including checks that
   * rejected with an error.
   */
  const reasonsOfRound = async (gate?: TaskGate): Promise<ReadonlyMap<string, string>> => {
    const reasons = new Map<string, string>();
    for (const subject of await world.task.subjects()) {
      const report = await world.attend(subject, world.task, gate).catch((error: unknown) => {
        if (error instanceof DomainError) return skippedBy(error, world.clock.nowMs());
        throw error;
      });
      reasons.set(subject, reasonOf(report));
    }
    return reasons;
  };

  it('requests no quote and no simulation for orders whose highest possible fee is below the minimum gas cost', async () => {
    for (let each = 0; each < 300; each += 1) world.create({ amount: USD });
    const reads = world.chain.reads;
    expect(await countsOf()).toEqual({ UNPROFITABLE: 300 });
    expect(requested()).toBe(0);
    expect(world.simulated).toEqual([]);
    // The three hundred orders are read in three batches. One more read checks which orders have
    // ended.
    expect(world.chain.reads - reads).toBe(4);
  });

  it('estimates a smart order’s fee from the highest amount that the order may sell', async () => {
    world.chain.setMayerMultiple(700_000n);
    world.setBtc(42_000n * 10n ** 8n);
    // At the factor 1.5×, the fee is worth the minimum gas; at 1× it is not.
    world.create({ amount: 90n * CENT, isSmart: true });
    world.create({ amount: 90n * CENT });
    const reports = await world.round();
    expect(reports.get('2')).toMatchObject({ reason: 'UNPROFITABLE' });
    expect(world.aggregator.requested).toMatchObject([{ sellAmount: 135n * CENT }]);
  });

  it('requests a limited number of quotes at a time, for the orders with the highest fees first', async () => {
    for (let each = 0; each < 20; each += 1) world.create({ amount: WORTH_IT });
    const dear = [
      world.create({ amount: 50n * WORTH_IT }),
      world.create({ amount: 40n * WORTH_IT }),
    ];
    const reports = await world.round();
    expect(requested()).toBe(MAX_QUOTES);
    expect([...reports.keys()].slice(0, 2)).toEqual(dear.map(String));
    for (const order of dear) expect(reasonOf(reports.get(String(order)))).toBe('acted');
    expect([...reports.values()].filter((each) => reasonOf(each) === 'ROUND_FULL')).toHaveLength(
      17,
    );
  });

  it('executes every profitable order although each check requests only a limited number of quotes', async () => {
    for (let each = 0; each < 3 * MAX_QUOTES; each += 1) world.create({ amount: WORTH_IT });
    for (let round = 0; round < 3; round += 1) {
      await world.round();
      expect(requested()).toBe((round + 1) * MAX_QUOTES);
    }
    expect(await world.attempts()).toHaveLength(3 * MAX_QUOTES);
    expect(await countsOf()).toEqual({ IN_FLIGHT: 3 * MAX_QUOTES });
  });

  it.each([
    ['worth less than its gas', 'UNPROFITABLE', () => world.useGas(100_000_000n)],
    ['without a route', 'NO_QUOTES', () => world.aggregator.offer(() => [])],
    [
      'badly priced',
      'PRICE_IMPACT_TOO_HIGH',
      () =>
        world.aggregator.offer((quotes) =>
          quotes.map((quote) => ({ ...quote, buyAmount: quote.buyAmount / 2n })),
        ),
    ],
  ])(
    'doubles the time until an order’s next quote, up to an hour, if the order is %s',
    async (_what, reason, spoil) => {
      const order = world.create({ amount: WORTH_IT });
      spoil();
      const requestedAt: number[] = [];
      for (let minute = 0; minute < 240; minute += 1) {
        const before = requested();
        expect(reasonOf((await world.round()).get(String(order)))).toBe(reason);
        if (requested() > before) requestedAt.push(minute);
        world.pass(60);
      }
      // The pauses between two quotes of an order are one minute, two, four, and so on up to an
      // hour.
      expect(requestedAt).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
      world.useGas(20_000_000n);
      world.aggregator.offer((quotes) => quotes);
      world.pass(3_600);
      expect(await world.round()).toEqual(
        new Map([[String(order), expect.objectContaining({ outcome: 'acted' })]]),
      );
    },
  );

  it('executes a profitable order among hundreds of unprofitable orders', async () => {
    for (let each = 0; each < 900; each += 1) world.create({ amount: 7n * USD });
    const honest = world.create({ amount: WORTH_IT });
    expect(reasonOf((await world.round()).get(String(honest)))).toBe('acted');
    expect(requested()).toBe(MAX_QUOTES);
    let most = 0;
    for (let round = 0; round < 30; round += 1) {
      const before = requested();
      world.pass(60);
      await world.round();
      most = Math.max(most, requested() - before);
    }
    expect(most).toBe(MAX_QUOTES);
  });

  it.each([
    [
      'gets no usable answer from the aggregator',
      () =>
        world.aggregator.tamper(() => {
          throw new FakeUpstreamDown('malformed');
        }),
    ],
    ['gets no answer from the node', () => world.latestBlock.failGasPrices()],
  ])(
    'doubles the time until an order’s next quote, up to ten minutes, if the order %s',
    async (_what, spoil) => {
      const order = world.create({ amount: WORTH_IT });
      spoil();
      const requestedAt: number[] = [];
      for (let minute = 0; minute < 60; minute += 1) {
        const before = requested();
        expect((await reasonsOfRound()).get(String(order))).toBe('READ_FAILED');
        if (requested() > before) requestedAt.push(minute);
        world.pass(60);
      }
      expect(requestedAt).toEqual([0, 1, 3, 7, 15, 25, 35, 45, 55]);
    },
  );

  it('requests quotes for other orders even if some orders exceed the budget', async () => {
    const dear = 50n * WORTH_IT;
    for (let each = 0; each < MAX_QUOTES; each += 1) world.create({ amount: dear });
    const cheap = String(world.create({ amount: WORTH_IT }));
    const gate: TaskGate = {
      admit: async () =>
        world.aggregator.requested.at(-1)?.sellAmount === dear ? 'BUDGET_EXHAUSTED' : null,
    };
    const ends: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      ends.push((await reasonsOfRound(gate)).get(cheap));
      world.pass(60);
    }
    expect(ends).toEqual(['ROUND_FULL', 'ROUND_FULL', 'acted']);
  });

  it('requests quotes for other orders even if the aggregator’s builds for some orders are unusable', async () => {
    const poisoned = 50n * WORTH_IT;
    for (let each = 0; each < MAX_QUOTES; each += 1) world.create({ amount: poisoned });
    world.aggregator.tamper((calls) => {
      if (world.aggregator.requested.at(-1)?.sellAmount === poisoned)
        throw new FakeUpstreamDown('malformed');
      return calls;
    });
    const honest = String(world.create({ amount: WORTH_IT }));
    const ends: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      ends.push((await reasonsOfRound()).get(honest));
      world.pass(60);
    }
    expect(ends).toEqual(['ROUND_FULL', 'ROUND_FULL', 'acted']);
  });

  it('an order whose check failed before its quote is checked again without a delay', async () => {
    const order = String(world.create({ amount: WORTH_IT }));
    await world.task.subjects();
    disagree();
    expect(reasonOf(await world.attend(order))).toBe('PRICE_UNAVAILABLE');
    expect(requested()).toBe(0);
    world.pass(0);
    expect(reasonOf(await world.attend(order))).toBe('acted');
  });

  it('reports an order’s state in the ledger even if the check has no quotes left', async () => {
    const flying = String(world.create({ amount: WORTH_IT }));
    await world.round();
    const failed = String(world.create({ amount: WORTH_IT }));
    await world.round();
    await world.expire(await world.lastAttempt());
    for (let each = 0; each < MAX_QUOTES; each += 1) world.create({ amount: 2n * WORTH_IT });
    const later = String(world.create({ amount: WORTH_IT }));
    const reports = await world.round();
    expect([flying, failed, later].map((order) => reasonOf(reports.get(order)))).toEqual([
      'IN_FLIGHT',
      'BACKING_OFF',
      'ROUND_FULL',
    ]);
  });

  it('the wait until an order’s next quote begins again when the order’s next execution becomes due', async () => {
    const order = world.create({ amount: WORTH_IT });
    world.useGas(100_000_000n);
    await world.round();
    world.pass(60);
    await world.round();
    world.useGas(20_000_000n);
    world.chain.execute(order);
    world.pass(3_600);
    expect(reasonOf((await world.round()).get(String(order)))).toBe('acted');
  });

  it('reports PRICE_UNAVAILABLE without a request to the aggregator if the price sources disagree', async () => {
    world.create({ amount: WORTH_IT });
    disagree();
    expect(await countsOf()).toEqual({ PRICE_UNAVAILABLE: 1 });
    expect(requested()).toBe(0);
  });
});
