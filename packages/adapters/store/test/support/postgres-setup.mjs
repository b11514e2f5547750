import { PostgresServer, findPostgres } from '@sotto/test-postgres';

/**
 * One server for all tests of a run, and a database for each. Where none runs, the reason why tests
 * are skipped.
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
