import {
  ERRORS,
  type DetailsOf,
  type ErrorCode,
  type ErrorEntry,
  type ErrorKind,
} from '@sotto/facts';

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

export interface DomainErrorOptions {
  /** Message in addition to the code's meaning, without any part of a request. */
  readonly message?: string;
  readonly cause?: unknown;
  /**
   * Details that may be logged and returned to callers: no keys, calldata, recipients, nullifiers
   * or upstream bodies.
   */
  readonly details?: ErrorDetails;
  /**
   * Code of the underlying error, such as ENOSPC or an SQLSTATE. The code is logged for the
   * operator, and no caller gets it.
   * @default the first code in the chain of causes
   */
  readonly causeCode?: string | null;
  /**
   * Delay in seconds after which the caller may retry. The HTTP interface returns the delay as the
   * Retry-After header.
   */
  readonly retryAfterSeconds?: number;
}

/**
 * Base class of every error that is thrown on purpose. The classes of this project come from {@link
 * domainError}.
 */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  abstract readonly kind: ErrorKind;
  readonly details: ErrorDetails;
  readonly causeCode: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? {};
    this.causeCode = options.causeCode ?? causeCodeOf(options.cause);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

type EntryOf<Code extends ErrorCode> = (typeof ERRORS)[Code];

/**
 * Options of an error. The retry delay or the details are required if the catalogue entry of the
 * code promises them.
 */
type OptionsOf<Code extends ErrorCode> = Omit<DomainErrorOptions, 'details'> &
  (EntryOf<Code> extends { readonly tellsWhen: true }
    ? { readonly retryAfterSeconds: number }
    : unknown) &
  (DetailsOf<Code> extends infer D extends ErrorDetails
    ? object extends D
      ? { readonly details?: D }
      : { readonly details: D }
    : { readonly details?: ErrorDetails });

type ArgumentsOf<Code extends ErrorCode> =
  object extends OptionsOf<Code> ? [options?: OptionsOf<Code>] : [options: OptionsOf<Code>];

/** Class of errors whose static fields contain the catalogue entry. */
export interface DomainErrorClass<Code extends ErrorCode = ErrorCode> extends ErrorEntry {
  readonly code: Code;
  new (
    ...args: ArgumentsOf<Code>
  ): DomainError & { readonly code: Code; readonly kind: EntryOf<Code>['kind'] };
}

/**
 * Returns the base class of the errors with one code of the catalogue: `class PoolPaused extends
 * domainError('POOL_PAUSED') {}`. The default message is the code's meaning.
 */
export function domainError<const Code extends ErrorCode>(code: Code): DomainErrorClass<Code> {
  const entry: EntryOf<Code> = ERRORS[code];
  return class extends DomainError {
    static readonly code = code;
    static readonly kind = entry.kind;
    static readonly meaning = entry.meaning;
    static readonly remedy = entry.remedy;
    static readonly retry = entry.retry;
    readonly code = code;
    readonly kind: EntryOf<Code>['kind'] = entry.kind;

    constructor(...[options]: ArgumentsOf<Code>) {
      super(options?.message ?? entry.meaning, options);
    }
  };
}

/**
 * Returns true if several reads shared the failed request. Any of these reads may have caused the
 * failure, so it must not be attributed to the upstream.
 */
export function isSharedFailure(error: unknown): boolean {
  return error instanceof DomainError && error.details['shared'] === true;
}

/** Format of failure codes: errno, SQLSTATE, TLS and Node codes. No other text matches. */
const CAUSE_CODE = /^[A-Z0-9][A-Z0-9_]{2,47}$/;

/**
 * Returns the first code in a chain of causes, or null. If an error has several causes, such as a
 * refused connection to each address of a host, the code of the first cause is returned.
 */
export function causeCodeOf(error: unknown): string | null {
  const hasCode = (candidate: unknown): candidate is object => codeIn(candidate) !== null;
  return codeIn(findCause(error, hasCode));
}

/**
 * Returns the code of an error, found by its properties. `instanceof` would fail, because the
 * platform's errors are not instances of the Error class of a test context.
 */
function codeIn(error: unknown): string | null {
  if (error instanceof DomainError) return error.causeCode;
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && CAUSE_CODE.test(error.code))
    return error.code;
  return 'errors' in error && Array.isArray(error.errors) ? causeCodeOf(error.errors[0]) : null;
}

/** Returns the first error in the cause chain that `match` accepts, or undefined. */
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

/**
 * Error if all slots for running and waiting requests are in use. The request was not processed;
 * the caller should retry soon.
 */
export class Overloaded extends domainError('OVERLOADED') {}
