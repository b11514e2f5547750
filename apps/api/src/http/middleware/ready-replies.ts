import type { RequestHandler } from 'express';
import type { KeptRoute, Route } from '../define-route.js';
import { sendReady } from '../ready-reply.js';
import type { LimitedGroup, Limiter } from './rate-limits.js';

interface ReadyRoute {
  readonly path: string;
  readonly limiter: Limiter;
  readonly kept: KeptRoute;
}

/**
 * Answers reads whose answers are held, before anything else is done for them. What is not held, over the caller's budget, or asked by a
 * page of another origin takes the long way and is judged there.
 * @param varies whether answers differ by the origin that asks
 */
export function readyReplies(routes: readonly Route[], limiters: Readonly<Record<LimitedGroup, Limiter>>, varies: boolean): RequestHandler {
  const ready = new Map(routes.flatMap((route) => readyRoute(route, limiters)));
  return (request, response, next) => {
    const { method, url, headers } = request;
    const end = url.indexOf('?');
    const route = ready.get(end === -1 ? url : url.slice(0, end));
    const isPlain = (method === 'GET' || method === 'HEAD') && headers.origin === undefined;
    const reply = isPlain ? route?.kept.ready(url) : undefined;
    if (route === undefined || reply === undefined || !route.limiter.admits(request)) {
      next();
      return;
    }
    response.locals['route'] = route.path;
    if (varies) response.setHeader('Vary', 'Origin');
    sendReady(request, response, reply);
  };
}

function readyRoute({ definition, kept }: Route, limiters: Readonly<Record<LimitedGroup, Limiter>>): [string, ReadyRoute][] {
  const { path, limitedAs, credential } = definition;
  // Whoever needs a token, or counts against nothing, is never served here.
  if (kept === undefined || limitedAs === null || credential !== undefined) return [];
  return [[path, { path, kept, limiter: limiters[limitedAs] }]];
}
