import { systemClock } from '@sotto/kernel';
import { type Rounds, roundsOf } from '@sotto/load-kit/report';
import type { Bench } from '../bench.js';
import type { Flow } from '../processes/flow.js';
import { Callers, relay } from './relay.js';

/** Estimated withdrawals per second of a flow before it has served any request. */
const FIRST_GUESS_PER_SECOND = 60;
const MORE_THAN_LAST_TIME = 1.3;

/** Result of one window of load. */
export interface Served {
  /** Succeeded withdrawals per second between the first request and the last response. */
  readonly perSecond: number;
  /** Number of requests whose response came before their outcome was known. */
  readonly unknown: number;
}

export interface ServedRounds {
  readonly perSecond: Rounds;
  /** Sum of the rounds: number of requests whose response came before their outcome was known. */
  readonly unknown: number;
}

export interface Pressure {
  /**
   * Number of callers. Each caller sends its next request as soon as the previous request has a
   * response.
   */
  readonly callers: number;
  /** Time in ms after which no new requests start. */
  readonly windowMs: number;
}

/** Flow under continuous load. Estimates how many withdrawals must be prepared. */
export class PressedFlow {
  #perSecond = FIRST_GUESS_PER_SECOND;

  constructor(
    private readonly bench: Pick<Bench, 'withdrawals'>,
    private readonly flow: Flow,
  ) {}

  /**
   * Runs callers for the window. All requests are counted, and their number is divided by the time
   * until the last response. Otherwise chance would decide the result of a flow that answers many
   * requests together after several seconds. Resolves when all submissions have ended.
   */
  async serve({ callers: count, windowMs }: Pressure): Promise<Served> {
    const { withdrawals } = this.bench;
    const expected = (this.#perSecond * MORE_THAN_LAST_TIME * windowMs) / 1_000;
    withdrawals.prepare(Math.ceil(count + expected));
    const startMs = performance.now();
    const callers = new Callers(count, () => relay(this.flow, withdrawals));
    await systemClock.sleep(windowMs);
    await callers.stop();
    const { succeeded, unknown } = callers.answered;
    this.#perSecond = (succeeded / (performance.now() - startMs)) * 1_000;
    await this.flow.settled();
    return { perSecond: this.#perSecond, unknown };
  }
}

export function servedRounds(served: readonly Served[]): ServedRounds {
  return {
    perSecond: roundsOf(served.map(({ perSecond }) => perSecond)),
    unknown: served.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}
