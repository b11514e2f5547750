import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observe } from '../../observability/observed-requests.js';
import type { KeptRoute, Route } from '../define-route.js';
import { sendReady } from '../cached-response.js';
import type { NamesCaller } from './client-key.js';
import type { LimitedGroup, Limiter } from './rate-limits.js';
import { newRequestId } from './request-context.js';

export interface ReadySurroundings {
  readonly limiters: Readonly<Record<LimitedGroup, Limiter>>;
  readonly callerOf: NamesCaller;
  readonly observe: Observe;
  /** Whether answers differ by the origin that asks. */
  readonly varies: boolean;
}

interface ReadyRoute {
  readonly path: string;
  readonly limiter: Limiter;
  readonly kept: KeptRoute;
}

/**
 * Answers reads whose answers are held, in front of Express, whose own work for a request is
 * several times theirs. What is not held, over the caller's budget, or asked by a page of another
 * origin takes the long way and is judged there.
 * @returns a handler that returns whether it has answered
 */
export function readyReplies(
  routes: readonly Route[],
  { limiters, callerOf, observe, varies }: ReadySurroundings,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const ready = new Map(routes.flatMap((route) => readyRoute(route, limiters)));
  return (request, response) => {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const end = url.indexOf('?');
    const route = ready.get(end === -1 ? url : url.slice(0, end));
    if (route === undefined || request.headers.origin !== undefined) return false;
    const reply = route.kept.ready(url);
    if (reply === undefined || !route.limiter.admits(callerOf(request))) return false;
    const requestId = newRequestId();
    observe(request, response, { requestId, route: route.path });
    sendReady(
      request,
      response,
      reply,
      varies ? ['Vary', 'Origin', 'X-Request-Id', requestId] : ['X-Request-Id', requestId],
    );
    return true;
  };
}

function readyRoute(
  { definition, kept }: Route,
  limiters: Readonly<Record<LimitedGroup, Limiter>>,
): [string, ReadyRoute][] {
  const { path, limitedAs, credential } = definition;
  // Routes that need a token, or have no rate limit, are never served here.
  if (kept === undefined || limitedAs === null || credential !== undefined) return [];
  return [[path, { path, kept, limiter: limiters[limitedAs] }]];
}
