import { mostOf, widestOf, type Caller, type Clock, type Felt } from '@sotto/kernel';
import {
  DepositSignatureUnchecked,
  DepositorTooSlow,
  type DepositsRationed,
} from '../../deposit-errors.js';
import { FairSemaphore } from '../../relay/application/fair-semaphore.js';
import { RATION_WINDOW_MS, rationed } from '../../pools/domain/deposit-traffic.js';
import type { ConsentCheck, SignedConsent } from '../ports/consent-check.port.js';

/**
 * Accounts that run at a time. A node runs about one call per core, so four slow accounts leave a
 * node of eight cores able to answer others. A network gets a quarter of them, as of all shared
 * capacities. The queue of a network is bounded: a request beyond it is refused at once.
 */
const SLOTS = { slots: 4, slotsPerName: 1, waitingPerName: 16 };
/**
 * Wait of a network after the first missed deadline. It doubles with each further one, up to the
 * longest.
 */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 64 * FIRST_WAIT_MS;
/**
 * Pairs of depositor and network, and callers, whose failures are kept. To evict one, a stranger
 * needs so many deployed accounts with the pool's denomination, times networks, or this many
 * addresses, within the hour.
 */
const MAX_REMEMBERED = 10_000;
/**
 * Failed checks of one caller within an hour: twice as many as deposits that a depositor may begin,
 * so that honest mistakes fit.
 */
const FAILURES_PER_HOUR = 12;

interface SlowAccount {
  readonly untilMs: number;
  readonly waitMs: number;
}

/**
 * Bounds the calls into depositors' accounts, whose code strangers write: one call at a time for
 * each caller and each depositor, in a fair queue over networks. All of it is in memory, for each
 * instance of the service by itself.
 */
export class DepositorAccounts {
  readonly #slots = new FairSemaphore(SLOTS);
  /** By depositor and network, since anybody can name any depositor while the node is slow. */
  readonly #slow = new Map<string, SlowAccount>();
  readonly #failures = new Map<string, readonly number[]>();

  constructor(
    private readonly consents: ConsentCheck,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns whether the account says that the signature is its own.
   * @param recheck called once the call's turn has come, right before it. An error that it rejects
   *   with is the answer
   * @throws DepositorTooSlow, DepositsRationed or Overloaded before the account is called;
   *   DepositSignatureUnchecked if it missed the deadline; the error of the node
   */
  async isGiven(
    signed: SignedConsent,
    caller: Caller,
    recheck: () => Promise<void>,
  ): Promise<boolean> {
    const { depositor } = signed;
    this.#assertAllowed(depositor, caller);
    return this.#slots.run(
      // One of a network at a time, so one of each caller.
      widestOf(caller),
      caller,
      async () => {
        await recheck();
        // Others may have failed while this one waited.
        this.#assertAllowed(depositor, caller);
        return this.#call(signed, caller);
      },
      // A caller who waits for an account keeps no other from another account.
      depositor,
    );
  }

  async #call(signed: SignedConsent, caller: Caller): Promise<boolean> {
    try {
      const isGiven = await this.consents.isGiven(signed);
      this.#slow.delete(slowKey(signed.depositor, caller));
      if (!isGiven) this.#failed(caller);
      return isGiven;
    } catch (error) {
      // Of any kind: an account can make a node fail too. A node that is unavailable to everybody
      // has failed the reads before this one.
      this.#failed(caller);
      if (error instanceof DepositSignatureUnchecked)
        this.#missedDeadline(slowKey(signed.depositor, caller));
      throw error;
    }
  }

  #assertAllowed(depositor: Felt, caller: Caller): void {
    const refusal = this.#waits(slowKey(depositor, caller)) ?? this.#rationed(caller);
    if (refusal !== null) throw refusal;
  }

  #waits(key: string): DepositorTooSlow | null {
    const leftMs = (this.#slow.get(key)?.untilMs ?? 0) - this.clock.monotonicMs();
    if (leftMs <= 0) return null;
    return new DepositorTooSlow({ retryAfterSeconds: Math.ceil(leftMs / 1_000) });
  }

  #rationed(caller: Caller): DepositsRationed | null {
    const times = this.#failures.get(caller.name) ?? [];
    const most = mostOf(caller, FAILURES_PER_HOUR);
    return rationed('caller', times, most, this.clock.monotonicMs());
  }

  #failed({ name }: Caller): void {
    const nowMs = this.clock.monotonicMs();
    const times = (this.#failures.get(name) ?? []).filter(
      (atMs) => atMs > nowMs - RATION_WINDOW_MS,
    );
    put(this.#failures, name, [...times, nowMs]);
  }

  /** A wait that ended longer ago than the longest one is forgotten. */
  #missedDeadline(key: string): void {
    const nowMs = this.clock.monotonicMs();
    const before = this.#slow.get(key);
    const isRepeated = before !== undefined && nowMs < before.untilMs + LONGEST_WAIT_MS;
    const waitMs = isRepeated ? Math.min(2 * before.waitMs, LONGEST_WAIT_MS) : FIRST_WAIT_MS;
    put(this.#slow, key, { untilMs: nowMs + waitMs, waitMs });
  }
}

const slowKey = (depositor: Felt, caller: Caller): string => `${depositor}|${widestOf(caller)}`;

/** Puts the newest entry last and evicts the oldest. */
function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_REMEMBERED) break;
    map.delete(oldest);
  }
}
