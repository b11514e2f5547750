import { z } from 'zod';

const Refusal = z.object({ error: z.string(), code: z.string().optional() });

/** Above the service's own wait for an outcome. */
const ANSWER_TIMEOUT_MS = 60_000;

/** An answer of 2xx. The body is the caller's to parse. */
export interface JsonAnswer {
  readonly headers: Headers;
  readonly body: unknown;
}

/** @throws Error with the other side's own words when it refuses */
export function getJson(url: string): Promise<JsonAnswer> {
  return request(url, {});
}

/** @throws Error with the other side's own words when it refuses */
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
  const { data } = Refusal.safeParse(body);
  const words =
    data === undefined
      ? ''
      : ` ${[data.code, data.error].filter((word) => word !== undefined).join(': ')}`;
  throw new Error(`${new URL(url).pathname} answered ${response.status}${words}`);
}

/** `fetch` whose failure says what could not be reached, and why. */
export async function send(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    const { origin, pathname } = new URL(url);
    throw new Error(`${origin}${pathname} could not be asked: ${reasonOf(cause)}`, { cause });
  }
}

const Failure = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string(),
  cause: z.unknown().optional(),
});

/** The words of the innermost error: "fetch failed" alone helps with nothing. */
function reasonOf(error: unknown): string {
  const { data } = Failure.safeParse(error);
  if (data === undefined) return String(error);
  const words = [data.code, data.message]
    .filter((text) => text !== undefined && text !== '')
    .join(': ');
  return data.cause === undefined ? words : reasonOf(data.cause);
}
