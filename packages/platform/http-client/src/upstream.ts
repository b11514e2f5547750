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
  /** Base address; the paths of the protocol are below it. */
  readonly url: string;
  /** Deadline of a call in ms, including its repetitions. @default that of the adapter */
  readonly timeoutMs?: number;
  /** Headers of every request, for example a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Repetition of requests that change nothing. @default the adapter's number of attempts */
  readonly retry?: RetryOptions;
  /** Circuit breaker. @default that of the HTTP client */
  readonly breaker?: BreakerOptions;
  /** Receives findings about the partner for the operator. @default none */
  readonly findings?: PartnerFindings;
}

type ErrorClass = new (options: DomainErrorOptions) => DomainError;

/** Errors with which an adapter reports a failed call. */
export interface UpstreamErrors {
  readonly TimedOut: ErrorClass;
  /** Unreachable, interrupted, paused after failures, or a failed status. */
  readonly Unavailable: ErrorClass;
  /** Unusable reply; here, one that is too large. */
  readonly Malformed: ErrorClass;
  /** 401 or 403: the operator's key is wrong or missing. @default Unavailable */
  readonly Unauthorized?: ErrorClass;
}

/** Properties of an upstream that its adapter defines. */
export interface UpstreamTraits {
  /** Name in messages, for example `the bridge`. */
  readonly name: string;
  /** Deadline in ms if the settings have none. */
  readonly timeoutMs: number;
  /** Number of attempts if the settings have no `retry`. */
  readonly maxAttempts: number;
  /** Maximum size of a reply in bytes, after decompression. */
  readonly maxResponseBytes: number;
  readonly errors: UpstreamErrors;
}

/** HTTP client with a breaker whose calls reject only with the adapter's errors. */
export interface Upstream {
  /** Sends an idempotent request. */
  get(request: GetRequest): Promise<HttpAnswer>;
  postJson(request: JsonPostRequest): Promise<HttpAnswer>;
  /**
   * Returns the reasons of a refusal as bounded text without the operator's keys; undefined if
   * none.
   */
  reasonOf(body: unknown): string | undefined;
  /** Counts an element that was left out. Can be passed without `this`. */
  readonly leaveOut: LeaveOut;
  /** Closes the idle connections. */
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
 * Returns texts that no reason may repeat: address and host, and each key in the address or a
 * header.
 */
function secretsOf(url: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const { host, pathname, searchParams, username, password } = new URL(url);
  // A partner may repeat only the key of `Bearer key`.
  const keys = Object.values(headers).map((value) => value.replace(/^\S+ /, ''));
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const login = [username, password].filter(({ length }) => length >= LEAST_LOGIN);
  return [url, host, ...login, ...keys, ...parts.filter((part) => KEY.test(part))];
}

/** Minimum length of a name or password that is hidden: a shorter one would occur in most texts. */
const LEAST_LOGIN = 6;
/** Part of an address that can be a key; `v3` and `starknet` can't. */
const KEY = /^(?=.*[0-9]).{12,}$/;

function classifyTransportFailure(
  error: unknown,
  { TimedOut, Unavailable, Malformed, Unauthorized = Unavailable }: UpstreamErrors,
): unknown {
  // The client's messages name the upstream and contain nothing of request or reply.
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
