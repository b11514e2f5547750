import type { Clock, Felt } from '@sotto/kernel';
import type { Acceptance } from '@sotto/submission-core';
import type { AttemptKind, LiveEntry } from '../domain/money.js';
import { judgePool, type GuardLimits, type PauseCause, type PoolVerdict } from '../domain/pool-guard.js';
import { moneyOf, type PoolMoney } from '../domain/pool-money.js';
import type { ServedPool } from '../domain/pool.js';
import { BudgetExhausted, PoolPaused } from '../errors.js';
import type { PoolControls } from '../ports/pool-controls.port.js';
import type { ExclusiveClaims } from './exclusive-claims.js';
import { findLater } from './finding.js';
import type { MoneySnapshot, MoneyView } from './money-view.js';

export interface GuardPolicy {
  readonly limits: GuardLimits;
  readonly pools: readonly ServedPool[];
  /** Reasons of pauses by configuration, by pool. */
  readonly paused?: ReadonlyMap<Felt, string>;
}

/** What the guard knows of a pool, for those who watch over it. */
export interface GuardedPool {
  readonly pool: ServedPool;
  readonly relays: PoolVerdict;
  readonly batches: PoolVerdict;
  /** Of the last hour. */
  readonly money: PoolMoney;
}

export type GuardRefusal = PoolPaused | BudgetExhausted;

/** When a pool that is paused until somebody resumes it may be asked for again. */
const UNKNOWN_RETRY_SECONDS = 60;

/** An attempt that is about to be written. */
export interface Entry {
  readonly pool: ServedPool;
  readonly kind: AttemptKind;
  readonly key: string;
  /** Null for what earns no fee. */
  readonly costFri: bigint | null;
}

interface Reservation extends LiveEntry {
  /** When it was written, by the monotonic clock; null before it is. */
  readonly takenAtMs: number | null;
}

/**
 * Keeps a pool from costing more than it may. Judges by durable rows alone, so that a restart forgets no pause and all instances agree;
 * only what this instance has just accepted is counted before its row can be read.
 */
export class PoolGuard {
  #reserved: readonly Reservation[] = [];

  constructor(
    private readonly view: MoneyView,
    private readonly controls: PoolControls,
    private readonly claims: ExclusiveClaims,
    private readonly clock: Clock,
    private readonly policy: GuardPolicy,
  ) {}

  /** Why no attempt of the kind may begin in the pool now; null when one may, or may be tried. Rejects with the fault of the store. */
  async look(pool: ServedPool, kind: AttemptKind): Promise<GuardRefusal | null> {
    return refusalOf(await this.#verdict(pool, kind), this.clock.nowMs());
  }

  /**
   * Has an attempt written that nothing else refuses: what was open when its admission began may not be any more. Where a pause has just
   * ended, one attempt gets through at a time, and one that is not written leaves the trial to the next. What is written counts at once.
   * @throws PoolPaused, BudgetExhausted, and what `submit` throws
   */
  async enter({ pool, kind, key, costFri }: Entry, submit: () => Promise<Acceptance>): Promise<Acceptance> {
    const verdict = await this.#verdict(pool, kind);
    const refusal = refusalOf(verdict, this.clock.nowMs());
    if (refusal !== null) throw refusal;
    const reservation: Reservation = { key, costFri, acceptedAtMs: this.clock.nowMs(), takenAtMs: null };
    this.#reserved = [...this.#reserved, reservation];
    const trial = verdict.kind === 'trial' ? verdict : null;
    try {
      if (trial !== null && !(await this.claims.take(trial.claim, key))) throw trialTaken(trial.cause);
      const acceptance = await this.#submitted(trial?.claim ?? null, key, submit);
      const isNew = acceptance.kind === 'accepted';
      this.#reserved = this.#reserved.flatMap((other) =>
        other !== reservation ? [other] : isNew ? [{ ...other, takenAtMs: this.clock.monotonicMs() }] : [],
      );
      return acceptance;
    } catch (error) {
      this.#reserved = this.#reserved.filter((other) => other !== reservation);
      throw error;
    }
  }

  /** A claim of what was not written is given back; where the store does not take it, it is given up in time. */
  async #submitted(claim: string | null, key: string, submit: () => Promise<Acceptance>): Promise<Acceptance> {
    try {
      return await submit();
    } catch (error) {
      if (claim !== null) await findLater(this.claims.release(claim, key));
      throw error;
    }
  }

  /**
   * Takes note of whether node and prices could be read for an admission. What can't be noted is left: a store that is down refuses
   * every admission anyway.
   */
  async observed(pool: ServedPool, answered: boolean): Promise<void> {
    if (!answered) {
      await findLater(this.controls.upstreamFailed(pool.address, this.clock.nowMs()));
      this.view.forget();
      return;
    }
    const { controls } = await this.view.now();
    const failures = controls.find((control) => control.pool === pool.address)?.upstream.failures ?? 0;
    if (failures === 0) return;
    await findLater(this.controls.upstreamAnswered(pool.address));
    this.view.forget();
  }

  /** Every served pool. Rejects with the fault of the store. */
  async pools(): Promise<readonly GuardedPool[]> {
    const snapshot = await this.view.now();
    return this.policy.pools.map((pool) => ({
      pool,
      relays: this.#judge(pool, 'relay', snapshot),
      batches: this.#judge(pool, 'batch', snapshot),
      money: moneyOf(pool, snapshot.ended, snapshot.live),
    }));
  }

  async #verdict(pool: ServedPool, kind: AttemptKind): Promise<PoolVerdict> {
    return this.#judge(pool, kind, await this.view.now());
  }

  #judge(pool: ServedPool, kind: AttemptKind, { ended, live, controls, takenAtMs }: MoneySnapshot): PoolVerdict {
    this.#reserved = this.#reserved.filter((reservation) => reservation.takenAtMs === null || reservation.takenAtMs >= takenAtMs);
    const known = new Set(live.map(({ key }) => key));
    const facts = {
      nowMs: this.clock.nowMs(),
      ended,
      live: [...live, ...this.#reserved.filter(({ key }) => !known.has(key))],
      control: controls.find((control) => control.pool === pool.address) ?? null,
      configured: this.policy.paused?.get(pool.address) ?? null,
    };
    return judgePool(pool, kind, facts, this.policy.limits);
  }
}

const trialTaken = (cause: PauseCause): GuardRefusal => new PoolPaused({ details: { cause }, retryAfterSeconds: UNKNOWN_RETRY_SECONDS });

function refusalOf(verdict: PoolVerdict, nowMs: number): GuardRefusal | null {
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
      return new BudgetExhausted({ details: { scope: verdict.scope }, retryAfterSeconds: secondsUntil(verdict.untilMs, nowMs) });
  }
}

function secondsUntil(moment: number, nowMs: number): number {
  return Math.max(1, Math.ceil((moment - nowMs) / 1_000));
}
