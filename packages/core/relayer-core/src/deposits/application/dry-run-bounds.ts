import { mostOf, mostOfNetwork, widestOf, type Caller, type Clock, type Felt } from '@sotto/kernel';
import type { DepositsRationed } from '../../deposit-errors.js';
import { RATION_WINDOW_MS, rationed } from '../../pools/domain/deposit-traffic.js';
import { FairSemaphore } from '../../relay/application/fair-semaphore.js';

/** Limits for concurrent dry runs, which read the node. One network gets a quarter of the slots. */
const READS = { slots: 8, slotsPerName: 2, waitingPerName: 16 };
/**
 * Limits for concurrent dry runs that call an account of an unknown class. Half of the slots of
 * such calls remain for deposits. A dry run does not wait for a slot: it reports the check as
 * skipped.
 */
const ACCOUNTS = { slots: 2, slotsPerName: 1, waitingPerName: 0 };
/**
 * Minimum for the number of depositors that one caller may name per hour. A dry run needs no
 * signature, so it must not show a stranger the deposits in flight of many accounts.
 */
const DEPOSITORS_PER_HOUR = 12;
/** Maximum number of callers and networks whose depositors are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Limits dry runs, which cost their caller nothing. All state is in the memory of this instance and
 * is separate from the rations of deposits.
 */
export class DryRunBounds {
  readonly #reads = new FairSemaphore(READS);
  readonly #accounts = new FairSemaphore(ACCOUNTS);
  /** Time of the last dry run of each depositor, by the name of a caller or network. */
  readonly #named = new Map<string, ReadonlyMap<Felt, number>>();

  /**
   * @param perNetwork hourly number of deposits of one network; a larger number raises the limit
   */
  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly perNetwork: number,
  ) {}

  /**
   * Runs the reads of a dry run once a slot is free.
   * @throws DepositsRationed if the caller or its network has named too many depositors; Overloaded
   */
  async run<T>(caller: Caller, depositor: Felt, work: () => Promise<T>): Promise<T> {
    this.#name(caller, depositor);
    return this.#reads.run(widestOf(caller), caller, work);
  }

  /** Runs the call of an account. @throws Overloaded if no slot is free */
  async callAccount<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return this.#accounts.run(widestOf(caller), caller, work);
  }

  #name(caller: Caller, depositor: Felt): void {
    const nowMs = this.clock.monotonicMs();
    const perCaller = Math.max(DEPOSITORS_PER_HOUR, this.perNetwork);
    const bounds = [
      [caller.name, mostOf(caller, perCaller)] as const,
      ...caller.networks.map(
        (network, index) => [network, mostOfNetwork(index, perCaller)] as const,
      ),
    ];
    const named = bounds.map(([name, most]) => ({ name, most, recent: this.#recent(name, nowMs) }));
    const isNew = ({ recent }: (typeof named)[number]): boolean => !recent.has(depositor);
    const rejection = named
      .filter(isNew)
      .map(({ most, recent }): DepositsRationed | null =>
        rationed('caller', [...recent.values()], most, nowMs),
      )
      .find((each) => each !== null);
    if (rejection !== undefined) throw rejection;
    for (const { name, recent } of named) {
      this.#named.delete(name);
      // A repeated depositor keeps its first time, so that it leaves the count after an hour.
      this.#named.set(name, new Map([[depositor, nowMs], ...recent]));
    }
    for (const oldest of this.#named.keys()) {
      if (this.#named.size <= MAX_REMEMBERED) break;
      this.#named.delete(oldest);
    }
  }

  #recent(name: string, nowMs: number): ReadonlyMap<Felt, number> {
    const known = this.#named.get(name) ?? new Map<Felt, number>();
    return new Map([...known].filter(([, atMs]) => atMs > nowMs - RATION_WINDOW_MS));
  }
}
