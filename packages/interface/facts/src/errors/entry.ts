/**
 * HTTP status by kind of error, from the caller's point of view. No other part of the code maps an
 * error to a status.
 */
export const STATUS_BY_KIND = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  too_large: 413,
  unprocessable: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorKind = keyof typeof STATUS_BY_KIND;

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const ERROR_KINDS = Object.keys(STATUS_BY_KIND) as readonly ErrorKind[];

/**
 * Possible reactions of a caller to an error. The field `retry` in the body of every failure is one
 * of the keys.
 */
export const RETRIES = {
  same: 'The same request may be sent again: after `Retry-After` where the answer carries it, else soon, and each time later.',
  later:
    'The same request may succeed once the condition that the meaning names has changed; `details` may contain the time.',
  'new-quote': 'A new quote or fee estimate is needed, and a new proof where its fee differs.',
  'new-proof': 'A new proof is needed, made as the remedy describes.',
  never:
    'The same request fails however often it is sent; the remedy names the necessary change, or an alternative.',
} as const;

export type Retry = keyof typeof RETRIES;

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const RETRY_WORDS = Object.keys(RETRIES) as readonly Retry[];

/** JSON type of a field in `details`; a type with `?` is optional. Amounts are decimal text. */
export type DetailKind = 'text' | 'text?' | 'number';

/** Documentation of the errors with one code. */
export interface ErrorEntry {
  readonly kind: ErrorKind;
  /**
   * Meaning of the error, in one or two sentences. If an error is created without a message, this
   * text is its message. Therefore the text can contain no data of a request.
   */
  readonly meaning: string;
  /** Advice to the caller on how to resolve the error. */
  readonly remedy: string;
  readonly retry: Retry;
  /**
   * Set if every reply with this code carries `Retry-After`. @default the header is sent only if
   * the time is known
   */
  readonly tellsWhen?: true;
  /** Fields of `details` in every reply with this code. @default any fields are allowed */
  readonly details?: Readonly<Record<string, DetailKind>>;
}

export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
