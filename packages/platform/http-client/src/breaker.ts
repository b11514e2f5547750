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

/** When a client stops asking an upstream that is down. */
export interface BreakerOptions {
  /** How many requests must fail in a row. @default 5 */
  readonly failures?: number;
  /**
   * How long nothing is asked; then one request tries whether the upstream is back.
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
 * Counts failures in a row and, after too many, keeps requests from the wire for a while. Any
 * answer that is neither 429 nor 5xx shows that the upstream lives and ends the count.
 */
export class Breaker {
  readonly #name: string;
  readonly #pauseMs: number;
  readonly #policy: CircuitBreakerPolicy;
  #pausedUntilMs = 0;

  constructor(name: string, { failures = 5, pauseMs = 10_000 }: BreakerOptions) {
    this.#name = name;
    this.#pauseMs = pauseMs;
    // Failures are given to the policy as results: an error that it does not handle would not end
    // its count.
    this.#policy = circuitBreaker(handleWhenResult(isOutage), {
      halfOpenAfter: pauseMs,
      breaker: new ConsecutiveBreaker(failures),
    });
    this.#policy.onBreak(() => {
      this.#pausedUntilMs = Date.now() + this.#pauseMs;
    });
  }

  /**
   * What `exchange` comes to. One exchange is one request.
   * @throws UpstreamPaused without a request while the upstream is left alone, or while the one
   *   request that tries it is out
   */
  async run<T extends { readonly status: number }>(exchange: () => Promise<T>): Promise<T> {
    // The policy would let others wait for the try, beyond their deadlines.
    if (this.#policy.state === CircuitState.HalfOpen || this.#isPausing()) {
      const seconds = Math.max(Math.ceil((this.#pausedUntilMs - Date.now()) / 1_000), 1);
      throw new UpstreamPaused({
        message: `${this.#name} is left alone after failing`,
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
