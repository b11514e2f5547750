import type { Logger } from '@sotto/kernel';
import { UNMATCHED, type EndedRequest, type RequestObserver } from './observed-requests.js';

const HEALTH = '/health/';
/** Path of routes that callers poll: the service's state, and that of a submission or transfer. */
const POLLED = /\/(?:status|pool-status|submissions\/:id)$/;
const FIRST_FAILURE = 400;

const TOO_MANY = 429;
const WRONG_METHOD = 405;
/** Lines a second of requests that cost their callers nothing, for all callers. */
const CHEAP_LINES_PER_SECOND = 10;
const SECOND_MS = 1_000;

/** Runs the function after a second. */
type AfterSecond = (run: () => void) => void;
const afterSecond: AfterSecond = (run) => void setTimeout(run, SECOND_MS).unref();

/**
 * One line per request: method, route pattern, status, duration, request id, the code of an error,
 * the name of the token's holder, and the submission with its transaction if the request has one.
 * Polls that succeed are debug lines. Never the URL, the caller's address or agent, or a body.
 * Probes of health have none: what they find is logged once when it changes. Requests without a
 * route or beyond a limit have ten a second for all callers, and one line counts the others.
 */
export function requestLog(logger: Logger, wait: AfterSecond = afterSecond): RequestObserver {
  const cheap = new CheapRequests(logger, wait);
  return (ended) => {
    const { requestId, method, route, status, durationMs, code, holder, callerLeft, noted } = ended;
    if (route.startsWith(HEALTH) || (isCheap(ended) && !cheap.mayHaveLine(ended))) return;
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

/** True for requests that a stranger can send in any number. */
const isCheap = ({ route, status }: EndedRequest): boolean =>
  route === UNMATCHED || status === WRONG_METHOD || status === TOO_MANY;

/** Counts the cheap requests of a second, and those without a line by their codes. */
class CheapRequests {
  #inSecond = 0;
  readonly #withoutLine = new Map<string, number>();

  constructor(
    private readonly logger: Logger,
    private readonly wait: AfterSecond,
  ) {}

  mayHaveLine({ code, status }: EndedRequest): boolean {
    if (this.#inSecond === 0) this.wait(() => this.#end());
    this.#inSecond += 1;
    if (this.#inSecond <= CHEAP_LINES_PER_SECOND) return true;
    const name = code ?? `status${status}`;
    this.#withoutLine.set(name, (this.#withoutLine.get(name) ?? 0) + 1);
    return false;
  }

  #end(): void {
    const counts = Object.fromEntries(this.#withoutLine);
    if (this.#withoutLine.size > 0) this.logger.info(counts, 'requests without a line');
    this.#withoutLine.clear();
    this.#inSecond = 0;
  }
}
