export { openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.js';
export { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.js';
export { OpenedStore } from './store.js';
