import { implement, type Route } from '@sotto/http-server';
import type { Readiness } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';

/** Answers as long as the event loop turns, and asks nothing else. */
export const liveRoute = (): Route =>
  implement(routes.live, async () => ({ status: 200, body: { status: 'alive' } }));

export const readyRoute = (readiness: Pick<Readiness, 'report'>): Route =>
  implement(routes.ready, async () => {
    const { ready, checks } = await readiness.report();
    return ready
      ? { status: 200, body: { status: 'ready', checks } }
      : { status: 503, body: { status: 'not_ready', checks } };
  });
