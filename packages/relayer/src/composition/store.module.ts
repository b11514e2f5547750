import { OpenedStore } from '@sotto/adapter-store';
import { TransferStore } from '@sotto/bridge-core';
import { LeverageTargets } from '@sotto/curator-core';
import { ClosesStore, OrderStore } from '@sotto/dca-core';
import { TaskStore, TaskLeases } from '@sotto/keeper-core';
import { Logger } from '@sotto/kernel';
import {
  GasStore,
  OperatorLog,
  PoolControls,
  QuoteStore,
  SettlementHistory,
  SponsorBudgets,
  SubmissionLocks,
  SwapPins,
  SwapRecords,
  TopUpStore,
  TrafficStore,
} from '@sotto/relayer-core';
import { RewardRates } from '@sotto/staking-core';
import {
  AuditStore,
  InstanceBus,
  Ledger,
  LedgerArchive,
  StoreHealth,
  SubmissionRegister,
} from '@sotto/submission-core';
import { AlertStore, DeliveryStore } from '@sotto/webhook-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, type ServiceIdentifier } from './container.js';
import { openStore } from './factories.js';
import { profileHash } from './profile-hash.js';

type PartName = Exclude<keyof OpenedStore, 'close'>;

/**
 * Port under which each part of the store is bound. If a part has no entry, this is a type error.
 */
const PORTS: { readonly [Name in PartName]: ServiceIdentifier<OpenedStore[Name]> } = {
  ledger: Ledger,
  archive: LedgerArchive,
  audit: AuditStore,
  health: StoreHealth,
  register: SubmissionRegister,
  operatorLog: OperatorLog,
  transfers: TransferStore,
  settlements: SettlementHistory,
  traffic: TrafficStore,
  topUps: TopUpStore,
  poolControls: PoolControls,
  locks: SubmissionLocks,
  gas: GasStore,
  swapPins: SwapPins,
  swapRecords: SwapRecords,
  taskLeases: TaskLeases,
  taskBook: TaskStore,
  purchaseOrders: OrderStore,
  dailyCloses: ClosesStore,
  rewardRates: RewardRates,
  leverageTargets: LeverageTargets,
  webhookDeliveries: DeliveryStore,
  webhookAlerts: AlertStore,
  bus: InstanceBus,
  quotes: QuoteStore,
  sponsorBudgets: SponsorBudgets,
};
// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const PARTS = Object.keys(PORTS) as readonly PartName[];

/**
 * Binds the durable state of this service. Also binds its notifications to other instances that
 * share the store.
 * @param quotes quote store to use instead of the store's own
 */
export const storeModule = (
  { store, engine, network }: Pick<Settings, 'store' | 'engine' | 'network'>,
  quotes?: QuoteStore,
): AppModule =>
  new AppModule(({ bind }) => {
    bind(OpenedStore)
      .toResolvedValue(
        (logger) =>
          openStore(store, { logger, instance: engine.instance, profile: profileHash(network) }),
        [Logger],
      )
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    for (const name of PARTS)
      if (name === 'quotes' && quotes !== undefined) bind(QuoteStore).toConstantValue(quotes);
      else
        bind<OpenedStore[PartName]>(PORTS[name]).toResolvedValue(
          (opened) => opened[name],
          [OpenedStore],
        );
  });
