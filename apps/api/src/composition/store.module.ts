import { openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import { TransferMemory } from '@sotto/bridge-core';
import { QuoteBook } from '@sotto/relayer-core';
import { Ledger } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { OpenedStoreToken } from './bindings.js';
import { AppModule } from './container.js';

/** The durable state of this service. */
export const storeModule = ({ databasePath }: Pick<Settings, 'databasePath'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(OpenedStoreToken)
      .toDynamicValue(() => openSqliteStore({ path: databasePath }))
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    bind(Ledger).toResolvedValue((opened: OpenedStore) => opened.ledger, [OpenedStoreToken]);
    bind(QuoteBook).toResolvedValue((opened: OpenedStore) => opened.quotes, [OpenedStoreToken]);
    bind(TransferMemory).toResolvedValue((opened: OpenedStore) => opened.transfers, [OpenedStoreToken]);
  });
