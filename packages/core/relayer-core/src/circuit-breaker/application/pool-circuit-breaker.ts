import { settle, type Caller, type Clock, type Felt } from '@sotto/kernel';
import type { Acceptance, Requested, LaneRole, QueueFull } from '@sotto/submission-core';
import { BUDGET_WINDOW_MS, type AttemptKind, type LiveEntry } from '../domain/money.js';
import {
  LONGEST_UPSTREAM_PAUSE_MS,
  beyondLossBudget,
  judgePool,
  type GuardFacts,
  type GuardLimits,
  type PauseCause,
  type PoolVerdict,
} from '../domain/pool-circuit-breaker.js';
import { moneyOf, type PoolPnl } from '../domain/pool-pnl.js';
import { queueShareRejection } from '../domain/queue-share.js';
import type { RelayedPool } from '../../pools/domain/pool.js';
import { PRIVATE_ACTION_KIND } from '../../pools/domain/private-action-key.js';
import { swapSuspension } from '../domain/user-losses.js';
import {
  BudgetExhausted,
  NoteSwapsSuspended,
  PoolPaused,
  type CallerBudgetExhausted,
} from '../../errors.js';
import type { PoolControls } from '../ports/pool-controls.port.js';
import { UsedTrials } from './used-trials.js';
import { Attributions } from './attributions.js';
import { CallerShares, REFUSAL_WINDOW_MS } from './caller-shares.js';
import type { ExclusiveLocks } from '../../relay/application/exclusive-locks.js';
import type { MoneySnapshot, SettlementWindow } from './settlement-window.js';
import { secondsUntil } from '../../relay/domain/seconds-until.js';

export interface GuardPolicy {
  readonly limits: GuardLimits;
  readonly pools: readonly RelayedPool[];
  /**
   * Maximum number of attempts in the queue of each role. A network may use only a share of these
   * positions.
   */
  readonly maxWaitingPerRole: number;
  /** Pauses by configuration: the reason of each pause, by pool address. */
  readonly paused?: ReadonlyMap<Felt, string>;
  /**
   * Called when users' losses in a pool begin to exceed the pool's loss budget, and when they no
   * longer exceed it.
   * @default no-op
   */
  readonly strictnessChanged?: (pool: RelayedPool, isStrict: boolean) => void;
  /**
   * Returns true while a guard contract makes reverts of withdrawals cheap. While this is so, a
   * withdrawal is not rejected because of its caller's losses. Exceptions: the pool's loss budget
   * is used up, or the policy closes the pool when it is used up.
   * @default never
   */
  readonly isGuarded?: () => boolean;
  /** Callers of attempts. @default an object that only this breaker uses */
  readonly attributions?: Attributions;
}

/** Breaker's verdict on a pool, for status and monitoring. */
export interface GuardedPool {
  readonly pool: RelayedPool;
  readonly relays: PoolVerdict;
  readonly batches: PoolVerdict;
  readonly deposits: PoolVerdict;
  /**
   * True if users' losses exceed the pool's loss budget. While this is so, each caller may have
   * only one request in flight.
   */
  readonly isStrict: boolean;
  /** Income and cost of the pool in the last hour. */
  readonly money: PoolPnl;
}

export type GuardRejection =
  PoolPaused | BudgetExhausted | CallerBudgetExhausted | NoteSwapsSuspended | QueueFull;

/** Value of `Retry-After` for a pause whose end is unknown, in seconds. */
const UNKNOWN_RETRY_SECONDS = 60;

/** Request to relay a note, with its caller and the role of the lanes that send it. */
export interface NoteRequest {
  readonly pool: RelayedPool;
  readonly key: string;
  readonly requested: Pick<Requested, 'effect'>;
  readonly caller: Caller;
  readonly role: LaneRole;
}

/** Attempt that the breaker is about to write. */
export type Entry =
  | (NoteRequest & { readonly kind: 'relay'; readonly costFri: bigint })
  /** A batch or deposit has no caller: its cost counts against none. */
  | {
      readonly kind: 'batch' | 'deposit';
      readonly pool: RelayedPool;
      readonly key: string;
      readonly costFri: null;
    };

interface Reservation extends LiveEntry {
  readonly caller: Caller | null;
  /** Time of the write, by the monotonic clock, in milliseconds; null before the write. */
  readonly takenAtMs: number | null;
}

/**
 * Limits the losses of each pool. The breaker judges pools and notes by durable rows only, so every
 * pause survives a restart and all instances reach the same verdict. Attempts that this instance
 * has just accepted are included before their rows can be read. Of the breaker's data, only the
 * callers are stored in memory.
 */
export class PoolCircuitBreaker {
  #reserved: readonly Reservation[] = [];
  readonly #strict = new Set<Felt>();
  readonly #shares: CallerShares;
  readonly #trials = new UsedTrials();
  #upstreamAnsweredAtMs: number | null = null;

  constructor(
    private readonly view: SettlementWindow,
    private readonly controls: PoolControls,
    private readonly claims: ExclusiveLocks,
    private readonly clock: Clock,
    private readonly policy: GuardPolicy,
  ) {
    this.#shares = new CallerShares(policy.limits, policy.attributions ?? new Attributions());
  }

  /**
   * Returns the error if no attempt of this kind may begin in the pool now. Returns null if an
   * attempt may begin, or may begin as a trial. Rejects with the error of the store.
   */
  async peek(pool: RelayedPool, kind: AttemptKind): Promise<GuardRejection | null> {
    return this.#rejection({ pool, kind }, this.#facts(pool, await this.view.now()));
  }

  /**
   * Returns the error if this request's attempt may not begin now, including the losses of its
   * caller and note. Returns null if the attempt may begin. Rejects with the error of the store.
   */
  async acquire(request: NoteRequest): Promise<GuardRejection | null> {
    const suspended = await this.#suspended(request);
    return (
      this.#rejection(
        { ...request, kind: 'relay' },
        this.#facts(request.pool, await this.view.now()),
      ) ?? suspended
    );
  }

  /**
   * Writes an attempt after a final check, because the pool may have closed since the admission
   * began. After a pause only one attempt is admitted at a time, as a trial. If this attempt is not
   * written, the next attempt becomes the trial. Written attempts are included in verdicts
   * immediately.
   * @throws PoolPaused, BudgetExhausted, QueueFull, CallerBudgetExhausted, NoteSwapsSuspended, and
   *   the errors of `submit`
   */
  async confirm(entry: Entry, submit: () => Promise<Acceptance>): Promise<Acceptance> {
    const { pool, kind, key, costFri } = entry;
    const caller = entry.kind === 'relay' ? entry.caller : null;
    const suspended = await this.#suspended(entry);
    if (suspended !== null) throw suspended;
    const snapshot = await this.view.now();
    // Do not await between this line and the reservation. Of two concurrent requests, the second
    // must see the reservation of the first.
    const facts = this.#facts(pool, snapshot);
    const verdict = judgePool(pool, kind, facts, this.policy.limits);
    const rejection = this.#rejection(entry, facts, verdict);
    if (rejection !== null) throw rejection;
    const reservation: Reservation = {
      key,
      kind: reservedKindOf(entry),
      subject: pool.address,
      role: entry.kind === 'relay' ? entry.role : 'relay',
      isWaiting: true,
      costFri,
      caller,
      acceptedAtMs: this.clock.nowMs(),
      takenAtMs: null,
    };
    this.#reserved = [...this.#reserved, reservation];
    const trial = verdict.kind === 'trial' ? verdict : null;
    try {
      if (trial !== null && this.#trials.hasUsed(trial.claim, caller))
        throw trialTaken(trial.cause);
      if (trial !== null && !(await this.claims.take(trial.claim, key)))
        throw trialTaken(trial.cause);
      const acceptance = await this.#submitted(trial?.claim ?? null, key, submit);
      const takenAtMs = this.clock.monotonicMs();
      const isNew = acceptance.kind === 'accepted';
      if (isNew && caller !== null) this.#shares.accepted(acceptance.attempt, caller, takenAtMs);
      if (isNew && trial !== null) this.#trials.use(trial.claim, caller);
      this.#reserved = this.#reserved.flatMap((other) =>
        other !== reservation ? [other] : isNew ? [{ ...other, takenAtMs }] : [],
      );
      return acceptance;
    } catch (error) {
      this.#reserved = this.#reserved.filter((other) => other !== reservation);
      throw error;
    }
  }

  /**
   * Submits the attempt. If nothing was written, releases the lock of the trial. If the store is
   * unavailable, the lock is not released; it expires later.
   */
  async #submitted(
    claim: string | null,
    key: string,
    submit: () => Promise<Acceptance>,
  ): Promise<Acceptance> {
    try {
      return await submit();
    } catch (error) {
      if (claim !== null) await settle(this.claims.release(claim, key));
      throw error;
    }
  }

  /**
   * Records whether node and prices could be read for an admission. Concurrent failures are counted
   * as one failed trial. A failed write is ignored, because a service whose store is unavailable
   * rejects every admission anyway.
   */
  async recordUpstream(pool: RelayedPool, answered: boolean): Promise<void> {
    const facts = this.#facts(pool, await this.view.now());
    const failures = facts.control?.upstream.failures ?? 0;
    if (answered) {
      if (failures === 0) return;
      await settle(this.controls.upstreamAnswered(pool.address));
    } else {
      const { limits } = this.policy;
      const verdict = judgePool(pool, 'relay', facts, limits);
      // The admission that failed here began before the pause, so it is no trial.
      if (verdict.kind === 'paused' && verdict.cause === 'upstream') return;
      const atMost = Math.max(failures, limits.upstreamFailuresInARow - 1);
      await settle(this.controls.upstreamFailed(pool.address, facts.nowMs, atMost));
    }
    this.view.forget();
  }

  /**
   * Records that node and prices are available again. Pools that were paused for upstream failures
   * get a trial immediately.
   * @param atMs start of the successful poll, in Unix milliseconds
   */
  noteUpstreamAnswers(atMs: number): void {
    this.#upstreamAnsweredAtMs = atMs;
  }

  /** Returns the verdicts on every served pool. Rejects with the error of the store. */
  async pools(): Promise<readonly GuardedPool[]> {
    const snapshot = await this.view.now();
    const { limits } = this.policy;
    return this.policy.pools.map((pool) => {
      const facts = this.#facts(pool, snapshot);
      return {
        pool,
        relays: judgePool(pool, 'relay', facts, limits),
        batches: judgePool(pool, 'batch', facts, limits),
        deposits: judgePool(pool, 'deposit', facts, limits),
        isStrict: this.#isStrict(pool, facts),
        money: moneyOf(pool, snapshot.ended, snapshot.live),
      };
    });
  }

  #rejection(
    { pool, kind, caller, role }: Pick<Entry, 'pool' | 'kind'> & Partial<NoteRequest>,
    facts: GuardFacts,
    verdict = judgePool(pool, kind, facts, this.policy.limits),
  ): GuardRejection | null {
    const rejection = rejectionOf(verdict, facts.nowMs);
    if (rejection !== null || caller === undefined) return rejection;
    const callerOf = (key: string): Caller | null => this.#callerOf(key);
    const waiting = facts.live.filter((entry) => entry.isWaiting && entry.role === role);
    const { maxWaitingPerRole } = this.policy;
    const queueFull = queueShareRejection(caller, waiting, callerOf, maxWaitingPerRole);
    if (queueFull !== null) return queueFull;
    const isStrict = this.#isStrict(pool, facts);
    // The guard contract guards withdrawals only, so reverts of private actions are not cheap.
    const isGuarded =
      role === 'relay' && pool.kind !== 'privacy' && this.policy.isGuarded?.() === true;
    // A cheap revert still costs something, so the loss budget limits the sum of such reverts.
    if (isGuarded && !isStrict && !this.policy.limits.lossBudgetCloses) return null;
    const live = facts.live.filter(
      ({ subject, costFri }) => costFri !== null && subject === pool.address,
    );
    const isOfSwaps = role === 'swap_owner';
    return this.#shares.rejection(caller, isOfSwaps, {
      losses: facts.ended.userLosses(pool, facts.nowMs - BUDGET_WINDOW_MS),
      refusals: facts.ended.refusals(pool.address, facts.nowMs - REFUSAL_WINDOW_MS),
      live,
      callerOf,
      nowMs: facts.nowMs,
      isStrict: isStrict && !isGuarded,
    });
  }

  /**
   * Returns the error if the note's swaps are suspended. A plain withdrawal of the note is always
   * possible.
   */
  async #suspended({
    key,
    requested,
    role,
  }: Pick<Entry, 'key'> & Partial<NoteRequest>): Promise<NoteSwapsSuspended | null> {
    if (role !== 'swap_owner' || requested === undefined) return null;
    const reverts = await this.view.revertsOf(key);
    const nowMs = this.clock.nowMs();
    const suspension = swapSuspension(reverts, requested.effect, nowMs, this.policy.limits);
    if (suspension === null) return null;
    const { scope, untilMs } = suspension;
    const retryAfterSeconds = secondsUntil(untilMs, nowMs);
    return new NoteSwapsSuspended({ details: { scope }, retryAfterSeconds });
  }

  #isStrict(pool: RelayedPool, facts: GuardFacts): boolean {
    const isStrict = beyondLossBudget(pool, facts, this.policy.limits) !== null;
    if (isStrict !== this.#strict.has(pool.address)) {
      if (isStrict) this.#strict.add(pool.address);
      else this.#strict.delete(pool.address);
      this.policy.strictnessChanged?.(pool, isStrict);
    }
    return isStrict;
  }

  #callerOf(key: string): Caller | null {
    return (
      this.#reserved.find((reservation) => reservation.key === key)?.caller ??
      this.#shares.callerOfKey(key)
    );
  }

  #facts(pool: RelayedPool, { ended, live, controls, takenAtMs }: MoneySnapshot): GuardFacts {
    this.#reserved = this.#reserved.filter(
      (reservation) => reservation.takenAtMs === null || reservation.takenAtMs >= takenAtMs,
    );
    const known = new Set(live.map(({ key }) => key));
    return {
      nowMs: this.clock.nowMs(),
      ended,
      live: [...live, ...this.#reserved.filter(({ key }) => !known.has(key))],
      control: controls.find((control) => control.pool === pool.address) ?? null,
      configured: this.policy.paused?.get(pool.address) ?? null,
      upstreamAnsweredAtMs: this.#upstreamAnsweredAtMs,
    };
  }
}

/**
 * Returns the kind of a reservation. For the verdict, only deposits, swaps and private actions must
 * be distinguishable from the other kinds.
 */
function reservedKindOf(entry: Entry): string {
  if (entry.kind !== 'relay') return entry.kind;
  if (entry.pool.kind === 'privacy') return PRIVATE_ACTION_KIND;
  return entry.role === 'swap_owner' ? 'private_swap' : entry.kind;
}

const trialTaken = (cause: PauseCause): GuardRejection =>
  new PoolPaused({
    details: { cause },
    retryAfterSeconds:
      cause === 'upstream' ? LONGEST_UPSTREAM_PAUSE_MS / 1_000 : UNKNOWN_RETRY_SECONDS,
  });

function rejectionOf(verdict: PoolVerdict, nowMs: number): GuardRejection | null {
  switch (verdict.kind) {
    case 'open':
    case 'trial':
      return null;
    case 'paused': {
      const { cause, reason, untilMs } = verdict;
      return new PoolPaused({
        details: { cause, ...(reason === null ? {} : { reason }) },
        retryAfterSeconds: untilMs === null ? UNKNOWN_RETRY_SECONDS : secondsUntil(untilMs, nowMs),
      });
    }
    case 'exhausted':
      return new BudgetExhausted({
        details: { scope: verdict.scope },
        retryAfterSeconds: secondsUntil(verdict.untilMs, nowMs),
      });
  }
}
