import { PostgresServer, findPostgres } from '@sotto/test-postgres';

/**
 * Starts one PostgreSQL server for all tests of a run. Each test has a separate database. If no
 * server is available, provides the reason for skipping the tests.
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
