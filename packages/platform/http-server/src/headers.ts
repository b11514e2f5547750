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
 * What a JSON interface needs: nothing is sniffed, framed or run. Names and values; the same for
 * all, so they are made once.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = recorded();

function recorded(): [string, string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmetHeaders(request, response, () => {});
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}

/** Browsers ask again whether they may after so long. */
const PREFLIGHT_SECONDS = 600;

/** What pages may read besides the headers that browsers show them anyway. */
const EXPOSED_HEADERS = ['Location', 'Retry-After', 'X-Request-Id', 'Preference-Applied', 'ETag'];

/** Whether pages of any origin may read answers. */
export const isForAny = (origins: readonly string[]): boolean => origins.includes('*');

/**
 * Lets pages of these origins, and no others, read answers; `*` stands for any. Never with
 * credentials, of which public routes take none.
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
 * What an answer says of origins that {@link crossOrigin} has not seen: names and values in turn.
 * A cache must not give one that was made for no origin to a page.
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
