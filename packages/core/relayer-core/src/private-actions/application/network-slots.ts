import { SHARED_CALLER, UNNAMED_CALLER, widestOf, type Caller, type Clock } from '@sotto/kernel';
import { FairSemaphore } from '../../relay/application/fair-semaphore.js';

/** Checks of one network at a time, and checks that wait. */
const USUAL = { slots: Infinity, slotsPerName: 2, waitingPerName: 64 };
/** The same for a network whose checks are slow. */
const SLOW = { ...USUAL, slotsPerName: 1 };
/** The same for callers without a network: together they are many callers. */
const SHARED = { slots: Infinity, slotsPerName: 8, waitingPerName: 256 };
/** Duration from which a check is slow, in milliseconds. */
const SLOW_MS = 1_500;
/** Time for which a network counts as slow, in milliseconds. */
const SLOW_FOR_MS = 60_000;

/**
 * Limits the checks of private actions that one network runs at a time. A check simulates contracts
 * that the caller chose, which can delay it for seconds at no cost. So no network may occupy the
 * slots that all callers share, and a network with slow checks has only one.
 */
export class NetworkSlots {
  readonly #usual = new FairSemaphore(USUAL);
  readonly #slow = new FairSemaphore(SLOW);
  readonly #shared = new FairSemaphore(SHARED);
  /** Networks with slow checks, with the end of this state in monotonic milliseconds. */
  #slowUntilMs: ReadonlyMap<string, number> = new Map();

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /**
   * Runs the work when the caller's network has a slot.
   * @throws Overloaded if the queue of the network is full; the work was not started
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    if (hasNoNetwork(caller)) return this.#shared.run(caller.name, caller, work);
    const network = widestOf(caller);
    const inUsual = () => this.#usual.run(network, caller, work);
    return (this.#slowUntilMs.get(network) ?? 0) > this.clock.monotonicMs()
      ? this.#slow.run(network, caller, inUsual)
      : inUsual();
  }

  /** Runs a check and measures its duration. */
  async measured<T>(caller: Caller, check: () => Promise<T>): Promise<T> {
    const startedMs = this.clock.monotonicMs();
    try {
      return await check();
    } finally {
      const nowMs = this.clock.monotonicMs();
      if (nowMs - startedMs >= SLOW_MS && !hasNoNetwork(caller))
        this.#slowUntilMs = new Map([
          ...[...this.#slowUntilMs].filter(([, untilMs]) => untilMs > nowMs),
          [widestOf(caller), nowMs + SLOW_FOR_MS],
        ]);
    }
  }
}

const hasNoNetwork = ({ name }: Caller): boolean =>
  name === SHARED_CALLER.name || name === UNNAMED_CALLER.name;
