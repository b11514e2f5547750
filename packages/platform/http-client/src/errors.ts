import { domainError } from '@sotto/kernel';

// None of these errors contains a URL, a header or a body of the exchange: provider URLs contain
// keys, and bodies contain users' private data.

/** The deadline passed before the whole reply arrived. The request may have had its effect. */
export class UpstreamTimedOut extends domainError('UPSTREAM_TIMED_OUT') {}

/**
 * No connection, or it broke before the whole reply arrived. The request may have had its effect.
 * `details.reason` is the socket's error code.
 */
export class UpstreamUnreachable extends domainError('UPSTREAM_UNREACHABLE') {}

/**
 * Reply with a status other than 2xx, including redirects. `retryAfterSeconds` is the wait that the
 * upstream requested.
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

/** Reply with more bytes than the limit; the rest was not read. */
export class UpstreamAnswerTooLarge extends domainError('UPSTREAM_ANSWER_TOO_LARGE') {}

/**
 * Request that was not sent, because earlier requests failed consecutively. `retryAfterSeconds` is
 * the time until a trial request is let through.
 */
export class UpstreamPaused extends domainError('UPSTREAM_PAUSED') {}
