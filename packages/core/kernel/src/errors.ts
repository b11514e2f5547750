import {
  ERRORS,
  type DetailsOf,
  type ErrorCode,
  type ErrorEntry,
  type ErrorKind,
} from '@sotto/facts';

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

export interface DomainErrorOptions {
  /** Adds details to the meaning of the code. Must not contain anything of a request. */
  readonly message?: string;
  readonly cause?: unknown;
  /**
   * Details that may be logged and returned to callers: no keys, calldata, recipients, nullifiers
   * or upstream bodies.
   */
  readonly details?: ErrorDetails;
  /**
   * Code of the underlying error, such as ENOSPC or an SQLSTATE. For the operator: it is logged,
   * and no caller gets it.
   * @default the first code in the chain of causes
   */
  readonly causeCode?: string | null;
  /** Delay after which a new try makes sense, in seconds; becomes the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

/** Base of every error thrown on purpose. Our classes come from {@link domainError}. */
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

/** Options of an error. A Retry-After or details are required if its entry promises them. */
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

/** Class of errors, with its catalogue entry in static fields. */
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
 * True if the failed request was shared by several reads. Another read may have caused the failure,
 * so it is not the upstream's.
 */
export function isSharedFailure(error: unknown): boolean {
  return error instanceof DomainError && error.details['shared'] === true;
}

/** Code of a failure: errno, SQLSTATE, TLS and Node codes. No other text matches. */
const CAUSE_CODE = /^[A-Z0-9][A-Z0-9_]{2,47}$/;

/**
 * Returns the first code in a chain of causes, or null. For an error with several causes, such as a
 * refused connection to each address of a host, this is the code of the first one.
 */
export function causeCodeOf(error: unknown): string | null {
  const hasCode = (candidate: unknown): candidate is object => codeIn(candidate) !== null;
  return codeIn(findCause(error, hasCode));
}

/**
 * Finds the code by the error's shape: the platform's errors are not instances of a test context's
 * class.
 */
function codeIn(error: unknown): string | null {
  if (error instanceof DomainError) return error.causeCode;
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && CAUSE_CODE.test(error.code))
    return error.code;
  return 'errors' in error && Array.isArray(error.errors) ? causeCodeOf(error.errors[0]) : null;
}

/** Returns the first error in the cause chain accepted by `match`, or undefined. */
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
 * All slots for running and waiting work are used. The request was not processed; the caller should
 * retry soon.
 */
export class Overloaded extends domainError('OVERLOADED') {}
