import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendReady } from './cached-response.js';
import type { NamesCaller } from './callers.js';
import { headersForOrigins, isForAny } from './headers.js';
import type { Observe } from './observed-requests.js';
import type { Limiter } from './rate-limits.js';
import { newRequestId } from './request-context.js';
import type { CachedReplies, RouteDefinition } from './route.js';

/** A route whose responses are cached, with the rate limiter of its requests, if any. */
export interface ReadyRoute {
  readonly definition: RouteDefinition;
  readonly limiter: Limiter | null;
  readonly cache: CachedReplies;
}

export interface ReadyDeps {
  readonly callerOf: NamesCaller;
  readonly observe: Observe;
  /** Origins of the web pages that may read responses; `*` means any origin. */
  readonly corsOrigins: readonly string[];
}

/**
 * Sends cached responses without Express, which would need several times as long for a request. The
 * returned handler leaves three kinds of requests to Express: requests without a cached response,
 * requests above the caller's limit, and requests from a page whose origin must be checked.
 * @returns a handler that returns true if it has responded
 */
export function readyReplies(
  routes: readonly ReadyRoute[],
  { callerOf, observe, corsOrigins }: ReadyDeps,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  // This function never serves routes that require an API token.
  const ready = new Map<string, ReadyRoute>(
    routes
      .filter(({ definition }) => definition.credential === undefined)
      .map((route) => [route.definition.path, route]),
  );
  const forOrigins = headersForOrigins(corsOrigins);
  const anyOrigin = isForAny(corsOrigins);
  return (request, response) => {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const end = url.indexOf('?');
    const route = ready.get(end === -1 ? url : url.slice(0, end));
    if (route === undefined) return false;
    if (request.headers.origin !== undefined && !anyOrigin) return false;
    const reply = route.cache.ready(url);
    if (reply === undefined || route.limiter?.admits(callerOf(request)) === false) return false;
    const requestId = newRequestId();
    observe(request, response, { requestId, route: route.definition.path });
    sendReady(request, response, reply, [...forOrigins, 'X-Request-Id', requestId]);
    return true;
  };
}
