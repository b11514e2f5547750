export {
  inspectPostgresStore,
  inspectSqliteStore,
  type InspectedLane,
  type InspectedLedger,
  type StoreInspection,
} from './inspection/inspect-store.js';
export { ArchiveFile } from './archive-file.js';
export { LedgerSchemaDiffers } from './migrations/migrate.js';
export { openPostgresStore, type PostgresStoreOptions } from './postgres/open-postgres-store.js';
export { backupSqlite, type SqliteBackup } from './sqlite/backup-sqlite.js';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.js';
export { OpenedStore } from './store.js';
