import type { Logger } from '@sotto/kernel';
import type { RequestHandler } from 'express';
import { requestIdOf } from './request-context.js';

/**
 * One line per request: method, route pattern, status, duration, request id, the code of an error and the name of whoever showed a token.
 * Never the URL (submission ids are capabilities), the caller's address or agent, or a body.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    response.once('close', () => {
      const { route, code, holder } = response.locals;
      logger.info(
        {
          requestId: requestIdOf(response),
          method: request.method,
          route: typeof route === 'string' ? route : 'unmatched',
          status: response.statusCode,
          durationMs: Math.round(performance.now() - startedMs),
          ...(typeof code === 'string' ? { code } : {}),
          ...(typeof holder === 'string' ? { holder } : {}),
          ...(response.writableFinished ? {} : { callerLeft: true }),
        },
        'request',
      );
    });
    next();
  };
}
