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
 * Names and values of the security headers of a JSON interface, which forbid sniffing, framing and
 * scripts. The list is created once, because all responses have the same security headers.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = recorded();

function recorded(): [string, string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmetHeaders(request, response, () => {});
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}

/** Time for which browsers may cache the result of a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

/** Response headers that pages may read, in addition to those that browsers always expose. */
const EXPOSED_HEADERS = ['Location', 'Retry-After', 'X-Request-Id', 'Preference-Applied', 'ETag'];

/** Returns true if pages of any origin may read responses. */
export const isForAny = (origins: readonly string[]): boolean => origins.includes('*');

/**
 * Creates middleware that allows only pages of these origins to read responses; `*` means any
 * origin. Browsers send no credentials for such pages, and public routes accept no credentials.
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
 * Returns the CORS headers of a response that does not pass through {@link crossOrigin}, as names
 * and values in alternation. If a response was created for a request without an origin, these
 * headers prevent caches from sending it to a page.
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
