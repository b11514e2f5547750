import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { Clock, Logger, BackgroundTask, UpstreamBudget } from '@sotto/kernel';
import {
  CallSimulator,
  LatestBlock,
  AccountHistory,
  ChainReader,
  Ledger,
  NonceHistory,
  Submissions,
  type Revalidator,
  AuditStore,
} from '@sotto/submission-core';
import {
  EstimateFee,
  ExecutePrivateSwap,
  FairSemaphore,
  FillSwapPins,
  GetPoolStatus,
  LearnGas,
  PoolCircuitBreaker,
  PoolEvents,
  PoolReader,
  PoolTraffic,
  ProofVerifier,
  QuoteRedemption,
  QuoteSwap,
  SpentNotes,
  SwapOutcomes,
  SwapPins,
  SwapRecords,
  SwapRevalidator,
} from '@sotto/relayer-core';
import {
  FairValues,
  MarketPrices,
  SwapRouting,
  warnOfUnpricedTokens,
  type PoolToken,
} from '@sotto/market-core';
import { type NetworkProfile, notePools, swapCycleGas, swapTokens } from '@sotto/network-profile';
import type { Settings, SwapSettings } from '../environment/settings.js';
import { PrivateSwapDisabled } from '../errors.js';
import { PrivateSwaps, StartWarning, SwapRevalidation } from './bindings.js';
import { AppModule, assemble } from './container.js';

const PPM_PER_BPS = 100;

type SwapModuleSettings = Pick<Settings, 'network' | 'prices' | 'relay' | 'swap'>;
type SwapPool = NonNullable<NetworkProfile['swapPool']>;

/** Interval in ms between two background reads of the swap owner's transactions. */
const FILL_INTERVAL_MS = 60_000;
/** Maximum number of swaps that the aggregator may quote or route for callers within 10 seconds. */
const MOST_ROUTES = 100;

/** Budget of requests to the aggregator, shared by private swaps and their quotes. */
class AggregatorBudget extends UpstreamBudget {}

/**
 * Share of the budget that quotes may use. Quotes need no proof, so they must not use up the share
 * for swaps.
 */
class SwapQuoteBudget extends UpstreamBudget {}

/**
 * Binds private swaps. If the settings disable private swaps, the use case rejects every request.
 */
export const swapModule = ({ network, prices, relay, swap }: SwapModuleSettings): AppModule => {
  const { swapPool } = network;
  return swap === null || swapPool === undefined
    ? withoutSwaps
    : withSwaps(network, swapPool, relay, swap, swapTokens(network, prices.apiUrl !== null));
};

/**
 * Revalidator for a process that signs no swaps, because it has no lane for them. No swap is
 * rejected.
 */
const NO_SWAPS_SIGNED: Revalidator = { rejectionOf: async () => null };

/**
 * Swap bindings of the keeper. The service leases the lanes of swap owners, so the keeper does not
 * lease them.
 */
export const keeperSwapModule = new AppModule(({ bind }) => {
  bind(SwapRevalidation).toConstantValue(NO_SWAPS_SIGNED);
});

async function refuse(): Promise<never> {
  throw new PrivateSwapDisabled({ message: 'this relayer does not swap' });
}

const withoutSwaps = new AppModule(({ bind }) => {
  bind(PrivateSwaps).toConstantValue({
    execute: refuse,
    dryRun: refuse,
  });
  bind<Pick<SwapOutcomes, 'describe'>>(SwapOutcomes).toConstantValue({
    describe: async () => null,
  });
  bind(SwapRevalidation).toConstantValue(NO_SWAPS_SIGNED);
  bind<Pick<QuoteSwap, 'execute'>>(QuoteSwap).toConstantValue({ execute: refuse });
  bind<Pick<FairValues, 'offered'>>(FairValues).toConstantValue({ offered: async () => [] });
});

const withSwaps = (
  network: NetworkProfile,
  swapPool: SwapPool,
  { feeAddress }: Settings['relay'],
  { owner, maxPriceImpactBps, minSlippageBps }: SwapSettings,
  outputTokens: readonly PoolToken[],
) =>
  new AppModule(({ bind, provide }) => {
    const routing = {
      maxPriceImpactBps,
      minSlippagePpm: minSlippageBps * PPM_PER_BPS,
      routers: swapPool.routers,
      allowBranchRoutes: swapPool.branchRoutes,
    };
    provide(FairValues, [MarketPrices], outputTokens);
    bind(StartWarning).toResolvedValue(
      (fairValues, logger) => ({
        warn: () => warnOfUnpricedTokens(swapPool.outputTokens, fairValues, logger),
      }),
      [FairValues, Logger],
    );
    provide(SwapOutcomes, [PoolEvents, PoolReader, Clock]);
    provide(
      FillSwapPins,
      {
        pins: SwapPins,
        records: SwapRecords,
        reader: ChainReader,
        nonces: NonceHistory,
        history: AccountHistory,
        store: AuditStore,
        clock: Clock,
      },
      { chainId: network.chainId, swapPool: swapPool.address, swapOwner: owner.address },
    );
    bind(BackgroundTask).toResolvedValue(
      (fillPins) => ({
        name: 'swap pins',
        intervalMs: FILL_INTERVAL_MS,
        run: () => fillPins.execute(),
      }),
      [FillSwapPins],
    );
    assemble(
      bind(SwapRevalidation),
      {
        ledger: Ledger,
        pins: SwapPins,
        simulator: CallSimulator,
        fairValues: FairValues,
        latestBlock: LatestBlock,
        learnGas: LearnGas,
      },
      ({ learnGas, ...ports }) =>
        new SwapRevalidator(ports, {
          chainId: network.chainId,
          swapOwner: owner.address,
          pools: notePools(network),
          routers: swapPool.routers,
          maxPriceImpactBps,
          cycleGas: swapCycleGas(network),
          learntGas: (pool) => learnGas.figureOf(pool, 'private_swap'),
        }),
    );
    bind(AggregatorBudget).toResolvedValue(
      (clock) => new AggregatorBudget(MOST_ROUTES, clock),
      [Clock],
    );
    bind(SwapQuoteBudget).toResolvedValue(
      (clock, budget) => new SwapQuoteBudget(MOST_ROUTES / 2, clock, budget),
      [Clock, AggregatorBudget],
    );
    bind(PrivateSwaps).toResolvedValue((swapper) => swapper, [ExecutePrivateSwap]);
    assemble(
      bind(ExecutePrivateSwap),
      {
        poolReader: PoolReader,
        proofVerifier: ProofVerifier,
        simulator: CallSimulator,
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        aggregator: HttpSwapAggregator,
        submissions: Submissions,
        outcomes: SwapOutcomes,
        clock: Clock,
        guard: PoolCircuitBreaker,
        slots: FairSemaphore,
        spentNotes: SpentNotes,
        pins: SwapPins,
        fillPins: FillSwapPins,
        learnGas: LearnGas,
        roots: PoolTraffic,
        quotes: QuoteRedemption,
        aggregatorBudget: AggregatorBudget,
      },
      ({ outcomes, guard, slots, spentNotes, learnGas, roots, ...ports }) =>
        new ExecutePrivateSwap(
          ports,
          { guard, slots, spentNotes },
          outcomes,
          {
            chainId: network.chainId,
            feeAddress,
            pools: notePools(network),
            swapPool: swapPool.address,
            swapOwner: owner.address,
            outputTokens,
            ...routing,
            payoutRule: swapPool.payoutRule,
            cycleGas: swapCycleGas(network),
            learntGas: (pool) => learnGas.figureOf(pool, 'private_swap'),
            roots,
          },
          network.limits.withdrawalBounds,
        ),
    );
    assemble(
      bind(QuoteSwap),
      {
        estimateFee: EstimateFee,
        getPoolStatus: GetPoolStatus,
        fairValues: FairValues,
        aggregator: HttpSwapAggregator,
        aggregatorBudget: SwapQuoteBudget,
        clock: Clock,
      },
      ({ fairValues, aggregator, ...ports }) =>
        new QuoteSwap(
          { ...ports, routing: new SwapRouting(aggregator, fairValues, routing) },
          {
            pools: notePools(network),
            swapPool: swapPool.address,
            payoutRule: swapPool.payoutRule,
            outputTokens,
            minSlippagePpm: routing.minSlippagePpm,
          },
        ),
    );
  });
