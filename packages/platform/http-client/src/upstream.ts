import type { DomainError, DomainErrorOptions } from '@sotto/kernel';
import type { BreakerOptions } from './breaker.js';
import {
  UpstreamAnswerTooLarge,
  UpstreamAnswered,
  UpstreamPaused,
  UpstreamTimedOut,
  UpstreamUnreachable,
} from './errors.js';
import {
  createHttpClient,
  type GetRequest,
  type HttpAnswer,
  type JsonPostRequest,
} from './http-client.js';
import type { LeaveOut } from './parse-answer.js';
import { UNAUTHORIZED, type PartnerFindings } from './partner-findings.js';
import type { RetryOptions } from './retry.js';
import { statedReason } from './stated-reason.js';

/** Operator's settings for a JSON upstream. */
export interface UpstreamSettings {
  /** Base URL of the upstream. The paths of its protocol are below this URL. */
  readonly url: string;
  /** Deadline of a call in ms, including its retries. @default the adapter's deadline */
  readonly timeoutMs?: number;
  /** Headers of every request, for example an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Rules for retrying idempotent requests. @default only the adapter's maximum number of attempts
   */
  readonly retry?: RetryOptions;
  /** Options of the circuit breaker. @default the HTTP client's default options */
  readonly breaker?: BreakerOptions;
  /** Collects findings about the partner for the operator. @default none */
  readonly findings?: PartnerFindings;
}

type ErrorClass = new (options: DomainErrorOptions) => DomainError;

/** Error classes with which an adapter reports a failed call. */
export interface UpstreamErrors {
  readonly TimedOut: ErrorClass;
  /**
   * The upstream is unreachable, the connection broke, the breaker is open, or the status is an
   * error.
   */
  readonly Unavailable: ErrorClass;
  /** The response is unusable. This module reports only a response that is too large. */
  readonly Malformed: ErrorClass;
  /** The status is 401 or 403: the operator's key is wrong or missing. @default Unavailable */
  readonly Unauthorized?: ErrorClass;
}

/** Properties of an upstream that the adapter defines. */
export interface UpstreamTraits {
  /** Name of the upstream in messages, for example `the bridge`. */
  readonly name: string;
  /** Deadline of a call in ms if the settings contain none. */
  readonly timeoutMs: number;
  /** Maximum number of requests of one call if the settings have no `retry`. */
  readonly maxAttempts: number;
  /** Maximum size of a response in bytes, after decompression. */
  readonly maxResponseBytes: number;
  readonly errors: UpstreamErrors;
}

/** HTTP client with a breaker, which rejects only with the adapter's errors. */
export interface Upstream {
  /** Sends a GET, which is always idempotent. */
  get(request: GetRequest): Promise<HttpAnswer>;
  postJson(request: JsonPostRequest): Promise<HttpAnswer>;
  /**
   * Returns the reasons in the body of a rejection, as shortened text without the operator's keys.
   * Undefined if no reason is left.
   */
  reasonOf(body: unknown): string | undefined;
  /** Counts a skipped element. The method can be passed as a callback without `this`. */
  readonly leaveOut: LeaveOut;
  /** Closes the idle connections to the upstream. */
  close(): void;
}

export function createUpstream(traits: UpstreamTraits, settings: UpstreamSettings): Upstream {
  const { name, maxAttempts, maxResponseBytes, errors } = traits;
  const {
    url,
    timeoutMs = traits.timeoutMs,
    headers = {},
    retry = { maxAttempts },
    breaker = {},
    findings,
  } = settings;
  const http = createHttpClient({
    name,
    baseUrl: url,
    timeoutMs,
    maxResponseBytes,
    headers,
    retry,
    breaker,
  });
  const hidden = secretsOf(url, headers);
  const rejectWithAdapterErrors = async (exchange: Promise<HttpAnswer>): Promise<HttpAnswer> => {
    try {
      const answer = await exchange;
      findings?.answered(answer.status);
      return answer;
    } catch (error) {
      if (error instanceof UpstreamAnswered) findings?.answered(error.status);
      throw classifyTransportFailure(error, errors);
    }
  };
  return {
    get: async (request) => rejectWithAdapterErrors(http.get(request)),
    postJson: async (request) => rejectWithAdapterErrors(http.postJson(request)),
    reasonOf: (body) => statedReason(body, hidden),
    leaveOut: (at) => findings?.leaveOut(at),
    close: () => http.close(),
  };
}

/**
 * Returns the texts that must not appear in any reason: the URL, its host, and each key in the URL
 * or in a header.
 */
function secretsOf(url: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const { host, pathname, searchParams, username, password } = new URL(url);
  // The scheme is removed from the key, because a partner may repeat only the key of `Bearer key`.
  const keys = Object.values(headers).map((value) => value.replace(/^\S+ /, ''));
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const login = [username, password].filter(({ length }) => length >= LEAST_LOGIN);
  return [url, host, ...login, ...keys, ...parts.filter((part) => KEY.test(part))];
}

/**
 * Minimum length of a user name or password that is hidden. A shorter one would occur in most
 * texts.
 */
const LEAST_LOGIN = 6;
/** Matches a part of a URL that may be a key. Parts such as `v3` and `starknet` do not match. */
const KEY = /^(?=.*[0-9]).{12,}$/;

function classifyTransportFailure(
  error: unknown,
  { TimedOut, Unavailable, Malformed, Unauthorized = Unavailable }: UpstreamErrors,
): unknown {
  // The messages of the HTTP client contain the name of the upstream, but nothing from the request
  // or response.
  if (error instanceof UpstreamTimedOut)
    return new TimedOut({ message: error.message, cause: error });
  if (error instanceof UpstreamAnswerTooLarge)
    return new Malformed({ message: error.message, cause: error });
  if (
    error instanceof UpstreamUnreachable ||
    error instanceof UpstreamPaused ||
    error instanceof UpstreamAnswered
  ) {
    const { message, details, retryAfterSeconds } = error;
    const isUnauthorized = error instanceof UpstreamAnswered && UNAUTHORIZED.has(error.status);
    return new (isUnauthorized ? Unauthorized : Unavailable)({
      message,
      cause: error,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  return error;
}
