import type { GenesisContract } from '../engine/genesis.js';
import {
  lendingPool,
  setLendingMarket,
  type LendingMarket,
  type RateCurve,
} from './lending-pool.js';
import { recordStorage } from './storage.js';
import { sandboxWorld } from './world.js';

/**
 * Interest curve that is published for the WBTC market in the protocol's first pool. Only the rate
 * at the target is the sandbox's own choice.
 */
const CURVE: RateCurve = {
  minTargetUtilization: 78_000n,
  targetUtilization: 80_000n,
  maxTargetUtilization: 82_000n,
  zeroUtilizationRate: 0n,
  minFullUtilizationRate: 13_035_786_672n,
  maxFullUtilizationRate: 44_569_649_971n,
  halfLifeSeconds: 432_000n,
  targetRateE18: 2n * 10n ** 17n,
};

const WBTC: Pick<LendingMarket, 'scale' | 'fullUtilizationRateE18'> = {
  scale: 10n ** BigInt(sandboxWorld.tokens.WBTC.decimals),
  fullUtilizationRateE18: 20_000_000_000n,
};

/** Initial market of the debt asset, of which no unit is lent. */
const USDC_MARKET: LendingMarket = {
  reserve: sandboxWorld.lending.reserve,
  nominalDebtE18: 0n,
  rateAccumulatorE18: 10n ** 18n,
  fullUtilizationRateE18: 20_000_000_000n,
  scale: 10n ** BigInt(sandboxWorld.tokens.USDC.decimals),
};

/** Initial markets of WBTC. In the first pool, 40 of 100 BTC are lent; in the second, 75 of 100. */
const FIRST: Readonly<Record<keyof typeof sandboxWorld.lendingPools, LendingMarket>> = {
  prime: {
    ...WBTC,
    reserve: 60n * 10n ** 8n,
    nominalDebtE18: 32n * 10n ** 18n,
    rateAccumulatorE18: 125n * 10n ** 16n,
  },
  partner_xbtc: {
    ...WBTC,
    reserve: 25n * 10n ** 8n,
    nominalDebtE18: 60n * 10n ** 18n,
    rateAccumulatorE18: 125n * 10n ** 16n,
  },
};

/** Builds the lending pools of {@link sandboxWorld} with their initial markets. */
export function lendingPools(): GenesisContract[] {
  const { lending, oracle, tokens } = sandboxWorld;
  const { prime, partner_xbtc: partner } = sandboxWorld.lendingPools;
  const terms = {
    priceOracle: oracle,
    collateralAsset: tokens.WBTC.address,
    debtAsset: tokens.USDC.address,
    maxLtvE18: lending.maxLtvE18,
  };
  const contract = ({ address, asset }: typeof prime, market: LendingMarket): GenesisContract => {
    const storage: Record<string, bigint> = {};
    setLendingMarket(recordStorage(storage), asset, market);
    if (address === lending.pool)
      setLendingMarket(recordStorage(storage), tokens.USDC.address, USDC_MARKET);
    return { address, model: lendingPool(CURVE, terms), storage };
  };
  return [contract(prime, FIRST.prime), contract(partner, FIRST.partner_xbtc)];
}
