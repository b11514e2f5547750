import type { RequestHandler } from 'express';
import helmet from 'helmet';

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** What a JSON interface needs: nothing is cached, sniffed, framed or run. Routes may set their own Cache-Control. */
export const securityHeaders: readonly RequestHandler[] = [
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
  }),
  noStore,
];
