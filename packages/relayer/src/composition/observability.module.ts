import {
  BalanceCache,
  OBSERVED_PORTS,
  RememberedGasPrice,
  RememberedLeaves,
  bridgeMetrics,
  buildMetrics,
  keeperMetrics,
  storeMetrics,
  nodeMetrics,
  partnerMetrics,
  priceMetrics,
  pushMetrics,
  relayerMetrics,
  signerMetrics,
  submissionMetrics,
  webhookMetrics,
  verdictMetrics,
  withLedgerMetrics,
} from '@sotto/adapter-observability';
import { AccountKeys } from '@sotto/adapter-starknet';
import { OpenedStore, STORE_METHODS, type StoreName } from '@sotto/adapter-store';
import { BridgeProtocol } from '@sotto/bridge-core';
import { VaultFunds } from '@sotto/curator-core';
import { GetKeeperStatus, TaskBudgets, TaskCounters } from '@sotto/keeper-core';
import { Clock } from '@sotto/kernel';
import {
  CallSimulator,
  LatestBlock,
  AccountCheck,
  AccountHistory,
  Auditor,
  Broadcaster,
  ChainEvents,
  ChainReader,
  Ledger,
  NonceHistory,
  SubmissionEngine,
  TransactionSigner,
} from '@sotto/submission-core';
import {
  ConsentCheck,
  FairSemaphore,
  FollowSubmission,
  GetVerdict,
  HeadWatch,
  NodeDirectory,
  PoolCircuitBreaker,
  PoolEvents,
  PoolReader,
  ProofVerifier,
} from '@sotto/relayer-core';
import { MarketPrices } from '@sotto/market-core';
import { LendingPoolReader, RewardProgramme } from '@sotto/staking-core';
import { notePools } from '@sotto/network-profile';
import { Metrics, PortObserver } from '@sotto/telemetry';
import { Connections, InFlight } from '@sotto/http-server';
import { DeliveryCounters } from '@sotto/webhook-core';
import type { Settings } from '../environment/settings.js';
import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { thisBuild } from '../build.js';
import { ConfiguredTasks, PriceSources } from './bindings.js';
import { AppModule, assemble } from './container.js';
import { Partners } from './partners.js';

/**
 * Binds the metrics, and measures calls of the observed ports. Cores and adapters do not depend on
 * this module.
 * @param ofProcess true if metrics include memory and event loop of the process
 */
export const observabilityModule = (
  { network, signer, webhooks: { endpoints } }: Pick<Settings, 'network' | 'signer' | 'webhooks'>,
  ofProcess: boolean,
): AppModule =>
  new AppModule((on) => {
    const metrics = new Metrics(ofProcess);
    const observer = new PortObserver(metrics, { ...OBSERVED_PORTS, ...STORE_METHODS });
    const accounts = new BalanceCache();
    const leaves = new RememberedLeaves();
    const gasPrice = new RememberedGasPrice();
    const pools = notePools(network);
    on.bind(DeliveryCounters).toConstantValue(new DeliveryCounters());
    assemble(
      on.bind(Metrics),
      {
        engine: SubmissionEngine,
        ledger: Ledger,
        guard: PoolCircuitBreaker,
        slots: FairSemaphore,
        inFlight: InFlight,
        waits: FollowSubmission,
        connections: Connections,
        auditor: Auditor,
        counters: TaskCounters,
        deliveries: DeliveryCounters,
        tasks: ConfiguredTasks,
        openedStore: OpenedStore,
        nodes: NodeDirectory,
        events: ChainEvents,
        verdict: GetVerdict,
        head: HeadWatch,
        prices: MarketPrices,
        priceSources: PriceSources,
        partners: Partners,
        clock: Clock,
        keys: AccountKeys,
      },
      ({
        counters,
        keys,
        deliveries,
        tasks,
        nodes,
        events,
        openedStore,
        prices,
        priceSources,
        partners,
        ...sources
      }) => {
        const { taskLeases: leases, taskBook: store, webhookDeliveries } = openedStore;
        webhookMetrics(metrics, { deliveries, store: webhookDeliveries }, endpoints);
        nodeMetrics(metrics, nodes);
        pushMetrics(metrics, events);
        if (signer !== null) signerMetrics(metrics, keys);
        buildMetrics(metrics, thisBuild(process.env));
        const { transfers } = openedStore;
        bridgeMetrics(metrics, { transfers, clock: sources.clock });
        storeMetrics(metrics, openedStore.health);
        partnerMetrics(metrics, partners.all);
        priceMetrics(metrics, prices, {
          sources: priceSources.all.map(({ name }) => name),
          assets: Object.keys(network.tokens),
        });
        submissionMetrics(metrics, { ...sources, accounts });
        relayerMetrics(metrics, { ...sources, leaves, pools });
        verdictMetrics(metrics, { ...sources, pools });
        const budgets = new TaskBudgets({
          store,
          l2GasPriceFri: () => gasPrice.l2GasFri(),
          clock: sources.clock,
        });
        const status = new GetKeeperStatus(
          { leases, store, budgets, clock: sources.clock },
          tasks.all,
        );
        keeperMetrics(metrics, { counters, status, clock: sources.clock, tokens: network.tokens });
        return metrics;
      },
    );
    on.onActivation(OpenedStore, (_, opened) => observedStore(observer, opened));
    on.onActivation(Ledger, (_, port) => withLedgerMetrics(port, metrics));
    on.onActivation(Broadcaster, (_, port) => observer.observe('broadcaster', port));
    on.onActivation(ChainReader, (_, port) =>
      observer.observe('chain_reader', accounts.watch(port)),
    );
    on.onActivation(NonceHistory, (_, port) => observer.observe('nonce_history', port));
    on.onActivation(AccountHistory, (_, port) => observer.observe('account_history', port));
    on.onActivation(AccountCheck, (_, port) => observer.observe('account_check', port));
    on.onActivation(TransactionSigner, (_, port) => observer.observe('signer', port));
    // Dashboards use three component names for this one reader.
    on.onActivation(PoolReader, (_, port) =>
      (['pool_reader', 'swap_leaves', 'deposit_reader'] as const).reduce(
        (reader, part) => observer.observe(part, reader),
        leaves.watch(port),
      ),
    );
    on.onActivation(ConsentCheck, (_, port) => observer.observe('consent_check', port));
    on.onActivation(PoolEvents, (_, port) => observer.observe('spent_nullifiers', port));
    on.onActivation(PriceSources, (_, { all }) => ({
      all: all.map((source) => observer.observe('price_source', source)),
    }));
    on.onActivation(CallSimulator, (_, port) => observer.observe('simulator', port));
    on.onActivation(ProofVerifier, (_, port) => observer.observe('proof_verifier', port));
    on.onActivation(LatestBlock, (_, port) => observer.observe('gas_prices', gasPrice.watch(port)));
    on.onActivation(LendingPoolReader, (_, port) => observer.observe('lending_pools', port));
    on.onActivation(RewardProgramme, (_, port) => observer.observe('reward_programme', port));
    on.onActivation(VaultFunds, (_, port) => observer.observe('vault_funds', port));
    on.onActivation(HttpSwapAggregator, (_, port) => observer.observe('swap_aggregator', port));
    on.onActivation(BridgeProtocol, (_, port) => observer.observe('bridge_protocol', port));
  });

/** Wraps the store so that each call of each of its ports is measured and traced. */
export function observedStore(
  observer: Pick<PortObserver<typeof STORE_METHODS>, 'observe'>,
  opened: OpenedStore,
): OpenedStore {
  const observed = STORE_NAMES.map((name) => [name, observer.observe<object>(name, opened[name])]);
  return Object.assign({}, opened, Object.fromEntries(observed));
}

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const STORE_NAMES = Object.keys(STORE_METHODS) as readonly StoreName[];
