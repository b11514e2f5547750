import type { Clock } from '@sotto/kernel';
import { backOffMs } from '../domain/back-off.js';
import type { SendFailure } from '../ports/webhook-sender.port.js';

/** Number of consecutive failures after which deliveries to an endpoint pause. */
const FAILURES = 3;
const HOUR_MS = 3_600_000;
const LONGEST_REST_MS = 300_000;

/**
 * Circuit breaker of an endpoint: pauses deliveries after repeated failures, and then tries a
 * single message first.
 */
export class EndpointCircuit {
  #failures = 0;
  #restUntilMs = -Infinity;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly random: () => number,
  ) {}

  get isResting(): boolean {
    return this.clock.monotonicMs() < this.#restUntilMs;
  }

  /** True if the next message is a single trial, because the last deliveries failed. */
  get isTrial(): boolean {
    return this.#failures >= FAILURES;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restUntilMs = -Infinity;
  }

  /**
   * Records a failed delivery. A receiver that responds with "gone" is tried again after an hour,
   * because the response may be a mistake.
   */
  failed(failure: SendFailure, retryAfterMs: number | null): void {
    this.#failures += 1;
    const ownMs = this.isTrial
      ? Math.min(LONGEST_REST_MS, backOffMs(this.#failures - FAILURES + 1, this.random))
      : 0;
    const restMs = failure === 'GONE' ? HOUR_MS : Math.max(ownMs, retryAfterMs ?? 0);
    const untilMs = this.clock.monotonicMs() + Math.min(HOUR_MS, restMs);
    this.#restUntilMs = Math.max(this.#restUntilMs, untilMs);
  }
}
