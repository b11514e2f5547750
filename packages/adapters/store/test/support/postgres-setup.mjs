import { PostgresServer, findPostgres } from '@sotto/test-postgres';

/**
 * Starts one server for all tests of a run; each test has a separate database. Without a server,
 * provides the reason for skipping.
 */
export default async function startPostgres() {
  const found = findPostgres();
  if (found.kind === 'missing') {
    process.env.SOTTO_POSTGRES_MISSING = found.reason;
    return;
  }
  globalThis.sottoPostgres = await PostgresServer.start(found);
  process.env.SOTTO_POSTGRES_URL = globalThis.sottoPostgres.urlOf('postgres');
}
