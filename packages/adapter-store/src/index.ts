export { openSqliteStore, type OpenedStore, type SqliteStoreOptions } from './open-sqlite-store.js';
