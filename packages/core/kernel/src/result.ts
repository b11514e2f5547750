import { DomainError } from './errors.js';

/** A fact, or the error that keeps it from being known: never a value in its place. */
export type Result<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly failure: DomainError };

export function ok<T>(value: T): Result<T> {
  return { known: true, value };
}

/** What `look` returns, or the error that it throws. Other errors are bugs and pass through. */
export function tryCatch<T>(look: () => T): Result<T> {
  try {
    return ok(look());
  } catch (error) {
    return missing(error);
  }
}

/** The same for a read that is under way. */
export async function settle<T>(reading: Promise<T>): Promise<Result<T>> {
  try {
    return ok(await reading);
  } catch (error) {
    return missing(error);
  }
}

function missing(error: unknown): { readonly known: false; readonly failure: DomainError } {
  if (error instanceof DomainError) return { known: false, failure: error };
  throw error;
}

/**
 * The value of a fact.
 * @throws the error that keeps it from being known; a plain error when the fact has not been read.
 */
export function unwrap<T>(finding: Result<T> | undefined): T {
  if (finding === undefined) throw new Error('a fact is used that has not been read');
  if (!finding.known) throw finding.failure;
  return finding.value;
}
