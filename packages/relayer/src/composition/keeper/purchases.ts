import { DailyClosesApi, HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { StarknetNode, StarknetPurchaseOrders } from '@sotto/adapter-starknet';
import {
  FollowOrders,
  GetMayerMultiple,
  ListOrders,
  MayerMultiples,
  PurchaseCalls,
  PurchaseTask,
  RefreshCloses,
  OrderStore,
  ClosesStore,
} from '@sotto/dca-core';
import { KeeperTask, TaskStore } from '@sotto/keeper-core';
import { Clock, Logger, unguessableId } from '@sotto/kernel';
import { purchaseContract, purchasedWith } from '@sotto/network-profile';
import { FairValues, MarketPrices, type PoolToken } from '@sotto/market-core';
import { Ledger, Snapshots, type ResourceLimits } from '@sotto/submission-core';
import { ClosesSources, RepeatedCalls, StartWarning } from '../bindings.js';
import { assemble, type Binder } from '../container.js';
import { Partners, closesName } from '../partners.js';
import { MAX_IMPACT_BPS, SLIPPAGE_PPM, routingTo } from './swap-routing.js';
import { LOOKING, SEND_WITHIN_MS, type KeeperModuleSettings } from './task-binding.js';

const WHOLE_PERCENT = 100;
/** Resource limits of a purchase. A swap over several exchanges uses 10 to 30 M L2 gas. */
const PURCHASE_LIMITS: ResourceLimits = {
  l2Gas: 100_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};
const MAX_ORDERS = 2_000;
const ORDERS_PER_READ = 100;
/**
 * Maximum number of quotes in one run of the task. Each quote needs one or two seconds, including
 * its build and its simulation.
 */
const MAX_QUOTES = 20;
/** L2 gas of a swap in the specification, used as the minimum of the gas limit. */
const LEAST_L2_GAS = 3_000_000n;
/**
 * Depth in blocks up to which the reader corrects its events after a rollback. If a rollback is
 * deeper, the reader detects this and reads all events again.
 */
const FOLLOWING = { safeDepth: 64, checkedPerRound: ORDERS_PER_READ };
const LEAST_CLOSES_SOURCES = 2;
const CLOSES = { settleMs: 900_000, queryAgainMs: 3_600_000 };

/**
 * Binds the task that executes due purchases, and the use cases that return purchase orders and the
 * Mayer Multiple to callers.
 */
export function bindPurchases({ bind, provide }: Binder, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  const contract = purchaseContract(network);
  const [account] = keeper.accounts;
  if (contract === null || account === undefined)
    throw new Error('the rules let purchases without a contract or an account through');
  const wbtc: PoolToken = { symbol: 'WBTC', ...network.tokens.WBTC };
  const sellTokens = purchasedWith(network);
  const routing = routingTo([wbtc], settings, MAX_IMPACT_BPS);
  const sources = keeper.purchases.closesUrls.map((_, index) => closesName(index));
  bind(ClosesSources)
    .toResolvedValue(
      (partners, clock) => ({
        all: keeper.purchases.closesUrls.map((url, index) => {
          const name = closesName(index);
          const upstream = { url: url.reveal(), findings: partners.of(name) };
          return new DailyClosesApi(
            { ...upstream, name, token: network.tokens.WBTC.address },
            clock,
          );
        }),
      }),
      [Partners, Clock],
    )
    .inSingletonScope()
    .onDeactivation(({ all }) => {
      for (const source of all) source.close();
    });
  bind(StartWarning).toResolvedValue(
    (logger) => ({ warn: async () => warnOfSmartOrders(sources.length, logger) }),
    [Logger],
  );
  provide(StarknetPurchaseOrders, [StarknetNode], contract);
  provide(
    FollowOrders,
    { orders: StarknetPurchaseOrders, snapshots: Snapshots, store: OrderStore },
    { contract, ...FOLLOWING },
  );
  provide.as(
    RepeatedCalls,
    PurchaseCalls,
    {
      orders: StarknetPurchaseOrders,
      follow: FollowOrders,
      snapshots: Snapshots,
      store: OrderStore,
      logger: Logger,
    },
    {
      chainId: network.chainId,
      contract,
      limits: PURCHASE_LIMITS,
      maxOrders: MAX_ORDERS,
      ordersPerRead: ORDERS_PER_READ,
      newId: unguessableId,
    },
  );
  provide(
    MayerMultiples,
    { orders: StarknetPurchaseOrders, closes: ClosesStore, prices: MarketPrices },
    { contract, sources, wbtcSymbol: wbtc.symbol },
  );
  provide(GetMayerMultiple, [MayerMultiples, Snapshots]);
  provide(
    ListOrders,
    { orders: StarknetPurchaseOrders, snapshots: Snapshots, store: OrderStore },
    { contract, sellTokens, maxPage: ORDERS_PER_READ },
  );
  assemble(
    bind(KeeperTask),
    {
      ...LOOKING,
      store: OrderStore,
      controls: TaskStore,
      closes: ClosesStore,
      orders: StarknetPurchaseOrders,
      follow: FollowOrders,
      mayer: MayerMultiples,
      prices: MarketPrices,
      aggregator: HttpSwapAggregator,
      sources: ClosesSources,
      ledger: Ledger,
      logger: Logger,
    },
    ({ closes, sources: { all }, ...ports }) =>
      new PurchaseTask(
        {
          ...ports,
          closes: new RefreshCloses(all, closes, ports.clock, CLOSES),
          fairValues: new FairValues(ports.prices, [wbtc]),
          routing: routing({ aggregator: ports.aggregator, marketPrices: ports.prices }),
        },
        {
          chainId: network.chainId,
          contract,
          wbtc,
          sellTokens,
          account: account.address,
          intervalMs: keeper.intervalMs,
          maxOrders: MAX_ORDERS,
          ordersPerRead: ORDERS_PER_READ,
          maxQuotes: MAX_QUOTES,
          leastL2Gas: LEAST_L2_GAS,
          slippagePpm: SLIPPAGE_PPM,
          leastFeePercent: WHOLE_PERCENT + Number(keeper.purchases.marginPercent),
          retry: keeper.retry,
          limits: PURCHASE_LIMITS,
          sendWithinMs: SEND_WITHIN_MS,
        },
      ),
  );
}

/** Warns that smart orders are off because nothing can check the contract's Mayer Multiple. */
function warnOfSmartOrders(sources: number, logger: Logger): void {
  if (sources < LEAST_CLOSES_SOURCES)
    logger.warn(
      { sources },
      'smart orders are off: they need two sources of daily closes in DAILY_CLOSES_URLS',
    );
}
