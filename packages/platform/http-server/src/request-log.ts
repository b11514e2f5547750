import type { Logger } from '@sotto/kernel';
import { LinesPerSecond, type AfterSecond } from './lines-per-second.js';
import { UNMATCHED, type EndedRequest, type RequestObserver } from './observed-requests.js';

const HEALTH = '/health/';
/**
 * Paths of routes that callers poll: states of the service, of a pool, of a submission and of a
 * transfer.
 */
const POLLED = /\/(?:status|pool-status|submissions\/:id)$/;
const FIRST_FAILURE = 400;

const TOO_MANY = 429;
const WRONG_METHOD = 405;

/**
 * Creates the request log, which writes one line per request. The line contains method, route
 * pattern, status, duration, request id, the code of an error, the name of the token's holder, and
 * the submission with its transaction if the request has one. A line never contains the URL, the
 * caller's address or agent, or a body.
 *
 * Successful polls are logged at the debug level. Health probes have no line, but a change of their
 * result is logged once. Requests that match no route or exceed a rate limit have at most ten lines
 * per second for all callers together. One additional line contains the number of requests of this
 * kind that were not logged.
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

/** Returns true for requests that any caller can send in any number. */
const isCheap = ({ route, status }: EndedRequest): boolean =>
  route === UNMATCHED || status === WRONG_METHOD || status === TOO_MANY;
