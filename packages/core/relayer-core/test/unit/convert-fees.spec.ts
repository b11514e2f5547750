import { describe, expect, it } from '@jest/globals';
import { TRANSFER_LIMITS, type TaskGate, type TaskReport } from '@sotto/keeper-core';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { RepeatedSubmissions } from '@sotto/submission-core';
import {
  conversionCalls,
  ConvertFees,
  FEE_SWAP_LIMITS,
  KeepTreasury,
  TopUpLanes,
  type FeeConversionPolicy,
} from '../../src/index.js';
import { PriceUnavailable, SwapRouting } from '@sotto/market-core';
import { FakeSwapAggregator } from '@sotto/market-core/testing';
import { MIN_SLIPPAGE_PPM } from '../../src/testing/index.js';
import { Killed, killedAfter } from '../support/killed.js';
import {
  CHAIN_ID,
  OPEN,
  RETRY,
  TOKEN as STRK,
  TREASURY,
  aTreasuryWorld,
  ofOneProcess,
  skippedFor,
} from '../support/treasury-world.js';
import { pool } from '../support/world.js';

const WBTC = pool.token;
const ROUTER = toFelt('0x707e');
const OTHER_ROUTER = toFelt('0x707f');
/** Value of one sat, in fri. */
const RATE = 100n;

const conversionPolicy: FeeConversionPolicy = {
  chainId: CHAIN_ID,
  strk: STRK,
  treasury: TREASURY,
  tokens: [
    { token: WBTC, reserve: 1_000n, leastSold: 500n, mostSold: 20_000n, mostPerDay: 20_000n },
  ],
  slippagePpm: 10_000,
  sendWithinMs: 60_000,
  retry: RETRY,
  intervalMs: 600_000,
};

/** Treasury that has earned 11,000 sats. The aggregator quotes swaps at their fair value. */
function aWorld(changes: Partial<FeeConversionPolicy> = {}) {
  const world = aTreasuryWorld([STRK, WBTC.address]);
  const { ports, clock, include, lastAttempt } = world;
  ports.balances.change(WBTC.address, TREASURY, 11_000n);
  const rate = { sellToken: WBTC.address, buyToken: STRK, bought: RATE, sold: 1n };
  const aggregator = new FakeSwapAggregator(ROUTER, [rate]);
  const rivals = new FakeSwapAggregator(OTHER_ROUTER, [rate]);
  const prices = { fairRate: RATE, failure: null as Error | null };
  const fairValues = {
    of: async (_sold: unknown, amount: bigint) => {
      if (prices.failure !== null) throw prices.failure;
      return { numerator: amount * prices.fairRate, denominator: 1n };
    },
  };
  const routingBy = (by: FakeSwapAggregator): SwapRouting =>
    new SwapRouting(by, fairValues, {
      routers: [ROUTER, OTHER_ROUTER],
      allowBranchRoutes: true,
      maxPriceImpactBps: 300,
      minSlippagePpm: MIN_SLIPPAGE_PPM,
    });
  const all = { ...ports, routing: routingBy(aggregator) };
  /** Creates a second process that uses the same ledger and node. */
  const aKeeper = (by = all): ConvertFees =>
    new ConvertFees({ ...ofOneProcess(by), clock }, { ...conversionPolicy, ...changes });
  const keeper = aKeeper();
  const poll = (gate: TaskGate = OPEN, by = keeper): Promise<TaskReport> =>
    by.attend('fees:WBTC', gate);
  /** Includes the last submission in a block. */
  const land = (): void => {
    const { id, kind, memo } = lastAttempt();
    const amount = BigInt(memo ?? 0);
    if (kind === 'swap_fees') {
      ports.balances.change(WBTC.address, TREASURY, -amount);
      ports.balances.change(STRK, TREASURY, amount * RATE);
    }
    ports.balances.mine();
    include(id);
  };
  const earn = (amount: bigint): void => void ports.balances.change(WBTC.address, TREASURY, amount);
  return {
    ...world,
    ports: all,
    aggregator,
    rivals: routingBy(rivals),
    prices,
    aKeeper,
    keeper,
    poll,
    land,
    earn,
  };
}

/** World in which the amount above the reserve is approved for the router. */
async function anApprovedWorld(changes: Partial<FeeConversionPolicy> = {}) {
  const world = aWorld(changes);
  await world.poll();
  world.land();
  return world;
}

describe('ConvertFees', () => {
  it('ConvertFees returns one subject for each token in its settings', async () => {
    expect(await aWorld().keeper.subjects()).toEqual(['fees:WBTC']);
  });

  it('swaps the fees above the reserve only after the approval for the router is on chain', async () => {
    const { poll, land, ports, aggregator } = aWorld();
    expect(await poll()).toEqual({
      outcome: 'acted',
      submissionId: 'attempt-1',
      details: { kind: 'approve_fees', amount: '10000' },
    });
    expect(await poll()).toMatchObject(skippedFor('IN_FLIGHT'));
    land();
    expect(await poll()).toMatchObject({ details: { kind: 'swap_fees', amount: '10000' } });
    land();
    expect(await poll()).toMatchObject({
      ...skippedFor('BELOW_THRESHOLD'),
      details: { balance: '1000' },
    });
    expect(ports.submissions.accepted).toMatchObject([
      {
        key: `${CHAIN_ID}|fees|${WBTC.address}|0`,
        kind: 'approve_fees',
        subject: ROUTER,
        target: { to: WBTC.address, entrypoint: 'approve' },
        role: 'treasury',
        limits: TRANSFER_LIMITS,
        replayProtected: false,
      },
      {
        key: `${CHAIN_ID}|fees|${WBTC.address}|1`,
        kind: 'swap_fees',
        subject: WBTC.address,
        target: { to: ROUTER, entrypoint: 'multi_route_swap' },
        role: 'treasury',
        limits: FEE_SWAP_LIMITS,
        replayProtected: false,
        sendWithinMs: 60_000,
      },
    ]);
    const [approval, swap] = ports.submissions.accepted.map(({ calldata }) => calldata);
    expect(approval?.toHex()).toEqual(Felts.of([BigInt(ROUTER), ...u256ToHalves(10_000n)]).toHex());
    // The treasury itself receives the output, and the minimum is the quote minus the tolerance.
    expect([swap?.feltAt(8), swap?.at(6)]).toEqual([TREASURY, 990_000n]);
    expect(aggregator.requested[0]).toMatchObject({ taker: TREASURY, sellAmount: 10_000n });
  });

  it('sells at most the maximum amount per swap, and sells nothing if the amount is below the minimum', async () => {
    const { poll, land, earn, ports } = aWorld();
    earn(10_400n);
    const amounts = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await poll();
      land();
    }
    expect(await poll()).toMatchObject(skippedFor('BELOW_THRESHOLD'));
    for (const { memo } of ports.submissions.accepted) amounts.push(memo);
    expect(amounts).toEqual(['20000', '20000']);
  });

  it('sells at most the maximum amount per day, even if the process restarts', async () => {
    const [token] = conversionPolicy.tokens;
    const { poll, land, earn, clock, ports, aKeeper } = aWorld({
      tokens: token === undefined ? [] : [{ ...token, mostSold: 4_000n, mostPerDay: 9_800n }],
    });
    earn(30_000n);
    const soldBy = async (): Promise<readonly string[]> => {
      for (;;) {
        const report = await poll(OPEN, aKeeper());
        if (report.outcome === 'skipped') return [report.reason, JSON.stringify(report.details)];
        land();
      }
    };
    expect(await soldBy()).toEqual(['DAILY_LIMIT', '{"sold":"9800"}']);
    const swaps = () =>
      ports.submissions.accepted.flatMap(({ kind, memo }) => (kind === 'swap_fees' ? [memo] : []));
    expect(swaps()).toEqual(['4000', '4000', '1800']);
    clock.pass(86_400_000 - 1);
    expect(await soldBy()).toEqual(['DAILY_LIMIT', '{"sold":"9800"}']);
    clock.pass(1);
    expect(await soldBy()).toEqual(['DAILY_LIMIT', '{"sold":"9800"}']);
    expect(swaps().slice(3)).toEqual(['4000', '4000', '1800']);
  });

  it('uses up an existing approval before a new amount is approved', async () => {
    const { poll, land, earn, ports } = await anApprovedWorld();
    earn(5_000n);
    await poll();
    land();
    await poll();
    expect(ports.submissions.accepted.map(({ kind, memo }) => [kind, memo])).toEqual([
      ['approve_fees', '10000'],
      ['swap_fees', '10000'],
      ['approve_fees', '5000'],
    ]);
  });

  it('approves the router of the best route if another router was approved before', async () => {
    const { poll, aKeeper, ports, rivals, land } = await anApprovedWorld();
    const elsewhere = aKeeper({ ...ports, routing: rivals });
    expect(await poll(OPEN, elsewhere)).toMatchObject({ details: { kind: 'approve_fees' } });
    expect(ports.submissions.accepted[1]).toMatchObject({ subject: OTHER_ROUTER });
    land();
    expect(await poll(OPEN, elsewhere)).toMatchObject({ details: { kind: 'swap_fees' } });
    expect(ports.submissions.accepted[2]?.target.to).toBe(OTHER_ROUTER);
  });

  it('does not swap fees below their fair value', async () => {
    const { poll, prices, aggregator, ports } = await anApprovedWorld();
    prices.fairRate = 104n;
    expect(await poll()).toMatchObject({
      ...skippedFor('PRICE_IMPACT_TOO_HIGH'),
      details: { fairAmount: '1040000', quotedAmount: '1000000' },
    });
    prices.failure = new PriceUnavailable({ retryAfterSeconds: 5 });
    expect(await poll()).toMatchObject(skippedFor('PRICE_UNAVAILABLE'));
    prices.failure = null;
    prices.fairRate = RATE;
    aggregator.setRates([]);
    expect(await poll()).toMatchObject(skippedFor('NO_QUOTES'));
    expect(ports.submissions.accepted).toHaveLength(1);
  });

  it('rejects calls of the aggregator that differ from the requested swap', async () => {
    const { poll, aggregator, ports } = await anApprovedWorld();
    aggregator.tamper(([approval, swap]) =>
      approval === undefined || swap === undefined
        ? []
        : [approval, { ...swap, to: toFelt('0xbad') }],
    );
    expect(await poll()).toMatchObject({
      ...skippedFor('NO_QUOTES'),
      details: { code: 'SWAP_BUILD_REJECTED', reason: 'router' },
    });
    expect(ports.submissions.accepted).toHaveLength(1);
  });

  it('does not submit a swap twice if the node is 20 blocks behind', async () => {
    const { poll, land, ports, aKeeper } = await anApprovedWorld();
    for (let block = 0; block < 20; block += 1) ports.balances.mine();
    await poll();
    ports.snapshots.lag = 20;
    land();
    expect(await poll()).toMatchObject(skippedFor('NODE_BEHIND'));
    expect(await poll(OPEN, aKeeper())).toMatchObject(skippedFor('NODE_BEHIND'));
    ports.snapshots.lag = 0;
    expect(await poll()).toMatchObject(skippedFor('BELOW_THRESHOLD'));
    expect(ports.submissions.accepted).toHaveLength(2);
  });

  it('submits a swap of earned fees only once if several keepers run concurrently', async () => {
    const { poll, aKeeper, ports } = await anApprovedWorld();
    await Promise.all([aKeeper(), aKeeper(), aKeeper()].map((keeper) => poll(OPEN, keeper)));
    expect(ports.submissions.accepted.map(({ kind }) => kind)).toEqual([
      'approve_fees',
      'swap_fees',
    ]);
  });

  it('makes only one approval and one swap, no matter after which call the process was killed', async () => {
    let wasKilled = true;
    let calls = 0;
    while (wasKilled) {
      calls += 1;
      const { ports, aKeeper, poll, land } = await anApprovedWorld();
      const dying = aKeeper(killedAfter(ports, calls));
      const end = await poll(OPEN, dying).catch((error: unknown) => error);
      wasKilled = end instanceof Killed;
      await poll(OPEN, aKeeper());
      land();
      expect(await poll(OPEN, aKeeper())).toMatchObject(skippedFor('BELOW_THRESHOLD'));
      expect([calls, ports.submissions.accepted.length]).toEqual([calls, 2]);
    }
    expect(calls).toBeGreaterThan(8);
  });

  it('retries a failed swap of fees with a new quote and the same submission number', async () => {
    const { poll, ports, clock } = await anApprovedWorld();
    await poll();
    ports.submissions.execute('attempt-2', 'REVERTED', 'Insufficient tokens received');
    expect(await poll()).toMatchObject(skippedFor('BACKING_OFF'));
    clock.pass(60_000);
    expect(await poll()).toMatchObject({ submissionId: 'attempt-3' });
    expect(ports.submissions.accepted.map(({ key }) => key.split('|').at(-1))).toEqual([
      '0',
      '1',
      '1',
    ]);
  });

  it('does not submit a swap if its simulation reverts or if the keeper’s gate rejects it', async () => {
    const { poll, ports } = await anApprovedWorld();
    expect(await poll({ admit: async () => 'BUDGET_EXHAUSTED' })).toMatchObject(
      skippedFor('BUDGET_EXHAUSTED'),
    );
    ports.simulator.revert('Residual tokens', ({ as }) => as === TREASURY);
    expect(await poll()).toMatchObject({
      ...skippedFor('SIMULATION_REVERTED'),
      details: { reason: 'Residual tokens' },
    });
    expect(ports.submissions.accepted).toHaveLength(1);
  });

  it('rethrows errors of the node, the store and the aggregator', async () => {
    const { poll, ports, aggregator, keeper } = aWorld();
    for (const broken of [ports.balances, ports.simulator, ports.submissions, aggregator]) {
      broken.fail();
      await expect(poll()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
      broken.fail(null);
    }
    await expect(keeper.attend('fees:ETH', OPEN)).rejects.toMatchObject({
      code: 'OUTPUT_TOKEN_NOT_SUPPORTED',
    });
  });
});

describe('conversionCalls', () => {
  it('recognizes an approval or a swap of fees on chain as the next submission of its ERC-20 token', async () => {
    const { poll, land, ports } = await anApprovedWorld();
    await poll();
    land();
    const reader = conversionCalls(new RepeatedSubmissions(ports.ledger), {
      ...conversionPolicy,
      routers: [ROUTER],
      newId: () => 'new',
    });
    const [approval, swap] = ports.submissions.accepted;
    const read = ({ target, calldata }: NonNullable<typeof swap>, changes = {}) =>
      reader.submissionOf({ ...target, ...changes }, calldata);
    if (approval === undefined || swap === undefined) throw new Error('two were submitted');
    expect(read(approval)).toBeNull();
    await reader.learn();
    const key = `${CHAIN_ID}|fees|${WBTC.address}|2`;
    for (const { kind, subject, memo, limits, calldata, target, ...call } of [approval, swap])
      expect(read({ ...call, kind, subject, memo, limits, calldata, target })).toMatchObject({
        key,
        id: 'new',
        kind,
        subject,
        memo,
        limits,
        target,
        role: 'treasury',
      });
    expect([
      read(approval, { to: STRK }),
      read(swap, { to: OTHER_ROUTER }),
      read(swap, { entrypoint: 'transfer' }),
      read({ ...swap, calldata: swap.calldata.slice(0, 3) }),
      read({ ...swap, calldata: Felts.of([BigInt(STRK), 1n, 0n, BigInt(STRK)]) }),
      read({ ...swap, calldata: Felts.of([BigInt(WBTC.address), 1n, 0n, 5n]) }),
      read({ ...approval, calldata: Felts.of([5n, 1n, 0n]) }),
      read({ ...approval, calldata: Felts.of([BigInt(ROUTER), 1n << 128n, 0n]) }),
    ]).toEqual(Array.from({ length: 8 }, () => null));
  });
});

describe('KeepTreasury', () => {
  it('KeepTreasury combines several tasks into one task with separate subjects', async () => {
    const { ports, keeper, clock } = aWorld();
    const topUps = new TopUpLanes(
      { ...ofOneProcess(ports), clock },
      {
        ...conversionPolicy,
        lanes: [
          {
            name: 'relay-0',
            address: toFelt('0x1a'),
            levels: { floorFri: 0n, ceilingFri: 1n },
          },
        ],
        maxPerDayFri: 1n,
        reserveFri: 0n,
        intervalMs: 60_000,
      },
    );
    const task = new KeepTreasury([topUps, keeper]);
    const signal = new AbortController().signal;
    expect([task.name, task.intervalMs, task.kinds, await task.subjects()]).toEqual([
      'treasury',
      60_000,
      ['top_up', 'approve_fees', 'swap_fees'],
      ['relay-0', 'fees:WBTC'],
    ]);
    expect(await task.attend('relay-0', OPEN, signal)).toMatchObject(skippedFor('ABOVE_FLOOR'));
    expect(await task.attend('fees:WBTC', OPEN, signal)).toMatchObject({ outcome: 'acted' });
    await expect(task.attend('relay-1', OPEN, signal)).rejects.toMatchObject({
      code: 'LANE_NOT_FOUND',
    });
  });
});
