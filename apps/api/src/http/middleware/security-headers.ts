import type { RequestHandler } from 'express';

/** What a JSON interface needs: nothing is cached, sniffed, framed or run. Routes may set their own Cache-Control. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};
