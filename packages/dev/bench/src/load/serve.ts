import { systemClock } from '@sotto/kernel';
import { type Rounds, roundsOf } from '@sotto/load-kit/report';
import type { Bench } from '../bench.js';
import type { Flow } from '../processes/flow.js';
import { Callers, relay } from './relay.js';

/** First estimate of a flow's rate, before it has served any request. */
const FIRST_GUESS_PER_SECOND = 60;
const MORE_THAN_LAST_TIME = 1.3;

/** What was answered. */
export interface Served {
  /** Withdrawals answered as succeeded, in a second from the first request to the last answer. */
  readonly perSecond: number;
  /** Answered before their outcome was known. */
  readonly unknown: number;
}

export interface ServedRounds {
  readonly perSecond: Rounds;
  /** In all rounds. */
  readonly unknown: number;
}

export interface Pressure {
  /** They ask again as soon as they are answered. */
  readonly callers: number;
  /** Nothing more is asked after it. */
  readonly windowMs: number;
}

/** A flow under callers, again and again: knows how many withdrawals to have ready. */
export class PressedFlow {
  #perSecond = FIRST_GUESS_PER_SECOND;

  constructor(
    private readonly bench: Pick<Bench, 'withdrawals'>,
    private readonly flow: Flow,
  ) {}

  /**
   * Everything that was asked counts, in the time until its answer: a flow that answers many at
   * once, seconds later, would else have served all or nothing in a window. Resolves when all of it
   * has ended.
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
