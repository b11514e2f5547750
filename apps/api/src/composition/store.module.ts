import { OpenedStore, openPostgresStore, openSqliteStore } from '@sotto/adapter-store';
import { TransferStore } from '@sotto/bridge-core';
import { Logger } from '@sotto/kernel';
import {
  PoolControls,
  QuoteStore,
  SettlementHistory,
  SubmissionLocks,
  SwapPins,
  SwapRecords,
  SwapVerdicts,
} from '@sotto/relayer-core';
import { InstanceBus, Ledger } from '@sotto/submission-core';
import type { Settings, StoreSettings } from '../environment/settings.js';
import { AppModule } from './container.js';

/** The durable state of this service, and its way to other instances that share it. */
export const storeModule = ({ store }: Pick<Settings, 'store'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(OpenedStore)
      .toResolvedValue((logger: Logger) => open(store, logger), [Logger])
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    bind(Ledger).toResolvedValue((opened: OpenedStore) => opened.ledger, [OpenedStore]);
    bind(QuoteStore).toResolvedValue((opened: OpenedStore) => opened.quotes, [OpenedStore]);
    bind(SettlementHistory).toResolvedValue((opened: OpenedStore) => opened.money, [OpenedStore]);
    bind(PoolControls).toResolvedValue((opened: OpenedStore) => opened.poolControls, [OpenedStore]);
    bind(SubmissionLocks).toResolvedValue((opened: OpenedStore) => opened.claims, [OpenedStore]);
    bind(SwapPins).toResolvedValue((opened: OpenedStore) => opened.swapPins, [OpenedStore]);
    bind(SwapRecords).toResolvedValue((opened: OpenedStore) => opened.swapRecords, [OpenedStore]);
    bind(SwapVerdicts).toResolvedValue((opened: OpenedStore) => opened.swapVerdicts, [OpenedStore]);
    bind(TransferStore).toResolvedValue((opened: OpenedStore) => opened.transfers, [OpenedStore]);
    bind(InstanceBus).toResolvedValue((opened: OpenedStore) => opened.hints, [OpenedStore]);
  });

function open(store: StoreSettings, logger: Logger): Promise<OpenedStore> {
  if (store.kind === 'sqlite') return openSqliteStore({ path: store.path });
  return openPostgresStore({ url: store.url.reveal(), poolSize: store.poolSize, logger });
}
