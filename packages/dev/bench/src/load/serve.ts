import { systemClock } from '@sotto/kernel';
import type { Bench } from '../bench.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import type { Flow } from '../processes/flow.js';
import { Callers, relay } from './relay.js';

/** Before anything was served: about as many as any flow serves here. */
const FIRST_GUESS_PER_SECOND = 60;
const MORE_THAN_LAST_TIME = 1.3;

/** What was answered in a while. */
export interface Served {
  /** Withdrawals answered as succeeded, in a second. */
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
  /** Not counted, at the beginning. */
  readonly rampMs: number;
  readonly windowMs: number;
}

/** A flow under callers, again and again: knows how many withdrawals to have ready. */
export class PressedFlow {
  #perSecond = FIRST_GUESS_PER_SECOND;

  constructor(
    private readonly bench: Pick<Bench, 'withdrawals'>,
    private readonly flow: Flow,
  ) {}

  /** Resolves when everything that was asked has ended. */
  async serve({ callers: count, rampMs, windowMs }: Pressure): Promise<Served> {
    const { withdrawals } = this.bench;
    const seconds = (rampMs + windowMs) / 1_000;
    withdrawals.prepare(Math.ceil(count + this.#perSecond * MORE_THAN_LAST_TIME * seconds));
    const callers = new Callers(count, () => relay(this.flow, withdrawals));
    await systemClock.sleep(rampMs);
    const [before, startMs] = [callers.answered, performance.now()];
    await systemClock.sleep(windowMs);
    const [after, tookMs] = [callers.answered, performance.now() - startMs];
    await callers.stop();
    await this.flow.settled();
    this.#perSecond = ((after.succeeded - before.succeeded) / tookMs) * 1_000;
    return {
      perSecond: this.#perSecond,
      unknown: callers.answered.unknown,
    };
  }
}

export function servedRounds(served: readonly Served[]): ServedRounds {
  return {
    perSecond: roundsOf(served.map(({ perSecond }) => perSecond)),
    unknown: served.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}
