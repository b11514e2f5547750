import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StarknetLeveragePositions, selectorOf } from '@sotto/adapter-starknet';
import type { LeverageLayout, LeveragedVault, PositionViewField } from '@sotto/curator-core';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { z } from 'zod';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';

const E18 = 10n ** 18n;
const YEAR_SECONDS = 360n * 86_400n;
const VAULT_ADDRESS = toFelt('0x7b');
const POOL = toFelt('0xc1');
const WBTC = toFelt('0xbc');
const USDC = toFelt('0x5d');
const AT = { number: 7, hash: toFelt('0xb7'), timestamp: 1_700_000_000 };
const HELD = 12_345_678n;
const AMOUNTS: readonly PositionViewField[] = [
  { field: 'collateral', felts: 2 },
  { field: 'debt', felts: 2 },
];

function vault(fields = AMOUNTS, ratesPerSecond = false): LeveragedVault {
  const entry = { entrypoint: 'round', calldata: [] };
  const position = { entrypoint: 'position', fields, ratesPerSecond };
  const layout: LeverageLayout = { form: 'rounds', position, up: entry, down: entry };
  return {
    id: 'turbo',
    address: VAULT_ADDRESS,
    lendingPool: POOL,
    collateral: { symbol: 'WBTC', address: WBTC, decimals: 8 },
    debt: { symbol: 'USDC', address: USDC, decimals: 6 },
    layout,
  };
}

const Call = z.object({
  params: z.object({
    block_id: z.unknown(),
    request: z.object({
      contract_address: z.string(),
      entry_point_selector: z.string(),
      calldata: z.array(z.string()),
    }),
  }),
});

interface Market {
  readonly reserve: bigint;
  readonly nominalDebtE18: bigint;
  readonly scale: bigint;
  readonly maxUtilizationE18: bigint;
  readonly feeRateE18: bigint;
  readonly utilizationE18: bigint;
  readonly rateE18: bigint;
}

/** Collateral market: 100 WBTC supplied, of which 40 WBTC are lent. */
const COLLATERAL: Market = {
  reserve: 60n * 10n ** 8n,
  nominalDebtE18: 40n * E18,
  scale: 10n ** 8n,
  maxUtilizationE18: (95n * E18) / 100n,
  feeRateE18: E18 / 5n,
  utilizationE18: (4n * E18) / 10n,
  rateE18: 1_000_000_000n,
};
/** Debt market: 1,000 USDC supplied, of which 900 USDC are lent. */
const DEBT: Market = {
  reserve: 100n * 10n ** 6n,
  nominalDebtE18: 900n * E18,
  scale: 10n ** 6n,
  maxUtilizationE18: (95n * E18) / 100n,
  feeRateE18: E18 / 10n,
  utilizationE18: (9n * E18) / 10n,
  rateE18: 2_000_000_000n,
};

const hex = (felts: readonly bigint[]): readonly string[] =>
  felts.map((felt) => `0x${felt.toString(16)}`);

function configOf(market: Market): readonly bigint[] {
  const { reserve, nominalDebtE18, scale, maxUtilizationE18, feeRateE18 } = market;
  return [
    ...[1n, nominalDebtE18, reserve, maxUtilizationE18, 3n, scale].flatMap(u256ToHalves),
    0n,
    1_700_000_000n,
    ...[E18, 20_000_000_000n, feeRateE18, 4n].flatMap(u256ToHalves),
  ];
}

describe('StarknetLeveragePositions', () => {
  let node: LoopbackNode;
  let subject: StarknetLeveragePositions;
  let position: readonly bigint[];
  let pair: readonly bigint[];
  let pairDebtE18: bigint;
  let collateral: Market;
  let debt: Market;
  let failing: ScriptedAnswer | null;

  beforeEach(async () => {
    position = [...u256ToHalves(3n * 10n ** 8n), ...u256ToHalves(200_000n * 10n ** 6n)];
    pair = [(8n * E18) / 10n, (9n * E18) / 10n, 10n ** 15n];
    pairDebtE18 = 40n * E18;
    collateral = COLLATERAL;
    debt = DEBT;
    failing = null;
    node = await LoopbackNode.start();
    subject = new StarknetLeveragePositions(node.client(), 0n);
    node.answer = (request) => {
      const { entry_point_selector: selector, calldata } = Call.parse(request).params.request;
      const market = calldata[0] === WBTC ? collateral : debt;
      const views: Readonly<Record<string, readonly bigint[]>> = {
        [selectorOf('position')]: position,
        [selectorOf('balanceOf')]: u256ToHalves(HELD),
        [selectorOf('pair_config')]: pair,
        [selectorOf('pairs')]: [7n, pairDebtE18].flatMap(u256ToHalves),
        [selectorOf('asset_config')]: configOf(market),
        [selectorOf('utilization')]: u256ToHalves(market.utilizationE18),
        [selectorOf('interest_rate')]: u256ToHalves(market.rateE18),
      };
      return failing ?? { result: hex(views[selector] ?? []) };
    };
  });
  afterEach(async () => node.stop());

  it('reads a vault’s amounts from the vault’s view and the other values of the position from the lending pool', async () => {
    expect(await subject.read(vault(), AT)).toEqual({
      collateral: 3n * 10n ** 8n,
      debt: 200_000n * 10n ** 6n,
      // The nominal debt equals `debt`, because the view returns no nominal debt.
      nominalDebt: 200_000n * 10n ** 6n,
      held: HELD,
      // The maximum utilization is 95 % of 1,000 USDC, and 900 USDC are already lent.
      freeLiquidity: 50n * 10n ** 6n,
      borrowRateE18: 2_000_000_000n * YEAR_SECONDS,
      // Borrowers pay interest on 40 % of the WBTC supply; the pool retains a fifth of the
      // interest.
      supplyRateE18: (1_000_000_000n * YEAR_SECONDS * 4n * 8n) / 100n,
      maxLtvE18: (8n * E18) / 10n,
    });
  });

  it('reads a vault’s position in two requests at the block that is identified by its hash', async () => {
    await subject.read(vault(), AT);
    expect(node.bodies).toHaveLength(2);
    const calls = node.calls().map((call) => Call.parse(call).params);
    expect(new Set(calls.map(({ block_id: block }) => JSON.stringify(block)))).toEqual(
      new Set([JSON.stringify({ block_hash: AT.hash })]),
    );
    expect(
      calls.map(({ request }) => [request.contract_address, request.entry_point_selector]),
    ).toContainEqual([VAULT_ADDRESS, selectorOf('position')]);
    expect(
      calls.find(({ request }) => request.entry_point_selector === selectorOf('balanceOf'))
        ?.request,
    ).toMatchObject({ contract_address: USDC, calldata: [VAULT_ADDRESS] });
    expect(
      calls.find(({ request }) => request.entry_point_selector === selectorOf('pair_config'))
        ?.request,
    ).toMatchObject({ contract_address: POOL, calldata: [WBTC, USDC] });
  });

  it('the free liquidity is limited by the lending pool’s reserve and its maximum utilization', async () => {
    debt = { ...DEBT, maxUtilizationE18: E18 };
    expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity: 100n * 10n ** 6n });
    debt = { ...DEBT, maxUtilizationE18: E18 / 2n };
    expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity: 0n });
  });

  it('the free liquidity is limited by the debt cap, if a debt cap is set', async () => {
    debt = { ...DEBT, maxUtilizationE18: E18 };
    const [maxLtvE18 = 0n, factor = 0n] = pair;
    pair = [maxLtvE18, factor, 70n * 10n ** 6n];
    expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity: 30n * 10n ** 6n });
    // The contract rounds the pair's debt up.
    pairDebtE18 += 1n;
    expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity: 30n * 10n ** 6n - 1n });
    pairDebtE18 = 71n * E18;
    expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity: 0n });
    pair = [maxLtvE18, factor, 0n];
    expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity: 100n * 10n ** 6n });
  });

  it('the free liquidity is reduced by the interest that is expected before the leverage round is executed', async () => {
    subject = new StarknetLeveragePositions(node.client(), 600n);
    const reads = async (freeLiquidity: bigint): Promise<void> =>
      expect(await subject.read(vault(), AT)).toMatchObject({ freeLiquidity });
    // The 900 USDC of debt grow by a millionth in ten minutes. 5 % of this growth reduces the free
    // liquidity, because the supply grows together with the debt.
    debt = { ...DEBT, rateE18: 10n ** 12n / 600n };
    const growth = 900n;
    await reads(50n * 10n ** 6n - growth / 20n);
    debt = { ...debt, maxUtilizationE18: E18 };
    await reads(100n * 10n ** 6n);
    // The pair may owe 70 USDC and already owes 40 USDC.
    pair = [...pair.slice(0, 2), 70n * 10n ** 6n];
    await reads(30n * 10n ** 6n - 40n);
    pairDebtE18 = 70n * E18 - 69n * 10n ** 12n;
    await reads(0n);
  });

  it('the supply rate of a lending pool without borrowers is zero', async () => {
    collateral = { ...COLLATERAL, nominalDebtE18: 0n, utilizationE18: 0n };
    expect(await subject.read(vault(), AT)).toMatchObject({ supplyRateE18: 0n });
  });

  it('uses a value of the vault’s view instead of the lending pool’s value if both exist', async () => {
    const fields: readonly PositionViewField[] = [
      ...AMOUNTS,
      { field: 'nominalDebt', felts: 2 },
      { field: 'unused', felts: 1 },
      { field: 'freeLiquidity', felts: 2 },
      { field: 'borrowRateE18', felts: 1 },
      { field: 'maxLtvE18', felts: 1 },
    ];
    const nominalDebt = 190_000n * E18;
    position = [...position, ...u256ToHalves(nominalDebt), 99n, ...u256ToHalves(12n), 5n, E18 / 2n];
    expect(await subject.read(vault(fields, true), AT)).toMatchObject({
      nominalDebt,
      freeLiquidity: 12n,
      borrowRateE18: 5n * YEAR_SECONDS,
      supplyRateE18: (1_000_000_000n * YEAR_SECONDS * 4n * 8n) / 100n,
      maxLtvE18: E18 / 2n,
    });
  });

  it.each<[string, () => void]>([
    ['fewer felts than the layout has', () => void (position = position.slice(1))],
    ['more felts than the layout has', () => void (position = [...position, 0n])],
    ['an amount that is no u256', () => void (position = [2n ** 128n, 0n, 0n, 0n])],
    ['more collateral than there is', () => void (position = [0n, 10n ** 4n, 0n, 0n])],
    ['a loan-to-value above everything', () => void (pair = [E18 + 1n, 0n, 0n])],
    ['no pair', () => void (pair = [])],
    ['a fee above everything', () => void (debt = { ...DEBT, feeRateE18: E18 + 1n })],
    ['a limit above everything', () => void (debt = { ...DEBT, maxUtilizationE18: E18 + 1n })],
    ['a market that it does not have', () => void (debt = { ...DEBT, scale: 0n })],
    ['interest that no market pays', () => void (debt = { ...DEBT, rateE18: 10n ** 13n })],
    ['a utilization of another layout', () => void (debt = { ...DEBT, utilizationE18: 0n })],
  ])('rejects a vault’s position with %s', async (_what, change) => {
    change();
    expect(await failure(subject.read(vault(), AT))).toMatchObject({
      code: 'NODE_MALFORMED_ANSWER',
    });
  });

  it.each<[number, string]>([
    [24, 'NODE_UNAVAILABLE'],
    [20, 'NODE_REFUSED_CALL'],
    [40, 'NODE_REFUSED_CALL'],
  ])(
    'a read of a vault’s position fails on the node’s error %i instead of returning an empty position',
    async (code, expected) => {
      failing = { error: { code, message: '' } };
      expect(await failure(subject.read(vault(), AT))).toMatchObject({ code: expected });
    },
  );
});
