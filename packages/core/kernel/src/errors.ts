import {
  ERRORS,
  type DetailsOf,
  type ErrorCode,
  type ErrorEntry,
  type ErrorKind,
} from '@sotto/facts';

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

export interface DomainErrorOptions {
  /** Says more than the meaning of the code. Nothing of a request may stand in it. */
  readonly message?: string;
  readonly cause?: unknown;
  /**
   * Safe to log and to return to callers: no keys, calldata, recipients, nullifiers or upstream
   * bodies.
   */
  readonly details?: ErrorDetails;
  /**
   * Code of what went wrong underneath, such as ENOSPC or an SQLSTATE. For the operator: it is
   * logged, and no caller gets it.
   * @default the first code in the chain of causes
   */
  readonly causeCode?: string | null;
  /** When a new try makes sense, in seconds; becomes the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

/** Base of every error thrown on purpose. Ours come from {@link domainError}. */
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

/** An error that promises a Retry-After, or details, is made with them. */
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

/** A class of errors, with its entry of the catalogue in static fields. */
export interface DomainErrorClass<Code extends ErrorCode = ErrorCode> extends ErrorEntry {
  readonly code: Code;
  new (
    ...args: ArgumentsOf<Code>
  ): DomainError & { readonly code: Code; readonly kind: EntryOf<Code>['kind'] };
}

/**
 * The base class of the errors with one code of the catalogue: `class PoolPaused extends
 * domainError('POOL_PAUSED') {}`. Its message is the meaning, unless the options have one.
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
 * True if the failure is of a request that several reads shared: another read may have caused it,
 * so it is no failure of the upstream.
 */
export function isSharedFailure(error: unknown): boolean {
  return error instanceof DomainError && error.details['shared'] === true;
}

/** A constant that names a failure: errno, SQLSTATE, TLS and Node codes. Nothing else passes. */
const CAUSE_CODE = /^[A-Z0-9][A-Z0-9_]{2,47}$/;

/**
 * The first code in a chain of causes, or null. Of an error with several, such as a refused
 * connection to each address of a host, the first one's.
 */
export function causeCodeOf(error: unknown): string | null {
  const hasCode = (candidate: unknown): candidate is object => codeIn(candidate) !== null;
  return codeIn(findCause(error, hasCode));
}

/** By its shape: the platform's errors are not of the class that a test's context has. */
function codeIn(error: unknown): string | null {
  if (error instanceof DomainError) return error.causeCode;
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && CAUSE_CODE.test(error.code))
    return error.code;
  return 'errors' in error && Array.isArray(error.errors) ? causeCodeOf(error.errors[0]) : null;
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

/** As much runs and waits as may. Nothing was looked at; the caller tries again soon. */
export class Overloaded extends domainError('OVERLOADED') {}
