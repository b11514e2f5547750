import { openSqliteLedger, type OpenedLedger } from '@sotto/adapter-store';
import { Ledger } from '@sotto/submission-core';
import type { Settings } from '../config/settings.js';
import { OpenedLedgerToken } from './bindings.js';
import { AppModule } from './container.js';

/** The durable state of this service. */
export const storeModule = ({ databasePath }: Pick<Settings, 'databasePath'>): AppModule =>
  new AppModule(({ bind }) => {
    bind(OpenedLedgerToken)
      .toDynamicValue(() => openSqliteLedger({ path: databasePath }))
      .inSingletonScope()
      .onDeactivation((opened) => opened.close());
    bind(Ledger).toResolvedValue((opened: OpenedLedger) => opened.ledger, [OpenedLedgerToken]);
  });
