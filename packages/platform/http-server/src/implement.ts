import type { Response } from 'express';
import { callerOf, stoppingOf } from './request-context.js';
import { ResponseCache, type CacheKey, type CacheSource } from './response-cache.js';
import {
  checkedReply,
  partsOf,
  type AnswerOf,
  type CachedDefinition,
  type InputOf,
  type Route,
  type RouteDefinition,
  type RouteDeps,
  type ServedRoute,
} from './route.js';

/**
 * The route of a definition: parses the request, and parses the reply against the schema of its
 * status before it is sent, so that unknown keys never leak.
 */
export function implement<const D extends RouteDefinition, const A extends AnswerOf<D>>(
  definition: D,
  answer: (input: InputOf<D>) => Promise<A>,
): Route {
  const serve = (): ServedRoute => ({
    handler: async (request, response) => {
      const signal = AbortSignal.any([stoppingOf(response), goneOf(response)]);
      const { status, body, headers } = await answer({
        ...partsOf(definition, request),
        caller: callerOf(response),
        signal,
      });
      const reply = checkedReply(definition, status, body);
      response
        .status(status)
        .set({ ...headers })
        .json(reply);
    },
  });
  return { definition, serve };
}

/** The route of a definition whose answers are cached. */
export function implementCached<const D extends CachedDefinition, K extends CacheKey>(
  definition: D,
  source: CacheSource<NoInfer<D>, K>,
): Route {
  const serve = (deps: RouteDeps): ServedRoute => {
    const cache = new ResponseCache(definition, source, deps);
    return { handler: cache.handler, cache };
  };
  return { definition, serve };
}

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
