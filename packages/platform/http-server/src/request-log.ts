import type { Logger } from '@sotto/kernel';
import { LinesPerSecond, type AfterSecond } from './lines-per-second.js';
import { UNMATCHED, type EndedRequest, type RequestObserver } from './observed-requests.js';

const HEALTH = '/health/';
/** Path of routes that callers poll: the service's state, and that of a submission or transfer. */
const POLLED = /\/(?:status|pool-status|submissions\/:id)$/;
const FIRST_FAILURE = 400;

const TOO_MANY = 429;
const WRONG_METHOD = 405;

/**
 * Logs one line per request: method, route pattern, status, duration, request id, the code of an
 * error, the name of the token's holder, and the submission with its transaction if the request has
 * one. Never logs the URL, the caller's address or agent, or a body. Successful polls are debug
 * lines. Health probes have no line: their result is logged once when it changes. Requests without
 * a route or beyond a limit have ten lines a second for all callers, and one line counts the
 * others.
 */
export function requestLog(logger: Logger, wait?: AfterSecond): RequestObserver {
  const cheap = new LinesPerSecond(
    (counts) => logger.info(counts, 'requests without a line'),
    wait,
  );
  return (ended) => {
    const { requestId, method, route, status, durationMs, code, holder, callerLeft, noted } = ended;
    if (route.startsWith(HEALTH) || (isCheap(ended) && !cheap.mayLog(code ?? `status${status}`)))
      return;
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

/** True for requests that any caller can send in any number. */
const isCheap = ({ route, status }: EndedRequest): boolean =>
  route === UNMATCHED || status === WRONG_METHOD || status === TOO_MANY;
