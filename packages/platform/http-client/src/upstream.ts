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

/** The operator's settings for a JSON upstream. */
export interface UpstreamSettings {
  /** Base address; the paths of the protocol come below it. */
  readonly url: string;
  /** Deadline of a call, its repetitions included. @default that of the adapter */
  readonly timeoutMs?: number;
  /** For example a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of requests that change nothing. @default as many attempts as the adapter makes */
  readonly retry?: RetryOptions;
  /** @default that of the HTTP client */
  readonly breaker?: BreakerOptions;
  /** Receives what an operator should know of the partner. @default none */
  readonly findings?: PartnerFindings;
}

type ErrorClass = new (options: DomainErrorOptions) => DomainError;

/** The errors by which an adapter reports how a call failed. */
export interface UpstreamErrors {
  readonly TimedOut: ErrorClass;
  /** Not reached, cut, left alone after failing, or a status that is no answer. */
  readonly Unavailable: ErrorClass;
  /** An unusable answer; here, one that is too large. */
  readonly Malformed: ErrorClass;
  /** 401 or 403: the operator's key is wrong or missing. @default Unavailable */
  readonly Unauthorized?: ErrorClass;
}

/** What an adapter knows of its upstream. */
export interface UpstreamTraits {
  /** What messages call it, for example `the bridge`. */
  readonly name: string;
  /** Where the settings have no deadline. */
  readonly timeoutMs: number;
  /** Where the settings have no `retry`. */
  readonly maxAttempts: number;
  /** After decompression. */
  readonly maxResponseBytes: number;
  readonly errors: UpstreamErrors;
}

/** An HTTP client with a breaker whose calls reject with the adapter's errors and nothing else. */
export interface Upstream {
  /** Idempotent. */
  get(request: GetRequest): Promise<HttpAnswer>;
  postJson(request: JsonPostRequest): Promise<HttpAnswer>;
  /** Reasons of a refusal as bounded text without the operator's keys; undefined if none. */
  reasonOf(body: unknown): string | undefined;
  /** Counts an element that was left out; needs no `this`. */
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

/** Texts that no reason may repeat: address and host, and each key in the address or a header. */
function secretsOf(url: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const { host, pathname, searchParams, username, password } = new URL(url);
  // A partner may repeat the key of `Bearer key` alone.
  const keys = Object.values(headers).map((value) => value.replace(/^\S+ /, ''));
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const login = [username, password].filter(({ length }) => length >= LEAST_LOGIN);
  return [url, host, ...login, ...keys, ...parts.filter((part) => KEY.test(part))];
}

/** A shorter name or password would stand in most texts. */
const LEAST_LOGIN = 6;
/** A part of an address that can be a key; `v3` and `starknet` are none. */
const KEY = /^(?=.*[0-9]).{12,}$/;

function classifyTransportFailure(
  error: unknown,
  { TimedOut, Unavailable, Malformed, Unauthorized = Unavailable }: UpstreamErrors,
): unknown {
  // The client's messages name the upstream and say nothing that was asked or answered.
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
