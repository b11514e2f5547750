import { domainError } from '@sotto/kernel';
import type { z } from 'zod';

/**
 * Maximum number of issues in one response. Ten are enough, even if a body has 5,000 invalid
 * elements.
 */
const MAX_ISSUES = 10;
const MAX_ISSUE_TEXT = 200;
/**
 * Matches names that are probably mistyped fields. Other unknown field names are not repeated in
 * the error, because they are text of the caller and may be addresses.
 */
const PLAIN_NAME = /^[A-Za-z_]{1,40}$/;

export interface RequestIssue {
  /** Path in the request, such as `body.calldata.3`. */
  readonly path: string;
  readonly message: string;
}

/** Body, query, path or headers do not match their schema. */
export class InvalidRequest extends domainError('INVALID_REQUEST') {
  constructor(readonly issues: readonly RequestIssue[]) {
    super({ message: 'the request does not match its schema' });
  }

  /** Converts issues that zod found in one part of the request. */
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

export class InvalidJson extends domainError('INVALID_JSON') {}

export class UnsupportedContentType extends domainError('UNSUPPORTED_CONTENT_TYPE') {}

export class BodyTooLarge extends domainError('BODY_TOO_LARGE') {}

export class RouteNotFound extends domainError('ROUTE_NOT_FOUND') {}

export class MethodNotAllowed extends domainError('METHOD_NOT_ALLOWED') {}

/** The caller's address has exceeded its rate limit. */
export class RateLimited extends domainError('RATE_LIMITED') {
  constructor(retryAfterSeconds: number) {
    super({ message: 'too many requests from this address', retryAfterSeconds });
  }
}

/** Too many requests of the caller's address are in flight. */
export class TooManyInFlight extends domainError('TOO_MANY_IN_FLIGHT') {
  constructor(retryAfterSeconds: number) {
    super({ message: 'too many requests from this address are in flight', retryAfterSeconds });
  }
}

/** Error that is returned for a bug. */
export class InternalError extends domainError('INTERNAL') {}
