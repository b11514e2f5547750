import { openPostgresStore, openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import { TransferStore } from '@sotto/bridge-core';
import { Logger } from '@sotto/kernel';
import { SubmissionLocks, SettlementHistory, PoolControls, QuoteStore, SwapPins, SwapRecords, SwapVerdicts } from '@sotto/relayer-core';
import { InstanceBus, Ledger } from '@sotto/submission-core';
import type { Settings, StoreSettings } from '../config/settings.js';
import { OpenedStoreToken } from './bindings.js';
import { AppModule } from './container.js';

/** The durable state of this service, and its way to other instances that share it. */
export const storeModule = ({ store }: Pick<Settings, 'store'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(OpenedStoreToken)
      .toResolvedValue((logger: Logger) => open(store, logger), [Logger])
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    bind(Ledger).toResolvedValue((opened: OpenedStore) => opened.ledger, [OpenedStoreToken]);
    bind(QuoteStore).toResolvedValue((opened: OpenedStore) => opened.quotes, [OpenedStoreToken]);
    bind(SettlementHistory).toResolvedValue((opened: OpenedStore) => opened.money, [OpenedStoreToken]);
    bind(PoolControls).toResolvedValue((opened: OpenedStore) => opened.poolControls, [OpenedStoreToken]);
    bind(SubmissionLocks).toResolvedValue((opened: OpenedStore) => opened.claims, [OpenedStoreToken]);
    bind(SwapPins).toResolvedValue((opened: OpenedStore) => opened.swapPins, [OpenedStoreToken]);
    bind(SwapRecords).toResolvedValue((opened: OpenedStore) => opened.swapRecords, [OpenedStoreToken]);
    bind(SwapVerdicts).toResolvedValue((opened: OpenedStore) => opened.swapVerdicts, [OpenedStoreToken]);
    bind(TransferStore).toResolvedValue((opened: OpenedStore) => opened.transfers, [OpenedStoreToken]);
    bind(InstanceBus).toResolvedValue((opened: OpenedStore) => opened.hints, [OpenedStoreToken]);
  });

function open(store: StoreSettings, logger: Logger): Promise<OpenedStore> {
  if (store.kind === 'sqlite') return openSqliteStore({ path: store.path });
  return openPostgresStore({ url: store.url.reveal(), poolSize: store.poolSize, logger });
}
