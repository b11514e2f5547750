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
import type { Fault } from '@sotto/kernel';
import type { z } from 'zod';
import { BridgeMalformed, BridgeTimedOut, BridgeUnavailable } from './errors.js';

/** How a bridge protocol is reached. */
export interface BridgeSettings {
  /** Base address; the paths of the protocol come below it. */
  readonly url: string;
  /** Deadline of a call, its repetitions included. @default 10_000: solvers are asked for offers meanwhile */
  readonly timeoutMs?: number;
  /** For example a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of requests that change nothing. @default 3 attempts */
  readonly retry?: RetryOptions;
  /** @default that of the HTTP client */
  readonly breaker?: BreakerOptions;
}

/** Some times a list of all tokens. */
const MAX_RESPONSE_BYTES = 2 * 2 ** 20;

/** Refusals of which the reason is read. */
export const REFUSALS: readonly number[] = [400, 422];
export const NOT_FOUND = 404;

export function createUpstream({ url, timeoutMs = 10_000, headers = {}, retry, breaker = {} }: BridgeSettings): HttpClient {
  return createHttpClient({
    name: 'the bridge',
    baseUrl: url,
    timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    headers,
    retry: retry ?? { maxAttempts: 3 },
    breaker,
  });
}

/** Status and JSON of the answer; undefined in place of what is no JSON. Failures of the exchange become faults of this package. */
export async function exchanged(
  exchange: Promise<{ readonly status: number; readonly text: string }>,
): Promise<{ readonly status: number; readonly body: unknown }> {
  try {
    const { status, text } = await exchange;
    return { status, body: parseJson(text) };
  } catch (error) {
    throw classifyTransportFailure(error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function classifyTransportFailure(error: unknown): unknown {
  if (error instanceof UpstreamTimedOut) return new BridgeTimedOut('the bridge does not answer in time', { cause: error });
  if (error instanceof UpstreamAnswerTooLarge) return new BridgeMalformed('the bridge answers too much', { cause: error });
  if (error instanceof UpstreamUnreachable) return unavailable('the bridge can not be reached', error);
  if (error instanceof UpstreamPaused) return unavailable('the bridge is left alone after failing', error);
  if (error instanceof UpstreamAnswered) return unavailable('the bridge turns requests away', error);
  return error;
}

function unavailable(message: string, cause: Fault): BridgeUnavailable {
  const { details, retryAfterSeconds } = cause;
  return new BridgeUnavailable(message, { cause, details, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}

/** @throws BridgeMalformed saying only where the value is wrong, not what stands there */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformedAt(parsed.error.issues[0]?.path.join('.') ?? '');
}

export function malformedAt(at: string): BridgeMalformed {
  return new BridgeMalformed('the bridge answers what its protocol does not allow', { details: { at } });
}
