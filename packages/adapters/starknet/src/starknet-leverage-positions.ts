import {
  parsePosition,
  type LeveragePosition,
  type LeveragePositions,
  type LeveragedVault,
  type ViewedPosition,
} from '@sotto/curator-core';
import { Felts, type Felt } from '@sotto/kernel';
import {
  MAX_INTEREST_RATE_E18,
  borrowAprE36,
  totalDebt,
  totalSupplied,
  utilizationE36,
} from '@sotto/staking-core';
import type { Snapshot } from '@sotto/submission-core';
import { z } from 'zod';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { VesuLendingPoolReader, type MarketState } from './vesu-lending-pool-reader.js';
import { callView } from './views.js';
import { Returned, ReturnedU256, WireU128, WireU64 } from './wire.js';

const E18 = 10n ** 18n;
const E36 = 10n ** 36n;
/** More than anything there is in units of 1e-18. */
const MAX_AMOUNT = 10n ** 40n;
/** What {@link MAX_INTEREST_RATE_E18} is in a year, of the lending protocol's 360 days. */
const MAX_YEAR_RATE_E18 = MAX_INTEREST_RATE_E18 * 360n * 86_400n;

/**
 * What a Vesu V2 pool's `pair_config` returns: max_ltv, liquidation_factor (u64 each, 1e18 is 1),
 * debt_cap (u128, in the debt's smallest unit).
 */
const PairConfig = z.tuple([WireU64, WireU64, WireU128]).transform(([maxLtvE18]) => maxLtvE18);

/**
 * What the vault's own view says of its position, by the layout of the profile, and what it holds
 * of its debt's token; what the view does not say is what the lending pool says, a Vesu V2 pool.
 * All of it at the snapshot's block, in two requests.
 */
export class StarknetLeveragePositions implements LeveragePositions {
  readonly #lendingPools: VesuLendingPoolReader;

  constructor(private readonly node: NodeClient) {
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
      blockHash,
      result: ReturnedU256,
    });
  }

  async #viewed(
    { address: contract, layout }: LeveragedVault,
    blockHash: Felt,
  ): Promise<ViewedPosition> {
    const { entrypoint } = layout.position;
    const view = { contract, entrypoint, blockHash, result: Returned };
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
    const [markets, maxLtvE18] = await Promise.all([
      this.#lendingPools.readPoolsAt(
        [collateral, debt].map(({ address: asset }) => ({ pool, asset })),
        blockHash,
      ),
      callView(this.node, {
        contract: pool,
        entrypoint: 'pair_config',
        calldata: [collateral.address, debt.address],
        blockHash,
        result: PairConfig,
      }),
    ]);
    const [supplied, borrowed] = markets;
    if (supplied === undefined || borrowed === undefined) throw new Error('a market was not read');
    return {
      freeLiquidity: freeLiquidity(borrowed),
      borrowRateE18: borrowAprE36(borrowed) / E18,
      supplyRateE18: supplyRateE18(supplied),
      maxLtvE18,
    };
  }
}

/** The reserve, as far as the pool lends it: it keeps to its highest utilization. */
function freeLiquidity(market: MarketState): bigint {
  const mayBeLent = (totalSupplied(market) * market.maxUtilizationE18) / E18 - totalDebt(market);
  const free = mayBeLent < market.reserve ? mayBeLent : market.reserve;
  return free < 0n ? 0n : free;
}

/** What borrowers pay, spread over all that is supplied, without the pool's own share. */
function supplyRateE18(market: MarketState): bigint {
  const paidE36 = (borrowAprE36(market) * utilizationE36(market)) / E36;
  return (paidE36 * (E18 - market.feeRateE18)) / E36;
}

/** @throws NodeMalformedAnswer for what no vault and no pool can say */
function checked(position: LeveragePosition): LeveragePosition {
  const { collateral, debt, nominalDebt, held, freeLiquidity: free } = position;
  const { borrowRateE18, supplyRateE18: supply } = position;
  if ([collateral, debt, nominalDebt, held, free].some((amount) => amount > MAX_AMOUNT))
    throw new NodeMalformedAnswer({ message: 'the vault holds or owes more than there is' });
  if ([borrowRateE18, supply].some((rate) => rate > MAX_YEAR_RATE_E18))
    throw new NodeMalformedAnswer({ message: 'a rate is higher than any market’s' });
  if (position.maxLtvE18 > E18)
    throw new NodeMalformedAnswer({ message: 'the pool lends more than the collateral is worth' });
  return position;
}
