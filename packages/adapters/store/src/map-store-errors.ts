import { causeCodeOf, findCause } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { sqliteCodeOf } from './sqlite/sqlite-codes.js';

/** What the driver of PostgreSQL says in words only, by how its message begins. */
const WORDED_CODES: readonly (readonly [string, string])[] = [
  ['timeout exceeded when trying to connect', 'CONNECT_TIMEOUT'],
  ['Connection terminated due to connection timeout', 'CONNECT_TIMEOUT'],
  ['timeout expired', 'CONNECT_TIMEOUT'],
  ['Query read timeout', 'QUERY_TIMEOUT'],
  ['Connection terminated', 'CONNECTION_LOST'],
];

/**
 * Asks the store: any error of it, constraint violations included, becomes `LedgerUnavailable` with
 * the code of its cause.
 */
export async function mapStoreErrors<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof LedgerUnavailable) throw cause;
    throw storeFailure('the store did not answer', cause);
  }
}

export function storeFailure(
  message: string,
  cause: unknown,
  details: Readonly<Record<string, string>> = {},
): LedgerUnavailable {
  return new LedgerUnavailable({ message, cause, causeCode: storeCodeOf(cause), details });
}

/** errno, SQLSTATE, SQLite's result code, or what stands for the driver's words; else null. */
function storeCodeOf(error: unknown): string | null {
  const inSqlite = findCause(error, (cause): cause is object => sqliteCodeOf(cause) !== null);
  if (inSqlite !== undefined) return sqliteCodeOf(inSqlite);
  return causeCodeOf(error) ?? wordedCodeOf(error);
}

function wordedCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const worded = WORDED_CODES.find(([words]) => error.message.startsWith(words));
  return worded?.[1] ?? null;
}
