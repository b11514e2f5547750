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

/** What a caller that got an error does with its request; a program may switch on the keys. */
export const RETRIES = {
  never: 'No request to this service gets what this one asked for.',
  changed: 'The same request fails again; one that is changed as the remedy says may succeed.',
  later:
    'The same request may succeed once what the meaning names has changed; `details` may say when.',
  after:
    'The same request may be sent again after the seconds in `Retry-After`, which every answer with such a code carries.',
  same: 'The same request may be sent again: after `Retry-After` where the answer carries it, else soon, and each time later.',
} as const;

export type Retry = keyof typeof RETRIES;

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
}

export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;
