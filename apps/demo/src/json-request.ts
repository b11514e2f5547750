import { z } from 'zod';

const Rejection = z.object({ error: z.string(), code: z.string().optional() });

/**
 * Timeout in ms, which is longer than the time for which the service waits for the outcome of a
 * request.
 */
const ANSWER_TIMEOUT_MS = 60_000;

/** A response with a status of 2xx. The caller parses its body. */
export interface JsonAnswer {
  readonly headers: Headers;
  readonly body: unknown;
}

/** @throws Error containing the server's message if the server rejects the request */
export function getJson(url: string): Promise<JsonAnswer> {
  return request(url, {});
}

/** @throws Error containing the server's message if the server rejects the request */
export function postJson(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  return request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function request(url: string, init: RequestInit): Promise<JsonAnswer> {
  const response = await send(url, init, ANSWER_TIMEOUT_MS);
  const body: unknown = await response.json();
  if (response.ok) return { headers: response.headers, body };
  const { data } = Rejection.safeParse(body);
  const words =
    data === undefined
      ? ''
      : ` ${[data.code, data.error].filter((word) => word !== undefined).join(': ')}`;
  throw new Error(`${new URL(url).pathname} answered ${response.status}${words}`);
}

/** Calls `fetch`. If it fails, the error contains the unreachable URL and the reason. */
export async function send(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    const { origin, pathname } = new URL(url);
    throw new Error(`${origin}${pathname} could not be reached: ${reasonOf(cause)}`, { cause });
  }
}

const Failure = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string(),
  cause: z.unknown().optional(),
});

/**
 * Returns the message of the innermost error, because "fetch failed" does not explain the failure.
 */
function reasonOf(error: unknown): string {
  const { data } = Failure.safeParse(error);
  if (data === undefined) return String(error);
  const words = [data.code, data.message]
    .filter((text) => text !== undefined && text !== '')
    .join(': ');
  return data.cause === undefined ? words : reasonOf(data.cause);
}
