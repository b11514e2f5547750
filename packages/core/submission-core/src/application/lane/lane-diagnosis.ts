import { DomainError } from '@sotto/kernel';
import type { RejectionCause } from '../../domain/events.js';
import type { AccountProblem } from '../../ports/chain.port.js';
import { bounded } from '../bounded.js';
import type { Lane } from './lane.js';

/** Milliseconds between two checks of an account that can't sign. */
const RECHECK_MS = 30_000;

/**
 * Checks whether a lane's account can sign. The check runs at the start, and when a node's
 * rejection points to the account.
 */
export class LaneDiagnosis {
  #problem: AccountProblem | null = null;
  #checkedAtMs: number | null = null;
  #checking: Promise<boolean> | null = null;
  #checkingNext: Promise<boolean> | null = null;

  constructor(private readonly lane: Lane) {}

  /** Reason why the account can't sign; null if the account can sign or was not checked yet. */
  get problem(): AccountProblem | null {
    return this.#problem;
  }

  /**
   * True if the account could sign at the last check, and this check is recent. The caller
   * has to repeat {@link recheck} with `always`.
   */
  get isAble(): boolean {
    if (this.#problem !== null || this.#checkedAtMs === null) return false;
    return this.lane.deps.clock.monotonicMs() - this.#checkedAtMs < 2 * RECHECK_MS;
  }

  /**
   * Checks the account at the first poll, and repeatedly while the account has a problem.
   * @param always true to repeat the check while the account has no problem
   */
  async recheck({ always = false } = {}): Promise<void> {
    const nowMs = this.lane.deps.clock.monotonicMs();
    const isDue =
      this.#checkedAtMs === null ||
      ((always || this.#problem !== null) && nowMs - this.#checkedAtMs >= RECHECK_MS);
    if (isDue) await (this.#checking ?? this.#begin());
  }

  /**
   * Returns the cause of a rejection that may be due to the account; null if the account can't be
   * checked now.
   */
  async causeOf(hasOtherLane: boolean): Promise<RejectionCause | null> {
    if (!(await this.#checkFromNow())) return null;
    if (this.#problem !== null) return 'lane';
    return hasOtherLane ? 'account' : 'call';
  }

  /**
   * Waits for a check that begins after this call. A single check serves all calls made before it
   * began. The result of a check that is already running is not used, because that check may have
   * read before the rejection. Returns false if the check failed; no conclusion is drawn then.
   */
  #checkFromNow(): Promise<boolean> {
    this.#checkingNext ??= this.#beginAfter(this.#checking);
    return this.#checkingNext;
  }

  async #beginAfter(current: Promise<boolean> | null): Promise<boolean> {
    await Promise.allSettled([current]);
    this.#checkingNext = null;
    // If another check has started in the meantime, use that check.
    return this.#checking ?? this.#begin();
  }

  #begin(): Promise<boolean> {
    this.#checking = this.#query().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #query(): Promise<boolean> {
    const { accountCheck, clock, logger } = this.lane.deps;
    try {
      const problem = await bounded(
        clock,
        this.lane.settings.lookTimeoutMs,
        accountCheck.problemOf(this.lane.address),
      );
      if (problem !== this.#problem) {
        if (problem === null)
          logger.info({ lane: this.lane.address }, 'the account can sign again');
        else
          logger.error(
            { lane: this.lane.address, problem },
            'the account can not sign: its lane rests',
          );
      }
      this.#problem = problem;
      this.#checkedAtMs = clock.monotonicMs();
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      logger.warn(
        { lane: this.lane.address, code: error.code },
        'the account could not be checked',
      );
      return false;
    }
  }
}
