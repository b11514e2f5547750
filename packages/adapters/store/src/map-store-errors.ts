import { causeCodeOf, findCause } from '@sotto/kernel';
import { LedgerOfAnotherChain, LedgerUnavailable } from '@sotto/submission-core';
import { sqliteCodeOf } from './sqlite/sqlite-codes.js';

/**
 * Error codes of this store for errors that the PostgreSQL driver reports without a code. The first
 * element is the beginning of the driver's message.
 */
const WORDED_CODES: readonly (readonly [string, string])[] = [
  ['timeout exceeded when trying to connect', 'CONNECT_TIMEOUT'],
  ['Connection terminated due to connection timeout', 'CONNECT_TIMEOUT'],
  ['timeout expired', 'CONNECT_TIMEOUT'],
  ['Query read timeout', 'QUERY_TIMEOUT'],
  ['Connection terminated', 'CONNECTION_LOST'],
];

/**
 * Runs a call of the store. Every error, including a constraint violation, becomes a
 * `LedgerUnavailable` with the code of its cause. Only `LedgerOfAnotherChain` is thrown unchanged.
 */
export async function mapStoreErrors<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof LedgerUnavailable || cause instanceof LedgerOfAnotherChain) throw cause;
    throw storeFailure('the store did not answer', cause);
  }
}

/**
 * Type of a store whose calls all return promises. The mapping of errors is asynchronous, so it
 * would change the type of a synchronous call.
 */
export type Promising<Store> = {
  readonly [Call in keyof Store]: (...inputs: never[]) => Promise<unknown>;
};

/**
 * Returns a proxy that maps the errors of a store's calls with {@link mapStoreErrors}. Calls run on
 * the store itself, because a proxy has no private fields.
 */
export function withStoreErrors<Store extends object & Promising<Store>>(store: Store): Store {
  return new Proxy(store, {
    get(target, property) {
      const call: unknown = Reflect.get(target, property, target);
      if (typeof call !== 'function') return call;
      return (...inputs: unknown[]): Promise<unknown> =>
        mapStoreErrors<unknown>(() => Reflect.apply(call, target, inputs));
    },
  });
}

export function storeFailure(
  message: string,
  cause: unknown,
  details: Readonly<Record<string, string>> = {},
): LedgerUnavailable {
  return new LedgerUnavailable({ message, cause, causeCode: storeCodeOf(cause), details });
}

/**
 * Returns the errno, the SQLSTATE, SQLite's result code, or the code that {@link WORDED_CODES} has
 * for the driver's message; null if the error has none of these codes.
 */
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
