import cors from 'cors';
import type { RequestHandler } from 'express';

/** Browsers ask again whether they may after so long. */
const PREFLIGHT_SECONDS = 600;

/** Lets pages of these origins, and no others, read answers. There are no credentials to send. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Content-Type', 'Prefer'],
    exposedHeaders: ['Location', 'Retry-After', 'X-Request-Id', 'Preference-Applied', 'ETag'],
    maxAge: PREFLIGHT_SECONDS,
  });
}
