import { OpenedStore } from '@sotto/adapter-store';
import { TransferStore } from '@sotto/bridge-core';
import { Logger } from '@sotto/kernel';
import {
  OperatorLog,
  PoolControls,
  QuoteStore,
  SettlementHistory,
  SubmissionLocks,
  SwapPins,
  SwapRecords,
} from '@sotto/relayer-core';
import { InstanceBus, Ledger, StoreHealth, SubmissionRegister } from '@sotto/submission-core';
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
    bind(Ledger).toResolvedValue((opened) => opened.ledger, [OpenedStore]);
    bind(StoreHealth).toResolvedValue((opened) => opened.health, [OpenedStore]);
    bind(QuoteStore).toResolvedValue((opened) => quotes ?? opened.quotes, [OpenedStore]);
    bind(SettlementHistory).toResolvedValue((opened) => opened.settlements, [OpenedStore]);
    bind(SubmissionRegister).toResolvedValue((opened) => opened.register, [OpenedStore]);
    bind(OperatorLog).toResolvedValue((opened) => opened.operatorLog, [OpenedStore]);
    bind(PoolControls).toResolvedValue((opened) => opened.poolControls, [OpenedStore]);
    bind(SubmissionLocks).toResolvedValue((opened) => opened.locks, [OpenedStore]);
    bind(SwapPins).toResolvedValue((opened) => opened.swapPins, [OpenedStore]);
    bind(SwapRecords).toResolvedValue((opened) => opened.swapRecords, [OpenedStore]);
    bind(TransferStore).toResolvedValue((opened) => opened.transfers, [OpenedStore]);
    bind(InstanceBus).toResolvedValue((opened) => opened.bus, [OpenedStore]);
  });
