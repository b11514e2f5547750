import { implement, implementCached, type Route } from '@sotto/http-server';
import type { Readiness, ReadinessReport } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';

/** Creates the route that returns 200 while the event loop runs. The route reads nothing. */
export const liveRoute = (): Route =>
  implementCached(routes.live, {
    cacheKey: () => null,
    answer: async () => ({ status: 'alive' }) as const,
  });

export const readyRoute = (readiness: Pick<Readiness, 'report'>): Route =>
  implement(routes.ready, async () => replyOf(await readiness.report()));

export const servingRoute = (readiness: Pick<Readiness, 'serving'>): Route =>
  implement(routes.serving, async () => replyOf(await readiness.serving()));

const replyOf = ({ ready, checks }: ReadinessReport) =>
  ready
    ? ({ status: 200, body: { status: 'ready', checks } } as const)
    : ({ status: 503, body: { status: 'not_ready', checks } } as const);
