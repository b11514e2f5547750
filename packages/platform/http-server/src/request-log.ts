import type { Logger } from '@sotto/kernel';
import type { RequestObserver } from './observed-requests.js';

const HEALTH = '/health/';

/**
 * One line per request: method, route pattern, status, duration, request id, the code of an error
 * and the name of the token's holder. Never the URL (submission ids are capabilities), the caller's
 * address or agent, or a body. Probes of health have none: what they find is logged once when it
 * changes.
 */
export function requestLog(logger: Logger): RequestObserver {
  return ({ requestId, method, route, status, durationMs, code, holder, callerLeft }) => {
    if (route.startsWith(HEALTH)) return;
    logger.info(
      {
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
