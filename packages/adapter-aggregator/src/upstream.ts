import {
  UpstreamAnswerTooLarge,
  UpstreamAnswered,
  UpstreamPaused,
  UpstreamTimedOut,
  UpstreamUnreachable,
  createHttpClient,
  type BreakerOptions,
  type HttpClient,
  type RetryOptions,
} from '@sotto/http-client';
import type { z } from 'zod';
import { AggregatorMalformed, AggregatorTimedOut, AggregatorUnavailable } from './errors.js';

/** How an HTTP upstream of this package is reached. */
export interface UpstreamSettings {
  /** Base address; the paths of the protocol come below it. */
  readonly url: string;
  /** Deadline of a call, its repetitions included. @default 5_000 */
  readonly timeoutMs?: number;
  /** For example a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default 3 attempts */
  readonly retry?: RetryOptions;
  /** @default that of the HTTP client */
  readonly breaker?: BreakerOptions;
}

/** Some tens of times what a long list of quotes takes. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

export function createUpstream(name: string, { url, timeoutMs = 5_000, headers = {}, retry, breaker = {} }: UpstreamSettings): HttpClient {
  return createHttpClient({
    name,
    baseUrl: url,
    timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    headers,
    retry: retry ?? { maxAttempts: 3 },
    breaker,
  });
}

/** What the exchange comes to; its failures become faults of this package. */
export async function exchanged<T>(exchange: Promise<T>): Promise<T> {
  try {
    return await exchange;
  } catch (error) {
    throw classifyTransportFailure(error);
  }
}

function classifyTransportFailure(error: unknown): unknown {
  // The client's messages name the upstream and say nothing that was asked or answered.
  if (error instanceof UpstreamTimedOut) return new AggregatorTimedOut(error.message, { cause: error });
  if (error instanceof UpstreamAnswerTooLarge) return new AggregatorMalformed(error.message, { cause: error });
  if (error instanceof UpstreamUnreachable || error instanceof UpstreamPaused || error instanceof UpstreamAnswered) {
    const { message, details, retryAfterSeconds } = error;
    return new AggregatorUnavailable(message, { cause: error, details, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  }
  return error;
}

/** @throws AggregatorMalformed saying only where the value is wrong, not what stands there */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new AggregatorMalformed('the aggregator answers what its protocol does not allow', { details: { at } });
}
