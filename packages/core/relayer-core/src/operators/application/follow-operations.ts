import { CODES_OF } from '@sotto/facts';
import { domainError, type Clock } from '@sotto/kernel';
import {
  OperationsWatch,
  type OperatorEvent,
  type WatchPolicy,
  type WatchPorts,
} from './operations-watch.js';

/** Stream of one reader with its unread events. A reader with too many unread events is dropped. */
class EventStream<Event> {
  #queued: Event[] = [];
  #isDropped = false;
  #arrival = new AbortController();

  constructor(private readonly maxQueued: number) {}

  /** True if the reader was too slow and was dropped. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  put(event: Event): void {
    if (this.#isDropped) return;
    if (this.#queued.length >= this.maxQueued) {
      this.#isDropped = true;
      this.#queued = [];
    } else this.#queued.push(event);
    this.#arrival.abort();
  }

  take(): Event | undefined {
    return this.#queued.shift();
  }

  /**
   * Resolves when an event arrives, the stream is dropped, `ms` has passed, or the signal aborts.
   */
  async wait(clock: Pick<Clock, 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#queued.length > 0 || this.#isDropped) return;
    this.#arrival = new AbortController();
    await clock.sleep(ms, AbortSignal.any([this.#arrival.signal, signal]));
  }
}

export type { OperatorEvent } from './operations-watch.js';

/**
 * Error if this instance already has the maximum number of streams. The operator closes a stream,
 * or waits.
 */
export class TooManyStreams extends domainError('TOO_MANY_STREAMS') {}

/**
 * Retry delay in seconds: approximate time after which a disconnected reader is detected and its
 * stream closed.
 */
const STREAMS_RETRY_AFTER_SECONDS = 15;

interface FollowPolicy extends WatchPolicy {
  readonly maxStreams: number;
  /** Maximum number of unread events of one reader. A reader with more unread events is dropped. */
  readonly maxQueued: number;
  /** Time without an event after which a reader gets a heartbeat, in milliseconds. */
  readonly heartbeatMs: number;
}

/**
 * Streams changes of submissions, lanes and pools to operators, including changes by other
 * instances.
 */
export class FollowOperations {
  /** Error codes of the API route for operator events. */
  static readonly throws = CODES_OF.operatorEvents;

  readonly #streams = new Set<EventStream<OperatorEvent>>();
  #watch: OperationsWatch | null = null;

  constructor(
    private readonly ports: WatchPorts,
    private readonly policy: FollowPolicy,
  ) {}

  /** Number of streams that are connected now. */
  get open(): number {
    return this.#streams.size;
  }

  /**
   * Yields events until the signal aborts or the reader is too slow. The first event is `resync`,
   * which makes the reader load all data.
   * @throws TooManyStreams
   */
  execute(signal: AbortSignal): AsyncGenerator<OperatorEvent> {
    const { maxStreams, maxQueued } = this.policy;
    if (this.#streams.size >= maxStreams)
      throw new TooManyStreams({ retryAfterSeconds: STREAMS_RETRY_AFTER_SECONDS });
    const stream = new EventStream<OperatorEvent>(maxQueued);
    this.#streams.add(stream);
    const close = (): void => this.#close(stream);
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return this.#events(stream, signal);
  }

  async *#events(
    stream: EventStream<OperatorEvent>,
    signal: AbortSignal,
  ): AsyncGenerator<OperatorEvent> {
    const { clock } = this.ports;
    try {
      if (signal.aborted) return;
      this.#watch ??= new OperationsWatch(this.ports, this.policy, (event) => this.#send(event));
      await this.#watch.hasBegun;
      yield { kind: 'resync' };
      while (!signal.aborted && !stream.isDropped) {
        const event = stream.take();
        if (event !== undefined) {
          yield event;
          continue;
        }
        const sinceMs = clock.monotonicMs();
        await stream.wait(clock, this.policy.heartbeatMs, signal);
        if (clock.monotonicMs() - sinceMs >= this.policy.heartbeatMs) yield { kind: 'heartbeat' };
      }
    } finally {
      this.#close(stream);
    }
  }

  #send(event: OperatorEvent): void {
    for (const stream of this.#streams) stream.put(event);
  }

  #close(stream: EventStream<OperatorEvent>): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#watch?.stop();
    this.#watch = null;
  }
}
