/**
 * What went wrong, in the caller's terms. The HTTP layer maps kinds to statuses; nothing else does.
 */
export const ERROR_KINDS = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not_found',
  'not_allowed',
  'conflict',
  'too_large',
  'unprocessable',
  'rate_limited',
  'internal',
  'upstream_failed',
  'unavailable',
  'timeout',
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

export interface DomainErrorOptions {
  readonly cause?: unknown;
  /**
   * Safe to log and to return to callers: no keys, calldata, recipients, nullifiers or upstream
   * bodies.
   */
  readonly details?: ErrorDetails;
  /** When a new try makes sense, in seconds; becomes the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

/** Base of every error thrown on purpose. Subclasses fix `code` and `kind`. */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  abstract readonly kind: ErrorKind;
  readonly details: ErrorDetails;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** First error in the cause chain accepted by `match`, or undefined. */
export function findCause<T>(
  error: unknown,
  match: (candidate: unknown) => candidate is T,
): T | undefined {
  const seen = new Set<unknown>();
  let current = error;
  while (current !== undefined && current !== null && !seen.has(current)) {
    if (match(current)) return current;
    seen.add(current);
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
}
