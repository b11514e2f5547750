import {
  parsePosition,
  type LeveragePosition,
  type LeveragePositions,
  type LeveragedVault,
  type ViewedPosition,
} from '@sotto/curator-core';
import { Felts, u256FromHalves, type Felt } from '@sotto/kernel';
import {
  MAX_INTEREST_RATE_E18,
  borrowAprE36,
  totalDebt,
  utilizationE36,
} from '@sotto/staking-core';
import type { Snapshot } from '@sotto/submission-core';
import { z } from 'zod';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { VesuLendingPoolReader, type MarketState } from './vesu-lending-pool-reader.js';
import { callView } from './views.js';
import { Returned, ReturnedU256, WireU128, WireU64 } from './wire.js';

const E18 = 10n ** 18n;
const E36 = 10n ** 36n;
/** Maximum for amounts in units of 1e-18, above the supply of any ERC-20 token. */
const MAX_AMOUNT = 10n ** 40n;
/**
 * Interest per year, in units of 1e-18, if the rate is {@link MAX_INTEREST_RATE_E18}. A year of the
 * lending protocol has 360 days.
 */
const MAX_YEAR_RATE_E18 = MAX_INTEREST_RATE_E18 * 360n * 86_400n;

/**
 * Result of a Vesu V2 pool's `pair_config`: max_ltv and liquidation_factor (u64 each, 1e18 means
 * 1), and debt_cap (u128, in the smallest unit of the debt token; 0 means no cap).
 */
const PairConfig = z
  .tuple([WireU64, WireU64, WireU128])
  .transform(([maxLtvE18, _factor, debtCap]) => ({ maxLtvE18, debtCap }));
/**
 * Result of a Vesu V2 pool's `pairs`: total_collateral_shares and total_nominal_debt (u256 each, in
 * units of 1e-18).
 */
const PairTotals = z
  .tuple([WireU128, WireU128, WireU128, WireU128])
  .transform(([, , low, high]) => u256FromHalves(low, high));

/**
 * Reads the position of a vault at the snapshot's block, in two requests. The sources are the
 * vault's own view in the layout of the profile, the vault's balance of its debt token, and a Vesu
 * V2 pool for the other values.
 */
export class StarknetLeveragePositions implements LeveragePositions {
  readonly #lendingPools: VesuLendingPoolReader;

  /**
   * @param accrualSeconds time during which debts may grow until the planned round is executed, in
   *   seconds; the free liquidity is reduced by that growth
   */
  constructor(
    private readonly node: StarknetNode,
    private readonly accrualSeconds: bigint,
  ) {
    this.#lendingPools = new VesuLendingPoolReader(node);
  }

  async read(vault: LeveragedVault, { hash }: Snapshot): Promise<LeveragePosition> {
    const [viewed, held, pool] = await Promise.all([
      this.#viewed(vault, hash),
      this.#held(vault, hash),
      this.#lendingPool(vault, hash),
    ]);
    return checked({ ...pool, held, nominalDebt: viewed.debt, ...viewed });
  }

  #held({ address, debt }: LeveragedVault, blockHash: Felt): Promise<bigint> {
    return callView(this.node, {
      contract: debt.address,
      entrypoint: 'balanceOf',
      calldata: [address],
      block: blockHash,
      result: ReturnedU256,
    });
  }

  async #viewed(
    { address: contract, layout }: LeveragedVault,
    blockHash: Felt,
  ): Promise<ViewedPosition> {
    const { entrypoint } = layout.position;
    const view = { contract, entrypoint, block: blockHash, result: Returned };
    const viewed = parsePosition(layout, Felts.of(await callView(this.node, view)));
    if (viewed === null)
      throw new NodeMalformedAnswer({
        message: 'the position is not laid out as the network profile describes it',
      });
    return viewed;
  }

  async #lendingPool(
    { lendingPool: pool, collateral, debt }: LeveragedVault,
    blockHash: Felt,
  ): Promise<Omit<LeveragePosition, 'collateral' | 'debt' | 'nominalDebt' | 'held'>> {
    const assets = [collateral.address, debt.address];
    const [markets, { maxLtvE18, debtCap, nominalDebtE18 }] = await Promise.all([
      this.#lendingPools.readPoolsAt(
        assets.map((asset) => ({ pool, asset })),
        blockHash,
      ),
      this.#pair(pool, assets, blockHash),
    ]);
    const [supplied, borrowed] = markets;
    if (supplied === undefined || borrowed === undefined) throw new Error('a market was not read');
    const grown = (owed: bigint): bigint => owed + growthOf(owed, borrowed, this.accrualSeconds);
    const free = freeLiquidity(borrowed, grown(totalDebt(borrowed)));
    return {
      freeLiquidity:
        debtCap === 0n ? free : least(free, debtCap - grown(pairDebt(nominalDebtE18, borrowed))),
      borrowRateE18: borrowAprE36(borrowed) / E18,
      supplyRateE18: supplyRateE18(supplied),
      maxLtvE18,
    };
  }

  /** Reads the configuration of the pair. Reads the pair's debt only if a debt cap is set. */
  async #pair(contract: Felt, calldata: readonly Felt[], blockHash: Felt) {
    const view = { contract, calldata, block: blockHash };
    const config = await callView(this.node, {
      ...view,
      entrypoint: 'pair_config',
      result: PairConfig,
    });
    const nominalDebtE18 =
      config.debtCap === 0n
        ? 0n
        : await callView(this.node, { ...view, entrypoint: 'pairs', result: PairTotals });
    return { ...config, nominalDebtE18 };
  }
}

/**
 * Returns the total debt of a pair, rounded up as the pool does when it compares the debt with its
 * cap.
 */
function pairDebt(nominalE18: bigint, { rateAccumulatorE18, scale }: MarketState): bigint {
  return (nominalE18 * rateAccumulatorE18 * scale + E36 - 1n) / E36;
}

/** Returns the growth of the debt `owed` within the given number of seconds, rounded up. */
function growthOf(owed: bigint, { interestRateE18 }: MarketState, seconds: bigint): bigint {
  return (owed * interestRateE18 * seconds + E18 - 1n) / E18;
}

/** Returns the smaller of two values; 0 if the smaller value is negative. */
function least(left: bigint, right: bigint): bigint {
  const smaller = left < right ? left : right;
  return smaller < 0n ? 0n : smaller;
}

/**
 * Returns the amount of the reserve that the pool can lend when the total debt is `owed`, so that
 * the pool's utilization does not exceed its maximum. Interest increases the debt and also the
 * supply.
 */
function freeLiquidity({ reserve, maxUtilizationE18 }: MarketState, owed: bigint): bigint {
  return least(((reserve + owed) * maxUtilizationE18) / E18 - owed, reserve);
}

/**
 * Returns the interest rate of suppliers: the interest of all borrowers, minus the pool's fee,
 * divided by the total supply.
 */
function supplyRateE18(market: MarketState): bigint {
  const paidE36 = (borrowAprE36(market) * utilizationE36(market)) / E36;
  return (paidE36 * (E18 - market.feeRateE18)) / E36;
}

/** @throws NodeMalformedAnswer if the position has values that no vault or pool can return */
function checked(position: LeveragePosition): LeveragePosition {
  const { collateral, debt, nominalDebt, held, freeLiquidity: free } = position;
  const { borrowRateE18, supplyRateE18: supply } = position;
  if ([collateral, debt, nominalDebt, held, free].some((amount) => amount > MAX_AMOUNT))
    throw new NodeMalformedAnswer({
      message: 'an amount of the vault exceeds any possible supply',
    });
  if ([borrowRateE18, supply].some((rate) => rate > MAX_YEAR_RATE_E18))
    throw new NodeMalformedAnswer({ message: 'a rate is higher than any market’s' });
  if (position.maxLtvE18 > E18)
    throw new NodeMalformedAnswer({ message: 'the pool lends more than the collateral is worth' });
  return position;
}
