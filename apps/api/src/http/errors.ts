import { DomainError, type ErrorEntry, type ErrorKind } from '@sotto/kernel';
import { Overloaded } from '@sotto/relayer-core';
import type { z } from 'zod';
import {
  CuratorDisabled,
  CuratorUnauthorized,
  OperatorDisabled,
  OperatorUnauthorized,
} from './service-errors.js';

/** The only place where a kind of failure becomes an HTTP status. */
export const STATUS_BY_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
  timeout: 504,
};

/**
 * Longest list of issues in one answer: a body of 5,000 wrong elements is wrong enough with ten.
 */
const MAX_ISSUES = 10;
const MAX_ISSUE_TEXT = 200;
/**
 * What a mistyped field looks like. Other names of unknown fields are not repeated: they are text
 * of the caller's, and may be addresses.
 */
const PLAIN_NAME = /^[A-Za-z_]{1,40}$/;

export interface RequestIssue {
  /** Where in the request, such as `body.calldata.3`. */
  readonly path: string;
  readonly message: string;
}

/** Body, query, path or headers do not match their schema. */
export class InvalidRequest extends DomainError {
  readonly code = 'INVALID_REQUEST';
  readonly kind = 'invalid';

  constructor(readonly issues: readonly RequestIssue[]) {
    super('the request does not match its schema');
  }

  /** From what zod found in one part of the request. */
  static from({ issues }: z.ZodError, part: string): InvalidRequest {
    return new InvalidRequest(
      issues.slice(0, MAX_ISSUES).map((issue) => ({
        path: [part, ...issue.path].join('.').slice(0, MAX_ISSUE_TEXT),
        message: messageOf(issue).slice(0, MAX_ISSUE_TEXT),
      })),
    );
  }
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const names = issue.keys.filter((key) => PLAIN_NAME.test(key));
  return names.length === 0 ? 'has an unknown field' : `has an unknown field: ${names.join(', ')}`;
}

export class InvalidJson extends DomainError {
  readonly code = 'INVALID_JSON';
  readonly kind = 'invalid';
}

export class UnsupportedContentType extends DomainError {
  readonly code = 'UNSUPPORTED_CONTENT_TYPE';
  readonly kind = 'invalid';
}

export class BodyTooLarge extends DomainError {
  readonly code = 'BODY_TOO_LARGE';
  readonly kind = 'too_large';
}

export class RouteNotFound extends DomainError {
  readonly code = 'ROUTE_NOT_FOUND';
  readonly kind = 'not_found';
}

export class MethodNotAllowed extends DomainError {
  readonly code = 'METHOD_NOT_ALLOWED';
  readonly kind = 'not_allowed';
}

/** The caller has used up what one address may ask for in a minute. */
export class RateLimited extends DomainError {
  readonly code = 'RATE_LIMITED';
  readonly kind = 'rate_limited';

  constructor(retryAfterSeconds: number) {
    super('too many requests from this address', { retryAfterSeconds });
  }
}

/** As many requests of the caller's address are under way as may. */
export class TooManyInFlight extends DomainError {
  readonly code = 'TOO_MANY_IN_FLIGHT';
  readonly kind = 'rate_limited';

  constructor(retryAfterSeconds: number) {
    super('too many requests from this address are under way', { retryAfterSeconds });
  }
}

/** This instance has no aggregator or no swap pool to swap with. */
export class PrivateSwapDisabled extends DomainError {
  readonly code = 'PRIVATE_SWAP_DISABLED';
  readonly kind = 'unavailable';
}

/** Code of every answer to a bug. */
export const INTERNAL = 'INTERNAL';

/** Errors of the HTTP boundary, by what about a route makes them possible. */
export const BOUNDARY_ERRORS = {
  body: [
    {
      code: 'INVALID_JSON',
      kind: 'invalid',
      meaning: 'The body is not JSON.',
      remedy: 'Send a JSON object.',
    },
    {
      code: 'UNSUPPORTED_CONTENT_TYPE',
      kind: 'invalid',
      meaning:
        'The body is not marked as JSON, or is in a character set or compression that is not supported.',
      remedy:
        'Send `Content-Type: application/json` and UTF-8, uncompressed or with gzip, deflate or br.',
    },
    {
      code: 'BODY_TOO_LARGE',
      kind: 'too_large',
      meaning: 'The body is larger than this route takes.',
      remedy: 'Send at most `details.limitBytes`: a withdrawal has about 52 KiB.',
    },
  ],
  input: [
    {
      code: 'INVALID_REQUEST',
      kind: 'invalid',
      meaning:
        'Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.',
      remedy: 'See `details.issues`: each has a `path` and a `message`.',
    },
  ],
  felts: [
    {
      code: 'INVALID_FELT',
      kind: 'invalid',
      meaning:
        'A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.',
      remedy: 'Correct the text at `details.path`.',
    },
  ],
  limited: [
    {
      code: 'RATE_LIMITED',
      kind: 'rate_limited',
      meaning: 'Your address has used up its requests of this minute.',
      remedy: 'Try again after `Retry-After`.',
    },
  ],
  inFlight: [
    {
      code: 'TOO_MANY_IN_FLIGHT',
      kind: 'rate_limited',
      meaning: 'As many requests of your address are under way as may be at a time.',
      remedy:
        'Wait until some are answered, or send `Prefer: respond-async` and look at the submission later.',
    },
    {
      code: Overloaded.code,
      kind: Overloaded.kind,
      meaning: Overloaded.meaning,
      remedy: Overloaded.remedy,
    },
  ],
  privateSwap: [
    {
      code: 'PRIVATE_SWAP_DISABLED',
      kind: 'unavailable',
      meaning: 'This relayer does not swap.',
      remedy:
        'Withdraw without a swap, or use another relayer; `GET /api/relayer/pools` shows whether one swaps.',
    },
  ],
  curator: [CuratorUnauthorized, CuratorDisabled],
  operator: [OperatorUnauthorized, OperatorDisabled],
  always: [
    {
      code: INTERNAL,
      kind: 'internal',
      meaning: 'A defect of the service.',
      remedy: 'Report it with the `requestId`.',
    },
  ],
  noRoute: [
    {
      code: 'ROUTE_NOT_FOUND',
      kind: 'not_found',
      meaning: 'There is no such path.',
      remedy: 'See `GET /openapi.json`.',
    },
    {
      code: 'METHOD_NOT_ALLOWED',
      kind: 'not_allowed',
      meaning: 'The path exists, but not with this method.',
      remedy: 'Use a method that the `Allow` header names.',
    },
  ],
} as const satisfies Readonly<Record<string, readonly ErrorEntry[]>>;
