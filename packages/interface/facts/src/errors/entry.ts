/**
 * What went wrong, in the caller's terms, and the HTTP status of it: nothing else makes a status of
 * an error.
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
 * What a caller that got an error does with its request; every failure's body has one of the keys.
 */
export const RETRIES = {
  same: 'The same request may be sent again: after `Retry-After` where the answer carries it, else soon, and each time later.',
  later:
    'The same request may succeed once what the meaning names has changed; `details` may say when.',
  'new-quote': 'A new quote or fee estimate is needed, and a new proof where its fee differs.',
  'new-proof': 'A new proof is needed, made as the remedy says.',
  never:
    'The same request fails however often it is sent; the remedy says what to change, or where else to turn.',
} as const;

export type Retry = keyof typeof RETRIES;

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const RETRY_WORDS = Object.keys(RETRIES) as readonly Retry[];

/** What JSON has for a detail; one with `?` may be left out. Amounts are text, as everywhere. */
export type DetailKind = 'text' | 'text?' | 'number';

/** What there is to say about the errors with one code. */
export interface ErrorEntry {
  readonly kind: ErrorKind;
  /**
   * One sentence or two. Also the message of errors that have none of their own, so nothing of a
   * request can get into it.
   */
  readonly meaning: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  readonly retry: Retry;
  /** Every answer with this code carries `Retry-After`. @default only where the time is known */
  readonly tellsWhen?: true;
  /** What `details` of every answer with this code holds. @default it may hold anything */
  readonly details?: Readonly<Record<string, DetailKind>>;
}

export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
