import { STATUS_CODES, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { send, sendJson, sendText, type Answer } from './server.js';

/**
 * Fault of a request to any HTTP interface.
 *
 * - `rate-limited`: HTTP 429 in plain text, with a Retry-After header if seconds are given.
 * - `html`: an HTML page, by default with HTTP 502.
 * - `answer`: HTTP 200 with a given body.
 * - `late`: the regular response after `delayMs`.
 * - `cut`: the connection breaks without a response.
 */
export type HttpFault =
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'html'; readonly status?: number | undefined }
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'cut' };

/** Schemas that parse an {@link HttpFault} from JSON, as members of a discriminated union. */
export const HTTP_FAULTS = [
  z.strictObject({
    kind: z.literal('rate-limited'),
    retryAfterSeconds: z.int().nonnegative().optional(),
  }),
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).optional() }),
  z.strictObject({ kind: z.literal('answer'), body: z.json() }),
  z.strictObject({ kind: z.literal('late'), delayMs: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('cut') }),
] as const;

/** Sends an error page such as reverse proxies send. */
export function sendPage(response: ServerResponse, contentType: string, status = 502): void {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  send(
    response,
    status,
    contentType,
    `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  );
}

/**
 * Applies a fault to a request. `answer` is the response that the request would receive without the
 * fault.
 */
export async function misbehave(
  response: ServerResponse,
  fault: HttpFault,
  answer: () => Answer,
): Promise<void> {
  switch (fault.kind) {
    case 'rate-limited':
      if (fault.retryAfterSeconds !== undefined)
        response.setHeader('Retry-After', String(fault.retryAfterSeconds));
      sendText(response, 429, 'Too Many Requests');
      return;
    case 'html':
      sendPage(response, 'text/html; charset=utf-8', fault.status);
      return;
    case 'answer':
      send(response, 200, 'application/json; charset=utf-8', JSON.stringify(fault.body));
      return;
    case 'cut':
      response.destroy();
      return;
    case 'late':
      await sleep(fault.delayMs, undefined, { ref: false });
      sendJson(response, answer());
  }
}
