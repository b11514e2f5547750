import { DomainError } from './errors.js';

/**
 * Value that was read, or the error that prevented reading it. An error is never replaced by a
 * value.
 */
export type Result<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly failure: DomainError };

export function ok<T>(value: T): Result<T> {
  return { known: true, value };
}

/**
 * Returns the result of `poll`, or the `DomainError` that `poll` throws. Other errors are bugs and
 * are rethrown.
 */
export function tryCatch<T>(poll: () => T): Result<T> {
  try {
    return ok(poll());
  } catch (error) {
    return missing(error);
  }
}

/**
 * Returns the result of a running read, or the `DomainError` with which it rejects. Other errors
 * are rethrown.
 */
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
 * Returns the value of a result.
 * @throws the error that prevented reading the value; a plain error if the value was never read.
 */
export function unwrap<T>(finding: Result<T> | undefined): T {
  if (finding === undefined) throw new Error('a fact is used that has not been read');
  if (!finding.known) throw finding.failure;
  return finding.value;
}
