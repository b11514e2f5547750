import { OpenedStore } from '@sotto/adapter-store';
import { TransferStore } from '@sotto/bridge-core';
import { LeverageTargets } from '@sotto/curator-core';
import { ClosesBook, OrderBook } from '@sotto/dca-core';
import { TaskBook, TaskLeases } from '@sotto/keeper-core';
import { Logger } from '@sotto/kernel';
import {
  GasBook,
  OperatorLog,
  PoolControls,
  QuoteStore,
  SettlementHistory,
  SubmissionLocks,
  SwapPins,
  SwapRecords,
  TopUpBook,
  TrafficBook,
} from '@sotto/relayer-core';
import { RewardRates } from '@sotto/staking-core';
import {
  AuditBook,
  InstanceBus,
  Ledger,
  StoreHealth,
  SubmissionRegister,
} from '@sotto/submission-core';
import { AlertBook, DeliveryBook } from '@sotto/webhook-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';
import { openStore } from './factories.js';

/**
 * The durable state of this service, and its way to other instances that share it.
 * @param quotes in place of the store's own
 */
export const storeModule = (
  { store, engine }: Pick<Settings, 'store' | 'engine'>,
  quotes?: QuoteStore,
): AppModule =>
  new AppModule(({ bind }) => {
    bind(OpenedStore)
      .toResolvedValue(
        (logger) => openStore(store, { logger, instance: engine.instance }),
        [Logger],
      )
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    const part = <Name extends keyof OpenedStore>(
      port: Parameters<typeof bind<OpenedStore[Name]>>[0],
      name: Name,
    ): void => {
      bind<OpenedStore[Name]>(port).toResolvedValue((opened) => opened[name], [OpenedStore]);
    };
    part(Ledger, 'ledger');
    part(AuditBook, 'audit');
    part(StoreHealth, 'health');
    part(SubmissionRegister, 'register');
    part(OperatorLog, 'operatorLog');
    part(TransferStore, 'transfers');
    part(SettlementHistory, 'settlements');
    part(TrafficBook, 'traffic');
    part(TopUpBook, 'topUps');
    part(PoolControls, 'poolControls');
    part(SubmissionLocks, 'locks');
    part(GasBook, 'gas');
    part(SwapPins, 'swapPins');
    part(SwapRecords, 'swapRecords');
    part(TaskLeases, 'taskLeases');
    part(TaskBook, 'taskBook');
    part(OrderBook, 'purchaseOrders');
    part(ClosesBook, 'dailyCloses');
    part(RewardRates, 'rewardRates');
    part(LeverageTargets, 'leverageTargets');
    part(DeliveryBook, 'webhookDeliveries');
    part(AlertBook, 'webhookAlerts');
    part(InstanceBus, 'bus');
    if (quotes === undefined) part(QuoteStore, 'quotes');
    else bind(QuoteStore).toConstantValue(quotes);
  });
