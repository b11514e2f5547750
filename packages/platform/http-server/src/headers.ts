import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
});

/**
 * Security headers of a JSON interface: no sniffing, framing or scripts. Names and values, which
 * are equal for all replies and so created once.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = recorded();

function recorded(): [string, string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmetHeaders(request, response, () => {});
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}

/** Time in seconds for which browsers may cache the result of a preflight. */
const PREFLIGHT_SECONDS = 600;

/** Headers that pages may read, in addition to those that browsers always expose. */
const EXPOSED_HEADERS = ['Location', 'Retry-After', 'X-Request-Id', 'Preference-Applied', 'ETag'];

/** True if pages of any origin may read replies. */
export const isForAny = (origins: readonly string[]): boolean => origins.includes('*');

/**
 * Lets only pages of these origins read replies; `*` means any. Never with credentials; public
 * routes accept none.
 */
export function crossOrigin(
  origins: readonly string[],
  requestHeaders: readonly string[],
): RequestHandler {
  return cors({
    origin: isForAny(origins) ? '*' : [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Content-Type', ...requestHeaders],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}

/**
 * Returns the CORS headers of a reply that did not pass {@link crossOrigin}: names and values
 * alternately. A cache must not send a reply that was created without an origin to a page.
 */
export function headersForOrigins(origins: readonly string[]): readonly string[] {
  if (origins.length === 0) return [];
  if (!isForAny(origins)) return ['Vary', 'Origin'];
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    EXPOSED_HEADERS.join(','),
  ];
}
