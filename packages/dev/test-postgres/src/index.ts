export { findPostgres, type Found } from './binaries.js';
export { PostgresServer, type PostgresServerOptions } from './postgres-server.js';
