import { STATUS_BY_KIND } from '@sotto/facts';
import type { Metrics } from '@sotto/telemetry';
import { UNMATCHED, type RequestObserver } from './observed-requests.js';
import type { Route } from './route.js';

/**
 * Possible statuses of responses: documented statuses, statuses of errors, and the statuses of
 * preflights (204), unchanged responses (304) and wrong methods (405).
 */
const STATUSES = [200, 202, 204, 304, 405, ...Object.values(STATUS_BY_KIND)].map(String);

/** Creates an observer that counts and times requests by method, route pattern and status. */
export function requestMetrics(metrics: Metrics, routes: readonly Route[]): RequestObserver {
  const duration = metrics.duration<{ method: string[]; route: string[]; status: string[] }>({
    name: 'sotto_http_request_seconds',
    help: 'Duration of requests in seconds, by method, route pattern and status.',
    labels: {
      method: ['GET', 'POST', 'HEAD', 'OPTIONS'],
      route: [...new Set(routes.map(({ definition }) => definition.path)), UNMATCHED],
      status: STATUSES,
    },
  });
  return ({ method, route, status, durationMs }) => {
    duration.observe({ method, route, status: String(status) }, durationMs / 1_000);
  };
}
