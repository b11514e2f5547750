import { systemClock } from '@sotto/kernel';
import { OpenLoad } from '@sotto/load-kit';
import type { Answer, Service } from '@sotto/process-kit';
import { z } from 'zod';
import { Requests } from '../measure/requests.js';
import { withdrawals, type LoadRequests } from '../stack/load-requests.js';

const RETRY_MS = 200;
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Maximum number of concurrent callers. There are more callers than the lanes can serve at a time,
 * so that some callers always wait.
 */
const MOST_CALLERS = 12;
/**
 * Number of callers that start at the same time, as users do after they are notified of a payment.
 * Requests that arrive at the same time are still rejected one by one.
 */
const GROUP = 4;
/**
 * Time in ms after the last kill. If a caller is still rejected after this time, the test assumes
 * that it will never be served.
 */
const PATIENCE_MS = 120_000;
/** Every n-th caller sends two requests at the same time, where n is this number. */
const TWICE_EVERY = 4;
const FOLLOW_EVERY_MS = 100;
const FOLLOW_TIMEOUT_MS = 1_000;
/**
 * Maximum number of accepted submissions that are polled at the same time until one of them
 * succeeds.
 */
const MOST_FOLLOWED = 4;
const Succeeded = z.object({ execution_status: z.literal('SUCCEEDED') });

/**
 * Callers that repeat their request until a service accepts it. If the service was killed, they
 * send the request to the next service. Wallets do the same.
 */
export class Callers {
  /** Ids of submissions in the responses to callers, by index of the request. */
  readonly answered = new Map<number, ReadonlySet<string>>();
  readonly #outcomes = new Requests();
  readonly #load = new OpenLoad((group) => this.#queryTogether(group));
  #endsMs = Number.POSITIVE_INFINITY;
  /** Locations of accepted requests. The oldest is first. */
  #accepted: string[] = [];

  /**
   * @param running returns the service that accepts requests now, or null if no service does
   * @param requests returns the request of each caller @default withdrawals
   */
  constructor(
    private readonly running: () => Service | null,
    private readonly requests: LoadRequests = withdrawals,
  ) {}

  start(perSecond: number): void {
    this.#load.start({ perSecond: perSecond / GROUP, mostUnderway: MOST_CALLERS / GROUP });
  }

  /**
   * Starts no new callers, and resolves when all callers were served.
   * @throws Error if a caller is rejected for too long
   */
  async end(): Promise<void> {
    this.#endsMs = systemClock.monotonicMs() + PATIENCE_MS;
    await this.#load.end();
  }

  /** Starts to record accepted requests for {@link firstSuccess}. */
  mark(): void {
    this.#accepted = [];
  }

  /**
   * Returns the time in ms until a submission succeeds that was accepted after {@link mark} and is
   * still pending. Returns null if none of these submissions succeeds within the limit.
   */
  async firstSuccess(withinMs: number): Promise<number | null> {
    const startMs = systemClock.monotonicMs();
    const open: string[] = [];
    for (const location of this.#accepted.splice(0))
      if (open.length < MOST_FOLLOWED && !(await this.#hasSucceeded(location))) open.push(location);
    const untilMs = startMs + withinMs;
    while (systemClock.monotonicMs() < untilMs) {
      open.push(...this.#accepted.splice(0, 2 * MOST_FOLLOWED - open.length));
      for (const location of open)
        if (await this.#hasSucceeded(location)) return systemClock.monotonicMs() - startMs;
      await systemClock.sleep(FOLLOW_EVERY_MS);
    }
    return null;
  }

  /** Number of responses to callers by outcome, including responses to repeated requests. */
  get outcomes(): Readonly<Record<string, number>> {
    return this.#outcomes.summary().outcomes;
  }

  async #queryTogether(group: number): Promise<void> {
    await Promise.all(
      Array.from({ length: GROUP }, (_, member) => this.#query(group * GROUP + member)),
    );
  }

  async #query(index: number): Promise<void> {
    const askers = index % TWICE_EVERY === 0 ? 2 : 1;
    const names = await Promise.all(
      Array.from({ length: askers }, () => this.#untilAccepted(index)),
    );
    this.answered.set(index, new Set(names));
  }

  async #untilAccepted(index: number): Promise<string> {
    const request = await this.requests(index);
    for (;;) {
      const answer = await this.#request((service, signal) =>
        request.send(service, { headers: { prefer: 'respond-async' }, signal }),
      );
      const location = answer?.headers.get('location') ?? undefined;
      const id = location?.split('/').at(-1);
      if (answer !== null && answer.status < 300 && location !== undefined && id !== undefined) {
        this.#accepted.push(location);
        return id;
      }
      if (systemClock.monotonicMs() > this.#endsMs)
        throw new Error(`never accepted: ${answer?.status} ${answer?.text}`);
      await systemClock.sleep(RETRY_MS);
    }
  }

  async #hasSucceeded(location: string): Promise<boolean> {
    const signal = AbortSignal.timeout(FOLLOW_TIMEOUT_MS);
    const answer = await this.running()
      ?.request(location, { signal })
      .catch(() => null);
    return Succeeded.safeParse(answer?.body).success;
  }

  /** Sends a request and returns its response, or null if no response arrives. */
  async #request(
    query: (service: Service, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | null> {
    const service = this.running();
    return service === null
      ? null
      : this.#outcomes.note(() => query(service, AbortSignal.timeout(REQUEST_TIMEOUT_MS)));
  }
}
