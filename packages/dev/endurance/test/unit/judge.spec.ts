import { describe, expect, it } from '@jest/globals';
import { selectorOf } from '@sotto/adapter-starknet';
import type { Holding } from '@sotto/curator-core';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { judge, planFrom, type JudgedRecord } from '../../src/keeper/judge.js';
import type { RecordedCall, RecordedTransaction } from '../../src/keeper/record.js';

const [keeper, vault, lane, pool, stranger] = [0x1n, 0x2n, 0x3n, 0x4n, 0x5n];
const places = {
  purchases: 0x10n,
  strk: 0x11n,
  wbtc: 0x12n,
  turbo: 0x13n,
  deployMethods: ['deploy_to_lending'],
};
const leverage = {
  limits: {
    safetyDistanceE18: 5n * 10n ** 16n,
    healthFloorE18: 105n * 10n ** 16n,
    swapCostPpm: 20_000n,
    maxRounds: 12,
    minRoundDebt: 100n,
    maxRoundDebt: 10n ** 12n,
    toleranceBps: 200n,
    dustDebt: 0n,
    accrualSeconds: 600n,
  },
  price: { numerator: 1_000n, denominator: 1n },
  terms: {
    freeLiquidity: 10n ** 13n,
    borrowRateE18: 0n,
    supplyRateE18: 0n,
    maxLtvE18: 85n * 10n ** 16n,
  },
  nominalPerUnit: 10n,
};
const TARGET = 15_000;
const BEFORE: Holding = { collateral: 10_000_000n, debt: 0n };

const call = (to: bigint, name: string, ...calldata: readonly bigint[]): RecordedCall => ({
  to,
  selector: BigInt(selectorOf(name)),
  calldata,
});
const deployment = call(vault, 'deploy_to_lending', ...u256ToHalves(500n));
const topUp = call(places.strk, 'transfer', lane, ...u256ToHalves(150n));
const firstPlan = planFrom(BEFORE, TARGET, leverage);
if (firstPlan.kind !== 'rounds') throw new Error('the plan has no rounds');
const [planned] = firstPlan.rounds;
const round = (amount = planned.amount) =>
  call(places.turbo, 'leverage_round', ...u256ToHalves(0n), ...u256ToHalves(amount), 0n, 0n, 0n);
const AFTER: Holding = {
  collateral: BEFORE.collateral + planned.amount / leverage.price.numerator,
  debt: planned.amount,
};

let hashes = 0n;
const transaction = (
  block: number,
  calls: readonly RecordedCall[],
  changes: Partial<RecordedTransaction> = {},
): RecordedTransaction => {
  hashes += 1n;
  const hash = toFelt(hashes);
  return { block, hash, sender: keeper, calls, revertReason: null, events: [], ...changes };
};
const event = (from: bigint, name: string, keys: readonly bigint[], data: readonly bigint[]) => ({
  from,
  keys: [BigInt(selectorOf(name)), ...keys],
  data,
});
const execution = (block: number, executed: bigint, sender = keeper): RecordedTransaction =>
  transaction(block, [call(places.purchases, 'execute_order')], {
    sender,
    events: [event(places.purchases, 'OrderExecuted', [7n], [sender, executed])],
  });
const batch = (block: number, start: bigint): RecordedTransaction =>
  transaction(block, [call(pool, 'deploy_batch', 3n)], {
    events: [event(pool, 'BatchDeployed', [0n], [start, 3n])],
  });

/** Returns a round that increases the leverage and whose swap yields the fair value. */
const up = (debt: bigint, amount: bigint): RecordedTransaction => {
  const terms = [...u256ToHalves(debt * 10n), ...u256ToHalves(amount), 0n, 0n, 0n];
  const paid = [0x99n, places.turbo];
  return transaction(6, [call(places.turbo, 'leverage_round', ...terms)], {
    events: [event(places.wbtc, 'Transfer', paid, u256ToHalves(amount / 1_000n))],
  });
};

/** Transactions that do all due work exactly once. */
const once = [
  execution(1, 1n),
  execution(2, 2n),
  transaction(3, [deployment]),
  transaction(4, [topUp]),
  batch(5, 0n),
  transaction(6, [round()]),
];
const judged = (
  transactions: readonly RecordedTransaction[],
  changes: Partial<JudgedRecord> = {},
): ReturnType<typeof judge> =>
  judge({
    places,
    given: {
      accounts: [keeper],
      funds: new Map([[vault, [500n]]]),
      dueTimes: new Map([[7n, 2]]),
      lacks: new Map([[lane, [150n]]]),
      batches: new Map([[pool, [0n]]]),
      targets: [TARGET],
    },
    leverage,
    transactions,
    holdingAt: async (block) => (block === 'latest' || block > 5 ? AFTER : BEFORE),
    ...changes,
  });

describe('the judgement of keepers on chain', () => {
  it('judge reports no finding if keepers did all due work exactly once', async () => {
    expect(await judged([...once, transaction(7, [])])).toEqual({
      executions: 2,
      deployments: 1,
      topUps: 1,
      batches: 1,
      rounds: 1,
      borrowed: planned.amount,
      noops: 1,
      findings: [],
    });
  });

  it('judge accepts a due purchase order that an account other than a keeper has executed', async () => {
    const [first, , ...others] = once;
    const another = execution(2, 2n, stranger);
    expect((await judged(first === undefined ? [] : [first, another, ...others])).findings).toEqual(
      [],
    );
  });

  it.each([
    ['an execution too many', execution(8, 3n), 'order 7 was executed 1, 2, 3, and not 1, 2'],
    ['a second deployment', transaction(8, [deployment]), 'vault 0x2 deployed 500, 500'],
    ['a second top-up', transaction(8, [topUp]), 'lane 0x3 got 150, 150, and not 150'],
    ['a second batch', batch(8, 3n), 'pool 0x4 deployed 0, 3, and not 0'],
    ['a second round', transaction(8, [round()]), 'which no plan requires'],
    [
      'a revert',
      transaction(8, [round()], { revertReason: 'Position changed' }),
      'Position changed',
    ],
    [
      'a transfer to somewhere else',
      transaction(8, [call(places.strk, 'transfer', stranger, 1n, 0n)]),
      'lane 0x5 got 1, and not nothing',
    ],
    ['another call', transaction(8, [call(vault, 'pause')]), 'has a call that no work required'],
  ])(
    'judge reports a finding about the keepers’ transactions: %s',
    async (_what, more, finding) => {
      const { findings } = await judged([...once, more]);
      expect(findings).toEqual([expect.stringContaining(finding)]);
    },
  );

  it('judge follows the vault’s position through several leverage rounds in one block', async () => {
    const higher = 20_000;
    const plan = planFrom(BEFORE, higher, leverage);
    if (plan.kind !== 'rounds') throw new Error('the plan has no rounds');
    const [{ amount: first }] = plan.rounds;
    const between = { collateral: BEFORE.collateral + first / 1_000n, debt: first };
    const next = planFrom(between, higher, leverage);
    if (next.kind !== 'rounds') throw new Error('one round reaches the target');
    const [{ amount: second }] = next.rounds;
    const end = {
      collateral: between.collateral + second / 1_000n,
      debt: first + second,
    };
    const given = {
      accounts: [keeper],
      funds: new Map(),
      dueTimes: new Map(),
      lacks: new Map(),
      batches: new Map(),
      targets: [higher],
    };
    const holdingAt = async (block: number | 'latest') => (block === 5 ? BEFORE : end);
    const { findings, rounds } = await judged([up(0n, first), up(first, second)], {
      given,
      holdingAt,
    });
    expect([findings, rounds]).toEqual([[], 2]);
    const twice = await judged([up(0n, first), up(first, first)], { given, holdingAt });
    expect(twice.findings).toEqual([expect.stringContaining('which no plan requires')]);
  });

  it.each([
    ['is worth the debt', 4_000_000n, []],
    ['brings the debt at the worst price', 4_081_633n, []],
    ['is worth less than the debt', 3_999_999n, ['which no plan requires']],
    ['is more than the worst price asks for', 4_081_634n, ['which no plan requires']],
  ])(
    'judge checks the last deleverage round of a vault if the sold amount %s',
    async (_what, sold, findings) => {
      const before: Holding = { collateral: 14_000_000n, debt: 4_000_000_000n };
      const after: Holding = { collateral: before.collateral - sold, debt: 0n };
      const terms = [...u256ToHalves(before.debt * 10n), ...u256ToHalves(sold), 0n, 0n, 0n];
      const down = transaction(6, [call(places.turbo, 'deleverage_round', ...terms)]);
      const { findings: found } = await judged([down], {
        given: {
          accounts: [keeper],
          funds: new Map(),
          dueTimes: new Map(),
          lacks: new Map(),
          batches: new Map(),
          targets: [10_000],
        },
        holdingAt: async (block) => (block === 'latest' || block > 5 ? after : before),
      });
      expect(found).toEqual(findings.map((finding) => expect.stringContaining(finding)));
    },
  );

  it.each([
    ['is worth the rest of the debt', 3_000_000n, []],
    ['brings all of the debt', 4_081_633n, ['which no plan requires']],
  ])(
    'judge checks the last deleverage round of a vault that holds a balance: the sold amount %s',
    async (_what, sold, findings) => {
      const before = { collateral: 14_000_000n, debt: 4_000_000_000n, repaysWith: 1_000_000_000n };
      const after: Holding = { collateral: before.collateral - sold, debt: 0n };
      const terms = [...u256ToHalves(before.debt * 10n), ...u256ToHalves(sold), 0n, 0n, 0n];
      const down = transaction(6, [call(places.turbo, 'deleverage_round', ...terms)]);
      const given = {
        accounts: [keeper],
        funds: new Map(),
        dueTimes: new Map(),
        lacks: new Map(),
        batches: new Map(),
        targets: [10_000],
      };
      const { findings: found } = await judged([down], {
        given,
        holdingAt: async (block) => (block === 'latest' || block > 5 ? after : before),
      });
      expect(found).toEqual(findings.map((finding) => expect.stringContaining(finding)));
    },
  );

  it('judge reports all due work as missing if the chain has no transactions of keepers', async () => {
    const { findings } = await judged([], { holdingAt: async () => BEFORE });
    expect(findings).toEqual([
      'order 7 was executed nothing, and not 1, 2',
      'vault 0x2 deployed nothing, and not 500',
      'lane 0x3 got nothing, and not 150',
      'pool 0x4 deployed nothing, and not 0',
      '15000 not reached: 10000000, 0',
    ]);
  });

  it('judge reports a leverage round whose amount differs from the plan', async () => {
    const others = once.slice(0, -1);
    const { findings } = await judged([...others, transaction(6, [round(planned.amount + 1n)])]);
    expect(findings).toEqual([expect.stringContaining('which no plan requires')]);
  });
});
