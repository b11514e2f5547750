import {
  checkFiles,
  inspectPostgresStore,
  inspectSqliteStore,
  type StoreInspection,
} from '@sotto/adapter-store';
import type { StoreSettings } from '../environment/settings.js';

/** Checks and reads of the ledger that change nothing. */
export interface LedgerInspection {
  /**
   * Checks the whole content of the SQLite files. For a PostgreSQL database, this function does
   * nothing.
   */
  readonly check: () => void;
  readonly inspect: () => Promise<StoreInspection>;
}

export function ledgerInspection(store: StoreSettings): LedgerInspection {
  if (store.kind === 'postgres')
    return { check: () => {}, inspect: () => inspectPostgresStore(store.url.reveal()) };
  return {
    check: () => checkFiles(store.path, 'whole'),
    inspect: () => inspectSqliteStore(store.path),
  };
}
