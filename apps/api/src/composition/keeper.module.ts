import { DailyClosesApi, HttpSwapAggregator } from '@sotto/adapter-aggregator';
import {
  NodeClient,
  StarknetBalances,
  StarknetLeveragePositions,
  StarknetPurchaseOrders,
} from '@sotto/adapter-starknet';
import { OpenedStore } from '@sotto/adapter-store';
import {
  DeployDueFunds,
  FundRepayments,
  LeveragePositions,
  LeverageTask,
  SetLeverageTarget,
  VaultFunds,
  type LeverageLimits,
} from '@sotto/curator-core';
import {
  FollowOrders,
  GetMayerMultiple,
  ListOrders,
  MayerMultiples,
  PurchaseCalls,
  PurchaseTask,
  RefreshCloses,
} from '@sotto/dca-core';
import { TASK_NAMES, type TaskName } from '@sotto/facts';
import {
  ControlTasks,
  GetKeeperStatus,
  KeeperTask,
  TaskBudgets,
  TaskCounters,
  TaskRunner,
  type ConfiguredTask,
  type TaskSettings,
} from '@sotto/keeper-core';
import { Clock, Logger, unguessableId, type Felt } from '@sotto/kernel';
import {
  convertedTokens,
  leveragedVaults,
  purchaseContract,
  purchasedWith,
  servedPools,
} from '@sotto/network-profile';
import {
  CallSimulator,
  ConvertFees,
  DeployBatch,
  DeployDueBatches,
  FairValues,
  KeepTreasury,
  LatestBlock,
  MarketPrices,
  PoolHistory,
  PoolReader,
  SwapRouting,
  TopUpLanes,
  fundedLanes,
  type PoolToken,
} from '@sotto/relayer-core';
import {
  Ledger,
  RepeatedSubmissions,
  Snapshots,
  Submissions,
  type ResourceLimits,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { TaskDisabled } from '../http/errors.js';
import { ConfiguredTasks, RepeatedCalls, TaskRunners } from './bindings.js';
import { AppModule, assemble, every } from './container.js';

type KeeperModuleSettings = Pick<
  Settings,
  'engine' | 'network' | 'relay' | 'curator' | 'keeper' | 'lanes'
>;

const PPM_PER_BPS = 100;
const E18_PER_BPS = 10n ** 14n;
/** What a swap of the keeper may end below its quote. */
const SLIPPAGE_PPM = 5_000;
/**
 * Every quote above the floor that follows from its fair value is taken: there is no caller whose
 * tolerance it has to leave. At 0 the swap would have to end exactly at its quote.
 */
const LEAST_SLIPPAGE_PPM = 1;
/** A call of the keeper was made from prices and positions of now. */
const SEND_WITHIN_MS = 60_000;
const WHOLE_PERCENT = 100;
/** From no debt to 5× at the usual limits of loan-to-value. */
const MAX_ROUNDS = 12;
/** Nearer to its target a position is left alone. */
const TARGET_TOLERANCE_BPS = 200n;
/** How far a purchase, or a swap of fees, may fall short of its fair value. */
const MAX_IMPACT_BPS = 100;
/** A swap of several legs takes 10 to 30 M L2 gas. */
const PURCHASE_LIMITS: ResourceLimits = {
  l2Gas: 100_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};
const MAX_ORDERS = 2_000;
const ORDERS_PER_READ = 100;
/** Deeper rollbacks are noticed, and all events are read again then. */
const FOLLOWING = { safeDepth: 64, checkedPerRound: ORDERS_PER_READ };
const CLOSES = { settleMs: 900_000, askAgainMs: 3_600_000 };

/** Stands where a task is off. */
const DISABLED = {
  async execute(): Promise<never> {
    throw new TaskDisabled();
  },
};

/** What every task needs to look, to try a call and to submit it. */
const LOOKING = {
  snapshots: Snapshots,
  simulator: CallSimulator,
  latestBlock: LatestBlock,
  submissions: Submissions,
  repeated: RepeatedSubmissions,
  openedStore: OpenedStore,
  clock: Clock,
} as const;

/** What the protocol does by itself: the tasks that the settings name, each within its bounds. */
export const keeperModule = (settings: KeeperModuleSettings): AppModule =>
  new AppModule((container) => {
    const { bind } = container;
    const { keeper, engine } = settings;
    const isOn = (task: TaskName): boolean => keeper.tasks.includes(task);
    if (isOn('curator')) bindCurator(container, settings);
    if (isOn('batches')) bindBatches(container, settings);
    if (isOn('leverage')) bindLeverage(container, settings);
    else bind<Pick<SetLeverageTarget, 'execute'>>(SetLeverageTarget).toConstantValue(DISABLED);
    if (isOn('purchases')) bindPurchases(container, settings);
    else {
      bind<Pick<GetMayerMultiple, 'execute'>>(GetMayerMultiple).toConstantValue(DISABLED);
      bind<Pick<ListOrders, 'execute'>>(ListOrders).toConstantValue(DISABLED);
    }
    if (isOn('treasury')) bindTreasury(container, settings);

    if (keeper.tasks.length === 0) bind(KeeperTasks).toConstantValue({ all: [] });
    else assemble(bind(KeeperTasks), { all: every(KeeperTask) }, (tasks) => tasks);

    bind(TaskCounters)
      .toDynamicValue(() => new TaskCounters())
      .inSingletonScope();
    assemble(
      bind(TaskBudgets),
      { openedStore: OpenedStore, latestBlock: LatestBlock, clock: Clock },
      ({ openedStore: { taskBook: book }, latestBlock, clock }) =>
        new TaskBudgets({
          book,
          l2GasPriceFri: async () => (await latestBlock.gasPrices()).l2GasFri,
          clock,
        }),
    );
    assemble(
      bind(TaskRunners),
      {
        tasks: KeeperTasks,
        openedStore: OpenedStore,
        budgets: TaskBudgets,
        counters: TaskCounters,
        clock: Clock,
        logger: Logger,
      },
      ({ tasks, openedStore: { taskLeases: leases, taskBook: book }, ...ports }) => ({
        all: tasks.all.map(
          (task) =>
            new TaskRunner(
              { task, leases, book, ...ports },
              {
                ...taskSettings(settings, task.name),
                instance: engine.instance,
                leaseMs: keeper.leaseTtlMs,
              },
            ),
        ),
      }),
    );
    assemble(bind(ConfiguredTasks), { tasks: KeeperTasks }, ({ tasks }) => ({
      all: configuredTasks(settings, tasks.all),
    }));
    assemble(
      bind(GetKeeperStatus),
      { tasks: ConfiguredTasks, openedStore: OpenedStore, budgets: TaskBudgets },
      ({ tasks, openedStore: { taskLeases: leases, taskBook: book }, budgets }) =>
        new GetKeeperStatus({ leases, book, budgets }, tasks.all),
    );
    bind(ControlTasks).toResolvedValue(
      (status, { taskBook }) => new ControlTasks(status, taskBook),
      [GetKeeperStatus, OpenedStore],
    );
  });

/** The tasks that are on. */
abstract class KeeperTasks {
  abstract readonly all: readonly KeeperTask[];
}

function taskSettings({ keeper }: KeeperModuleSettings, task: TaskName): TaskSettings {
  return {
    isOn: keeper.tasks.includes(task),
    subjects: keeper.subjects.get(task) ?? 'all',
    hourlyBudgetFri: keeper.budget.perHourFri,
    dailyBudgetFri: keeper.budget.perDayFri,
  };
}

/** All tasks, those that are off with nothing that they do. */
function configuredTasks(
  settings: KeeperModuleSettings,
  tasks: readonly KeeperTask[],
): readonly ConfiguredTask[] {
  return TASK_NAMES.map((name) => ({
    name,
    kinds: tasks.find((task) => task.name === name)?.kinds ?? [],
    settings: taskSettings(settings, name),
  }));
}

type Container = Parameters<ConstructorParameters<typeof AppModule>[0]>[0];

/** The curator's account, which the rules require for its tasks. */
function curatorAddress({ curator }: KeeperModuleSettings): Felt {
  if (curator.account === null)
    throw new Error('the rules let a curator without an account through');
  return curator.account.address;
}

function bindCurator({ bind }: Container, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  assemble(
    bind(KeeperTask),
    { ...LOOKING, funds: VaultFunds, marketPrices: MarketPrices },
    ({ openedStore: { taskBook: book }, ...ports }) =>
      new DeployDueFunds(
        { ...ports, book },
        {
          ...keeper.curator,
          chainId: network.chainId,
          vaults: network.vaults,
          account: curatorAddress(settings),
          wbtc: { symbol: 'WBTC', ...network.tokens.WBTC },
          intervalMs: keeper.intervalMs,
          retry: keeper.retry,
        },
      ),
  );
}

function bindBatches({ bind }: Container, { network, relay, keeper }: KeeperModuleSettings): void {
  assemble(
    bind(KeeperTask),
    { ...LOOKING, reader: PoolReader, history: PoolHistory, deployBatch: DeployBatch },
    ({ openedStore: { taskBook: book }, ...ports }) =>
      new DeployDueBatches(
        { ...ports, book },
        {
          ...keeper.batches,
          chainId: network.chainId,
          pools: servedPools(network),
          relayAccount: relay.firstAccount.address,
          retry: keeper.retry,
          intervalMs: keeper.intervalMs,
        },
      ),
  );
}

/** Routes of swaps into one of these tokens, at no less than their fair value less the bound. */
function routingTo(
  bought: readonly PoolToken[],
  { network }: KeeperModuleSettings,
  maxPriceImpactBps: number,
): (ports: {
  readonly aggregator: HttpSwapAggregator;
  readonly marketPrices: MarketPrices;
}) => SwapRouting {
  const { routers = [], branchRoutes = false } = network.swapPool ?? {};
  return ({ aggregator, marketPrices }) =>
    new SwapRouting(aggregator, new FairValues(marketPrices, bought), {
      routers,
      allowBranchRoutes: branchRoutes,
      maxPriceImpactBps,
      minSlippagePpm: LEAST_SLIPPAGE_PPM,
    });
}

function bindLeverage({ bind }: Container, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  const { safetyBps, healthFloorBps, maxSwapCostBps, minRoundDebt, maxRoundDebt, repayPerDay } =
    keeper.leverage;
  const limits: LeverageLimits = {
    safetyDistanceE18: BigInt(safetyBps) * E18_PER_BPS,
    healthFloorE18: BigInt(healthFloorBps) * E18_PER_BPS,
    swapCostPpm: BigInt(maxSwapCostBps * PPM_PER_BPS),
    maxRounds: MAX_ROUNDS,
    minRoundDebt,
    maxRoundDebt,
    toleranceBps: TARGET_TOLERANCE_BPS,
  };
  const vaults = leveragedVaults(network);
  const routing = routingTo(
    vaults.flatMap(({ collateral, debt }) => [collateral, debt]),
    settings,
    maxSwapCostBps,
  );
  bind(LeveragePositions).toResolvedValue(
    (client) => new StarknetLeveragePositions(client),
    [NodeClient],
  );
  assemble(
    bind(KeeperTask),
    {
      ...LOOKING,
      positions: LeveragePositions,
      marketPrices: MarketPrices,
      aggregator: HttpSwapAggregator,
      client: NodeClient,
    },
    ({ openedStore: { taskBook: book, leverageTargets: targets }, client, ...ports }) =>
      new LeverageTask(
        {
          ...ports,
          book,
          targets,
          routing: routing(ports),
          repayments:
            repayPerDay === null || keeper.treasury.account === null
              ? null
              : new FundRepayments(
                  { ...ports, balances: new StarknetBalances(client) },
                  { ...ports, book },
                  {
                    chainId: network.chainId,
                    treasury: keeper.treasury.account.address,
                    maxPerDay: repayPerDay,
                    retry: keeper.retry,
                  },
                ),
        },
        {
          ...limits,
          chainId: network.chainId,
          vaults,
          account: curatorAddress(settings),
          intervalMs: keeper.intervalMs,
          slippagePpm: SLIPPAGE_PPM,
          rateAgainstSeconds: keeper.leverage.rateAgainstSeconds,
          sendWithinMs: SEND_WITHIN_MS,
          retry: keeper.retry,
        },
      ),
  );
  assemble(
    bind(SetLeverageTarget),
    { openedStore: OpenedStore, positions: LeveragePositions, snapshots: Snapshots },
    ({ openedStore: { leverageTargets: targets }, ...ports }) =>
      new SetLeverageTarget({ ...ports, targets }, { ...limits, vaults }),
  );
}

function bindPurchases({ bind }: Container, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  const contract = purchaseContract(network);
  const [account] = keeper.accounts;
  if (contract === null || account === undefined)
    throw new Error('the rules let purchases without a contract or an account through');
  const wbtc: PoolToken = { symbol: 'WBTC', ...network.tokens.WBTC };
  const sellTokens = purchasedWith(network);
  const routing = routingTo([wbtc], settings, MAX_IMPACT_BPS);
  const sources = keeper.purchases.closesUrls.map(
    (url, index) =>
      new DailyClosesApi({
        name: `closes-${index + 1}`,
        url: url.reveal(),
        token: network.tokens.WBTC.address,
      }),
  );
  bind(StarknetPurchaseOrders).toResolvedValue(
    (client) => new StarknetPurchaseOrders(client, contract),
    [NodeClient],
  );
  assemble(
    bind(FollowOrders),
    { orders: StarknetPurchaseOrders, snapshots: Snapshots, openedStore: OpenedStore },
    ({ openedStore: { purchaseOrders: book }, ...ports }) =>
      new FollowOrders({ ...ports, book }, { contract, ...FOLLOWING }),
  );
  assemble(
    bind(RepeatedCalls),
    {
      orders: StarknetPurchaseOrders,
      follow: FollowOrders,
      snapshots: Snapshots,
      openedStore: OpenedStore,
      logger: Logger,
    },
    ({ openedStore: { purchaseOrders: book }, ...ports }) =>
      new PurchaseCalls(
        { ...ports, book },
        {
          chainId: network.chainId,
          contract,
          limits: PURCHASE_LIMITS,
          maxOrders: MAX_ORDERS,
          ordersPerRead: ORDERS_PER_READ,
          newId: unguessableId,
        },
      ),
  );
  assemble(
    bind(MayerMultiples),
    { orders: StarknetPurchaseOrders, openedStore: OpenedStore, prices: MarketPrices },
    ({ openedStore: { dailyCloses: closes }, ...ports }) =>
      new MayerMultiples(
        { ...ports, closes },
        { contract, sources: sources.map(({ name }) => name), wbtcSymbol: wbtc.symbol },
      ),
  );
  bind(GetMayerMultiple).toResolvedValue(
    (mayer, snapshots) => new GetMayerMultiple(mayer, snapshots),
    [MayerMultiples, Snapshots],
  );
  assemble(
    bind(ListOrders),
    { orders: StarknetPurchaseOrders, snapshots: Snapshots, openedStore: OpenedStore },
    ({ openedStore: { purchaseOrders: book }, ...ports }) =>
      new ListOrders({ ...ports, book }, { contract, sellTokens, maxPage: ORDERS_PER_READ }),
  );
  assemble(
    bind(KeeperTask),
    {
      ...LOOKING,
      orders: StarknetPurchaseOrders,
      follow: FollowOrders,
      mayer: MayerMultiples,
      prices: MarketPrices,
      aggregator: HttpSwapAggregator,
      ledger: Ledger,
      logger: Logger,
    },
    ({ openedStore: { taskBook, purchaseOrders, dailyCloses }, ...ports }) =>
      new PurchaseTask(
        {
          ...ports,
          book: purchaseOrders,
          controls: taskBook,
          closes: new RefreshCloses(sources, dailyCloses, ports.clock, CLOSES),
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
          slippagePpm: SLIPPAGE_PPM,
          leastFeePercent: WHOLE_PERCENT + Number(keeper.purchases.marginPercent),
          retry: keeper.retry,
          limits: PURCHASE_LIMITS,
          sendWithinMs: SEND_WITHIN_MS,
        },
      ),
  );
}

function bindTreasury({ bind }: Container, settings: KeeperModuleSettings): void {
  const { network, keeper, lanes } = settings;
  const { account, levels, maxPerDayFri, reserveFri, conversions } = keeper.treasury;
  if (account === null) throw new Error('the rules let a treasury without an account through');
  const strk: PoolToken = { symbol: 'STRK', ...network.tokens.STRK };
  const usual = {
    chainId: network.chainId,
    strk: strk.address,
    treasury: account.address,
    retry: keeper.retry,
    intervalMs: keeper.intervalMs,
  };
  assemble(
    bind(TopUpLanes),
    { ...LOOKING, client: NodeClient },
    ({ client, openedStore: { taskBook: book, topUps }, ...ports }) =>
      new TopUpLanes(
        { ...ports, book, topUps, balances: new StarknetBalances(client) },
        { ...usual, lanes: fundedLanes(lanes, levels), maxPerDayFri, reserveFri },
      ),
  );
  if (conversions.size === 0) {
    bind(KeeperTask).toService(TopUpLanes);
    return;
  }
  const routing = routingTo([strk], settings, MAX_IMPACT_BPS);
  assemble(
    bind(ConvertFees),
    {
      ...LOOKING,
      client: NodeClient,
      marketPrices: MarketPrices,
      aggregator: HttpSwapAggregator,
    },
    ({ client, openedStore: { taskBook: book }, ...ports }) =>
      new ConvertFees(
        { ...ports, book, balances: new StarknetBalances(client), routing: routing(ports) },
        {
          ...usual,
          tokens: convertedTokens(network, conversions),
          slippagePpm: SLIPPAGE_PPM,
          sendWithinMs: SEND_WITHIN_MS,
        },
      ),
  );
  bind(KeeperTask).toResolvedValue(
    (topUps, fees) => new KeepTreasury([topUps, fees]),
    [TopUpLanes, ConvertFees],
  );
}
