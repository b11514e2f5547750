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
 * Limits for concurrent calls to accounts. A node runs about one call per core, so with four slow
 * accounts a node of eight cores can still process other requests. One network gets a quarter of
 * the slots, as of all shared capacities. The queue of a network is limited; requests beyond this
 * limit are rejected immediately.
 */
const SLOTS = { slots: 4, slotsPerName: 1, waitingPerName: 16 };
/**
 * Wait of a network after its first missed deadline, in milliseconds. Each further missed deadline
 * doubles the wait, up to `LONGEST_WAIT_MS`.
 */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 64 * FIRST_WAIT_MS;
/**
 * Maximum number of entries in each of two maps: pairs of depositor and network with a missed
 * deadline, and callers with failed checks. To evict an entry within the hour, an attacker needs
 * this many addresses, or this many pairs from deployed accounts that each have the pool's
 * denomination.
 */
const MAX_REMEMBERED = 10_000;
/**
 * Maximum number of failed signature checks of one caller per hour. The limit is twice the number
 * of deposits that a depositor may begin, so that honest mistakes are tolerated.
 */
const FAILURES_PER_HOUR = 12;

interface SlowAccount {
  readonly untilMs: number;
  readonly waitMs: number;
}

/**
 * Limits the calls to depositors' accounts, because the code of these accounts is written by other
 * parties. Each caller and each depositor may have one call at a time, in a queue that is fair
 * between networks. All state is in the memory of this instance.
 */
export class DepositorAccounts {
  readonly #slots = new FairSemaphore(SLOTS);
  /**
   * Missed deadlines by depositor and network. The network is part of the key because, while the
   * node is slow, any caller can make a call to any depositor miss its deadline.
   */
  readonly #slow = new Map<string, SlowAccount>();
  readonly #failures = new Map<string, readonly number[]>();

  constructor(
    private readonly consents: ConsentCheck,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns true if the account confirms that the signature is valid.
   * @param recheck called right before the account is called, after the wait in the queue; its
   *   error is rethrown
   * @throws DepositorTooSlow, DepositsRationed or Overloaded before the account is called;
   *   DepositSignatureUnchecked if the account missed the deadline; the error of the node
   */
  async isGiven(
    signed: SignedConsent,
    caller: Caller,
    recheck: () => Promise<void>,
  ): Promise<boolean> {
    const { depositor } = signed;
    this.#assertAllowed(depositor, caller);
    return this.#slots.run(
      // Run one call per network at a time. This also limits each caller to one call.
      widestOf(caller),
      caller,
      async () => {
        await recheck();
        // Check the limits again, because other calls may have failed while this call waited.
        this.#assertAllowed(depositor, caller);
        return this.#call(signed, caller);
      },
      // Calls of different networks to the same depositor run one at a time. A caller that waits
      // for one account must not block the calls to other accounts.
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
      // Count every kind of error as a failure of the account, because an account can make the node
      // fail too. If the node itself were unavailable, the reads before this call would have failed
      // already.
      this.#failed(caller);
      if (error instanceof DepositSignatureUnchecked)
        this.#missedDeadline(slowKey(signed.depositor, caller));
      throw error;
    }
  }

  #assertAllowed(depositor: Felt, caller: Caller): void {
    const rejection = this.#waits(slowKey(depositor, caller)) ?? this.#rationed(caller);
    if (rejection !== null) throw rejection;
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

  /** Doubles the wait, unless the last wait ended more than `LONGEST_WAIT_MS` ago. */
  #missedDeadline(key: string): void {
    const nowMs = this.clock.monotonicMs();
    const before = this.#slow.get(key);
    const isRepeated = before !== undefined && nowMs < before.untilMs + LONGEST_WAIT_MS;
    const waitMs = isRepeated ? Math.min(2 * before.waitMs, LONGEST_WAIT_MS) : FIRST_WAIT_MS;
    put(this.#slow, key, { untilMs: nowMs + waitMs, waitMs });
  }
}

const slowKey = (depositor: Felt, caller: Caller): string => `${depositor}|${widestOf(caller)}`;

/** Inserts the entry as the newest, and evicts the oldest entries above the maximum. */
function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_REMEMBERED) break;
    map.delete(oldest);
  }
}
