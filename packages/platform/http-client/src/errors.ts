import { DomainError } from '@sotto/kernel';

// None of these ever carries a URL, a header, or a body of the exchange: provider URLs hold keys,
// bodies hold what users want kept private.

/** The deadline passed before the whole answer was there. The request may have had its effect. */
export class UpstreamTimedOut extends DomainError {
  readonly code = 'UPSTREAM_TIMED_OUT';
  readonly kind = 'timeout';
}

/**
 * No connection, or it broke before the whole answer was there. The request may have had its
 * effect. `details.reason` is the socket's error code.
 */
export class UpstreamUnreachable extends DomainError {
  readonly code = 'UPSTREAM_UNREACHABLE';
  readonly kind = 'unavailable';
}

/**
 * An answer whose status is not 2xx; redirects are such answers too. `retryAfterSeconds` is what
 * the upstream asked for.
 */
export class UpstreamAnswered extends DomainError {
  readonly code = 'UPSTREAM_ANSWERED';
  readonly kind = 'upstream_failed';

  constructor(
    message: string,
    readonly status: number,
    retryAfterSeconds: number | undefined,
  ) {
    super(message, {
      details: { status },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** More bytes than the limit; the rest was not read. */
export class UpstreamAnswerTooLarge extends DomainError {
  readonly code = 'UPSTREAM_ANSWER_TOO_LARGE';
  readonly kind = 'upstream_failed';
}

/**
 * Not asked: the requests before failed in a row. `retryAfterSeconds` is when one will be let
 * through to try it again.
 */
export class UpstreamPaused extends DomainError {
  readonly code = 'UPSTREAM_PAUSED';
  readonly kind = 'unavailable';
}
