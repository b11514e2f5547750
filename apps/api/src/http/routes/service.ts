import { implement, implementCached, type Route } from '@sotto/http-server';
import type { GetServiceStatus } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import { openApiDocument } from '../openapi.js';
import type { Readiness } from '@sotto/relayer-core';

export const statusRoute = (getServiceStatus: GetServiceStatus): Route =>
  implementCached(routes.status, {
    cacheKey: () => null,
    answer: async () => getServiceStatus.execute(),
  });

/** Answers as long as the event loop turns, and asks nothing else. */
export const liveRoute = (): Route =>
  implement(routes.live, async () => ({ status: 200, body: { status: 'alive' } }));

export const readyRoute = (readiness: Readiness): Route =>
  implement(routes.ready, async () => {
    const { ready, checks } = await readiness.report();
    return ready
      ? { status: 200, body: { status: 'ready', checks } }
      : { status: 503, body: { status: 'not_ready', checks } };
  });

export const openApiRoute = (): Route =>
  implementCached(routes.openApi, { cacheKey: () => null, answer: async () => openApiDocument() });
