export { openSqliteLedger, type OpenedLedger, type SqliteLedgerOptions } from './open-sqlite-ledger.js';
