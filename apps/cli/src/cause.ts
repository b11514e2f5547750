import { DomainError, causeCodeOf } from '@sotto/kernel';

/**
 * Returns the code of an error's cause: errno, SQLSTATE, TLS or RPC code. Never returns the message
 * of the error, which may contain private data.
 */
export function causeOf(error: unknown): string {
  return (
    causeCodeOf(error) ??
    codesOf(error).at(-1) ??
    (error instanceof Error ? error.name : typeof error)
  );
}

/**
 * Returns a suffix for a sentence about a broken connection, such as ` (ECONNREFUSED)`. The suffix
 * is empty without a known code.
 */
export function causeSuffix(error: unknown): string {
  const code = causeCodeOf(error);
  return code === null ? '' : ` (${code})`;
}

/** Returns the codes of an error and its causes, outermost first. */
export function codesOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const reason = error instanceof DomainError ? error.details['reason'] : undefined;
  const status = error instanceof DomainError ? error.details['status'] : undefined;
  return [
    ...own,
    ...(typeof reason === 'string' ? [reason] : []),
    ...(typeof status === 'number' ? [`HTTP ${status}`] : []),
    ...codesOf(error.cause, depth + 1),
  ];
}
