import type { Logger } from '@sotto/kernel';
import type { RequestObserver } from './observed-requests.js';

/**
 * One line per request: method, route pattern, status, duration, request id, the code of an error
 * and the name of the token's holder. Never the URL (submission ids are capabilities), the caller's
 * address or agent, or a body.
 */
export function requestLog(logger: Logger): RequestObserver {
  return ({ requestId, method, route, status, durationMs, code, holder, callerLeft }) => {
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
