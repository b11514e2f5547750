import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import {
  UpstreamAnswered,
  UpstreamPaused,
  UpstreamTimedOut,
  UpstreamUnreachable,
} from './errors.js';

/** Conditions under which a client stops sending requests to an upstream that is down. */
export interface BreakerOptions {
  /** Number of consecutive failed requests at which the breaker opens. @default 5 */
  readonly failures?: number;
  /**
   * Pause in ms without requests. After the pause, one trial request is sent.
   * @default 10_000
   */
  readonly pauseMs?: number;
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

class Failed {
  constructor(readonly error: unknown) {}
}

/**
 * Counts consecutive failures, and blocks requests for a while after too many failures. If a
 * response is neither 429 nor 5xx, the upstream works, and the count is reset to 0.
 */
export class Breaker {
  readonly #name: string;
  readonly #pauseMs: number;
  readonly #policy: CircuitBreakerPolicy;
  #pausedUntilMs = 0;

  constructor(name: string, { failures = 5, pauseMs = 10_000 }: BreakerOptions) {
    this.#name = name;
    this.#pauseMs = pauseMs;
    // The library counts a failure only if it is passed as a result. An error that the policy does
    // not handle would reset the library's count.
    this.#policy = circuitBreaker(handleWhenResult(isOutage), {
      halfOpenAfter: pauseMs,
      breaker: new ConsecutiveBreaker(failures),
    });
    this.#policy.onBreak(() => {
      this.#pausedUntilMs = Date.now() + this.#pauseMs;
    });
  }

  /**
   * Sends one request by calling `exchange`, and returns its result.
   * @throws UpstreamPaused without sending a request, during a pause or while the trial request is
   *   in flight
   */
  async run<T extends { readonly status: number }>(exchange: () => Promise<T>): Promise<T> {
    // With the library's policy, other calls would wait for the trial request, beyond their
    // deadlines.
    if (this.#policy.state === CircuitState.HalfOpen || this.#isPausing()) {
      const seconds = Math.max(Math.ceil((this.#pausedUntilMs - Date.now()) / 1_000), 1);
      throw new UpstreamPaused({
        message: `${this.#name} is not called after repeated failures`,
        retryAfterSeconds: seconds,
      });
    }
    const result = await this.#policy.execute(() =>
      exchange().catch((error: unknown) => new Failed(error)),
    );
    if (result instanceof Failed) throw result.error;
    return result;
  }

  #isPausing(): boolean {
    return this.#policy.state === CircuitState.Open && Date.now() < this.#pausedUntilMs;
  }
}

function isOutage(result: unknown): boolean {
  const judged = result instanceof Failed ? result.error : result;
  if (judged instanceof UpstreamTimedOut || judged instanceof UpstreamUnreachable) return true;
  if (judged instanceof UpstreamAnswered || isAnswer(judged))
    return judged.status === TOO_MANY_REQUESTS || judged.status >= SERVER_ERROR;
  return false;
}

function isAnswer(value: unknown): value is { readonly status: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    typeof value.status === 'number'
  );
}
