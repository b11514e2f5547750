import { quarterOf, settle, type Felt, type Result } from '@sotto/kernel';
import type { GasPrices, LatestBlock } from '@sotto/submission-core';
import { cycleCost, recommendedFee, type CycleGas } from '../../fees/domain/fee.js';
import {
  friToFeeToken,
  type FeeTokenPrices,
  type PricedAsset,
  type MarketPrices,
} from '@sotto/market-core';
import type {
  PoolStatus,
  PrivacyPool,
  RelayedPool,
  ServedPool,
  SwapOutputPool,
} from '../../pools/domain/pool.js';
import type {
  PrivacyPoolFacts,
  PrivacyPoolReader,
} from '../../private-actions/ports/privacy-pool-reader.port.js';
import { opennessOf, type PoolOpenness } from '../../circuit-breaker/domain/pool-openness.js';
import { WITHDRAW_ENTRYPOINT } from '../../pools/domain/withdrawal.js';
import type { SwapPoolFigures } from '../../pools/domain/swap-leaf.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { GetPoolStatus } from '../../pools/application/get-pool-status.js';
import type { LearnGas } from '../../fees/application/learn-gas.js';
import type { GetPoolDeposits, PoolDeposits } from './get-pool-deposits.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';

export interface PoolListPolicy {
  readonly chainId: Felt;
  /** Address that earns the fees. A proof must contain this address as its relayer. */
  readonly feeAddress: Felt;
  readonly pools: readonly ServedPool[];
  readonly swapPool: SwapOutputPool | null;
  readonly privacyPools: readonly PrivacyPool[];
  readonly cycleGas: CycleGas;
  /** Gas use learnt from receipts. @default none: costs are computed from `cycleGas` only */
  readonly gas?: Pick<LearnGas, 'figureOf'>;
  /** Margin that a recommended fee adds to the cost, in percent. */
  readonly marginPercent: bigint;
  /** Maximum number of deposits into one pool per hour. */
  readonly depositsPerHour: number;
}

/** Hourly limit of deposits into a pool. */
interface DepositRation {
  readonly perHour: number;
  /**
   * Number of deposits that are still allowed now: `perHour` minus the deposits of the last hour.
   */
  readonly left: number;
  /** Maximum number of the `perHour` deposits that a single network may make. */
  readonly perNetwork: number;
}

export interface ListedPool extends ServedPool, PoolOpenness {
  /** Status of the pool, including its limits; null if the pool can't be read now. */
  readonly status: PoolStatus | null;
  /** Size of each deposit, which never changes; null if it has never been read. */
  readonly denomination: bigint | null;
  /**
   * Fee that a new proof should contain now, in the token's smallest unit. Null if the cost or the
   * pool's maximum fee is unknown.
   */
  readonly feeAmount: bigint | null;
  /** Remaining deposits of the hourly limit; null if the store is unavailable. */
  readonly depositRation: DepositRation | null;
  /** Deposits that all limits of the pool allow now; null if the store is unavailable. */
  readonly deposits: PoolDeposits | null;
}

/**
 * Pool in which private swaps create notes. The cost of a withdrawal depends on the note's leaf, so
 * there is no single fee for the pool.
 */
export interface ListedSwapPool extends SwapOutputPool, PoolOpenness {
  /** State of the swap pool; null if the pool can't be read now. */
  readonly figures: SwapPoolFigures | null;
}

/** The network's own privacy pool, whose private actions this service sends. */
export interface ListedPrivacyPool extends PrivacyPool, PoolOpenness {
  /** State of the pool; null if the pool can't be read now. */
  readonly state: Pick<
    PrivacyPoolFacts,
    'version' | 'isPaused' | 'feeFri' | 'validityBlocks'
  > | null;
}

export interface PoolList extends Pick<PoolListPolicy, 'chainId' | 'feeAddress'> {
  readonly pools: readonly ListedPool[];
  /** Swap pool; null if the service has no swap pool. */
  readonly swapOutputs: ListedSwapPool | null;
  readonly privacyPools: readonly ListedPrivacyPool[];
}

/** Lists the pools of this relayer, with the data that a wallet needs to make a proof. */
export class ListPools {
  /** Denominations that were read, by pool. */
  readonly #denominations = new Map<Felt, bigint>();

  constructor(
    private readonly latestBlock: Pick<LatestBlock, 'gasPrices'>,
    private readonly marketPrices: MarketPrices,
    private readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>,
    private readonly reader: Pick<PoolReader, 'figures'>,
    private readonly privacyReader: PrivacyPoolReader,
    private readonly guard: Pick<PoolCircuitBreaker, 'pools'>,
    private readonly deposits: Pick<GetPoolDeposits, 'execute'>,
    private readonly policy: PoolListPolicy,
  ) {}

  /**
   * Returns the pools in the sequence of the profile. Configured values are listed even if node,
   * prices or store are unavailable. Values that depend on an unavailable source are null, never a
   * guess. Reads each pool at most once per block, and starts all reads in the same tick.
   */
  async execute(): Promise<PoolList> {
    const { chainId, feeAddress, pools, swapPool, privacyPools } = this.policy;
    const symbols = [...new Set(pools.map(({ token }) => token.symbol))];
    const { depositsPerHour } = this.policy;
    const [gasPrices, prices, statuses, figures, privacyFacts, guarded, depositsOf] =
      await Promise.all([
        settle(this.latestBlock.gasPrices()),
        Promise.all(
          symbols.map(
            async (symbol) => [symbol, await settle(this.marketPrices.forFeesIn(symbol))] as const,
          ),
        ),
        Promise.all(pools.map((pool) => settle(this.getPoolStatus.execute(pool.address)))),
        swapPool === null ? null : settle(this.reader.figures(swapPool.address)),
        Promise.all(
          privacyPools.map(({ address }) =>
            settle(this.privacyReader.facts(address, { baseBlockNumber: null, addresses: [] })),
          ),
        ),
        settle(this.guard.pools()),
        settle(this.deposits.execute()),
      ]);
    const pricesOf = new Map<PricedAsset, Result<FeeTokenPrices>>(prices);
    const openness = ({ address }: RelayedPool): PoolOpenness =>
      opennessOf(known(guarded)?.find(({ pool }) => pool.address === address)?.relays);
    const listed = pools.map((pool, index): ListedPool => {
      const status = known(statuses[index]);
      if (status !== null) this.#denominations.set(pool.address, status.denomination);
      const deposits = known(depositsOf)?.(pool.address, status?.nextIndex ?? null) ?? null;
      const feeAmount = this.#fee(
        pool,
        known(gasPrices),
        known(pricesOf.get(pool.token.symbol)),
        status,
      );
      return {
        ...pool,
        status,
        denomination: this.#denominations.get(pool.address) ?? null,
        feeAmount,
        depositRation:
          deposits === null
            ? null
            : {
                perHour: depositsPerHour,
                left: deposits.rationLeft,
                perNetwork: quarterOf(depositsPerHour),
              },
        deposits,
        ...openness(pool),
      };
    });
    const swapOutputs =
      swapPool === null ? null : { ...swapPool, figures: known(figures), ...openness(swapPool) };
    const listedPrivacy = privacyPools.map((pool, index): ListedPrivacyPool => {
      const state = known(privacyFacts[index]);
      return { ...pool, state: state === null ? null : stateOf(state), ...openness(pool) };
    });
    return { chainId, feeAddress, pools: listed, swapOutputs, privacyPools: listedPrivacy };
  }

  #fee(
    { address, token }: ServedPool,
    gasPrices: GasPrices | null,
    prices: FeeTokenPrices | null,
    status: PoolStatus | null,
  ): bigint | null {
    if (gasPrices === null || prices === null || status === null) return null;
    const { cycleGas, marginPercent } = this.policy;
    const { totalFri } = cycleCost(
      cycleGas,
      gasPrices,
      this.policy.gas?.figureOf(address, WITHDRAW_ENTRYPOINT),
    );
    return recommendedFee(
      friToFeeToken(totalFri, prices, token.decimals),
      marginPercent,
      status.maxFee,
    );
  }
}

function stateOf({
  version,
  isPaused,
  feeFri,
  validityBlocks,
}: PrivacyPoolFacts): ListedPrivacyPool['state'] {
  return { version, isPaused, feeFri, validityBlocks };
}

function known<T>(finding: Result<T> | null | undefined): T | null {
  return finding?.known === true ? finding.value : null;
}
