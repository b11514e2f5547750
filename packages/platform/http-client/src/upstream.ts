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
import type { RetryOptions } from './retry.js';

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
}

type ErrorClass = new (message: string, options: DomainErrorOptions) => DomainError;

/** The errors by which an adapter reports how a call failed. */
export interface UpstreamErrors {
  readonly TimedOut: ErrorClass;
  /** Not reached, cut, left alone after failing, or a status that is no answer. */
  readonly Unavailable: ErrorClass;
  /** An unusable answer; here, one that is too large. */
  readonly Malformed: ErrorClass;
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
  const rejectWithAdapterErrors = async <T>(exchange: Promise<T>): Promise<T> => {
    try {
      return await exchange;
    } catch (error) {
      throw classifyTransportFailure(error, errors);
    }
  };
  return {
    get: async (request) => rejectWithAdapterErrors(http.get(request)),
    postJson: async (request) => rejectWithAdapterErrors(http.postJson(request)),
    close: () => http.close(),
  };
}

function classifyTransportFailure(
  error: unknown,
  { TimedOut, Unavailable, Malformed }: UpstreamErrors,
): unknown {
  // The client's messages name the upstream and say nothing that was asked or answered.
  if (error instanceof UpstreamTimedOut) return new TimedOut(error.message, { cause: error });
  if (error instanceof UpstreamAnswerTooLarge)
    return new Malformed(error.message, { cause: error });
  if (
    error instanceof UpstreamUnreachable ||
    error instanceof UpstreamPaused ||
    error instanceof UpstreamAnswered
  ) {
    const { message, details, retryAfterSeconds } = error;
    return new Unavailable(message, {
      cause: error,
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  return error;
}
