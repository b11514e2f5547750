import { domainError } from '@sotto/kernel';

// None of these ever carries a URL, a header, or a body of the exchange: provider URLs hold keys,
// bodies hold what users want kept private.

/** The deadline passed before the whole answer was there. The request may have had its effect. */
export class UpstreamTimedOut extends domainError('UPSTREAM_TIMED_OUT') {}

/**
 * No connection, or it broke before the whole answer was there. The request may have had its
 * effect. `details.reason` is the socket's error code.
 */
export class UpstreamUnreachable extends domainError('UPSTREAM_UNREACHABLE') {}

/**
 * An answer whose status is not 2xx; redirects are such answers too. `retryAfterSeconds` is what
 * the upstream asked for.
 */
export class UpstreamAnswered extends domainError('UPSTREAM_ANSWERED') {
  constructor(
    message: string,
    readonly status: number,
    retryAfterSeconds: number | undefined,
  ) {
    super({
      message,
      details: { status },
      causeCode: `HTTP_${status}`,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** More bytes than the limit; the rest was not read. */
export class UpstreamAnswerTooLarge extends domainError('UPSTREAM_ANSWER_TOO_LARGE') {}

/**
 * Not asked: the requests before failed in a row. `retryAfterSeconds` is when one will be let
 * through to try it again.
 */
export class UpstreamPaused extends domainError('UPSTREAM_PAUSED') {}
