import type { Logger } from '@sotto/kernel';
import { requestIdOf } from '../http/middleware/request-context.js';
import type { RequestObserver } from './observed-requests.js';

/**
 * One line per request: method, route pattern, status, duration, request id, the code of an error and the name of whoever showed a token.
 * Never the URL (submission ids are capabilities), the caller's address or agent, or a body.
 */
export function requestLog(logger: Logger): RequestObserver {
  return ({ request: { method }, response, route, durationMs }) => {
    const { code, holder } = response.locals;
    logger.info(
      {
        requestId: requestIdOf(response),
        method,
        route,
        status: response.statusCode,
        durationMs: Math.round(durationMs),
        code: typeof code === 'string' ? code : undefined,
        holder: typeof holder === 'string' ? holder : undefined,
        callerLeft: response.writableFinished ? undefined : true,
      },
      'request',
    );
  };
}
