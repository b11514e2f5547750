import type { Logger } from '@sotto/kernel';
import type { RequestObserver } from './observed-requests.js';

const HEALTH = '/health/';
/** Path of routes that callers poll: the service's state, and that of a submission or transfer. */
const POLLED = /\/(?:status|pool-status|submissions\/:id)$/;
const FIRST_FAILURE = 400;

/**
 * One line per request: method, route pattern, status, duration, request id, the code of an error,
 * the name of the token's holder, and the submission with its transaction if the request has one.
 * Polls that succeed are debug lines. Never the URL, the caller's
 * address or agent, or a body. Probes of health have none: what they find is logged once when it
 * changes.
 */
export function requestLog(logger: Logger): RequestObserver {
  return ({ requestId, method, route, status, durationMs, code, holder, callerLeft, noted }) => {
    if (route.startsWith(HEALTH)) return;
    const isPoll = method !== 'POST' && status < FIRST_FAILURE && POLLED.test(route);
    logger[isPoll ? 'debug' : 'info'](
      {
        ...noted,
        requestId,
        method,
        route,
        status,
        durationMs: Math.round(durationMs),
        code,
        holder,
        callerLeft: callerLeft ? true : undefined,
      },
      'request',
    );
  };
}
