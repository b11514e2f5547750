export {
  inspectPostgresStore,
  inspectSqliteStore,
  type InspectedLane,
  type InspectedLedger,
  type StoreInspection,
} from './inspection/inspect-store.js';
export { ArchiveFile } from './archive-file.js';
export { LedgerDamaged, LedgerIncomplete, LedgerReadOnly, LedgerSchemaDiffers } from './errors.js';
export { openPostgresStore, type PostgresStoreOptions } from './postgres/open-postgres-store.js';
export { checkFiles, type CheckDepth } from './sqlite/check-files.js';
export { acceptIncompleteLedger } from './sqlite/heartbeat.js';
export { backupSqlite, type SqliteBackup } from './sqlite/backup-sqlite.js';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.js';
export { OpenedStore, STORE_METHODS, type StoreName } from './store.js';
