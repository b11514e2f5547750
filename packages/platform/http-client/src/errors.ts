import { domainError } from '@sotto/kernel';

// None of these errors contains a URL, a header or a body. Providers' URLs contain keys, and bodies
// contain users' private data.

/**
 * The deadline passed before the whole response arrived. The upstream may have executed the
 * request.
 */
export class UpstreamTimedOut extends domainError('UPSTREAM_TIMED_OUT') {}

/**
 * No connection was made, or it broke before the whole response arrived. The upstream may have
 * executed the request. `details.reason` is the socket's error code.
 */
export class UpstreamUnreachable extends domainError('UPSTREAM_UNREACHABLE') {}

/**
 * A response with a status other than 2xx, including redirects. `retryAfterSeconds` is the delay
 * that the upstream requested.
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

/** A response with more bytes than the limit. The bytes above the limit were not read. */
export class UpstreamAnswerTooLarge extends domainError('UPSTREAM_ANSWER_TOO_LARGE') {}

/**
 * A request that was not sent because the preceding requests failed consecutively.
 * `retryAfterSeconds` is the time until a trial request is sent.
 */
export class UpstreamPaused extends domainError('UPSTREAM_PAUSED') {}
