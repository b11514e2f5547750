import type { LaneDiagnosis } from './lane-diagnosis.js';
import type { Lane } from './lane.js';

/**
 * Minimum time in ms for which a lane must have been unable to send before this instance gives it
 * up. A slow poll lasts longer than a short lease.
 */
const UNABLE_MS = 10_000;

/** Obstacles that concern this instance: another instance may be able to send on the lane. */
const OBSTACLES_OF_INSTANCE: ReadonlySet<string> = new Set(['WRONG_CHAIN', 'ACCOUNT_NOT_READ']);

/**
 * Knows whether this instance is able to send on a lane. The lane's balance, nonces and pauses are
 * the same for every instance, so they have no effect.
 */
export class LaneAbility {
  /** Last time at which this instance was able to send on its lane, in ms; null if not held. */
  #ableAtMs: number | null = null;
  /** Time of the first poll since the lane is held, in ms. */
  #heldSinceMs = 0;

  constructor(
    private readonly lane: Lane,
    private readonly diagnosis: LaneDiagnosis,
    /** True if the settings contain the lane's key, so that this instance may send on the lane. */
    private readonly isConfigured: boolean,
  ) {}

  /**
   * True if signer and node work, and the node has shown enough of the chain to judge the ledger.
   * False after a held lane was unable to send for the duration of a lease, at least ten seconds.
   */
  get isAble(): boolean {
    const { settings, deps, judge, isHeld } = this.lane;
    if (!this.#isForSends) return false;
    if (!isHeld) return !judge.waitsForNode && this.diagnosis.isAble;
    if (this.#ableAtMs === null) return false;
    const sinceMs = judge.waitsForNode ? this.#heldSinceMs : this.#ableAtMs;
    return deps.clock.monotonicMs() - sinceMs < Math.max(settings.leaseTtlMs, UNABLE_MS);
  }

  /** Records a poll of a lane without a lease of this instance, and checks the account. */
  async polledUnheld(): Promise<void> {
    this.#ableAtMs = null;
    if (this.#isForSends) await this.diagnosis.recheck({ always: true });
  }

  /**
   * Records the start of a poll of the held lane. A lane that was just leased gets time to show
   * that it can send: failures under an earlier lease show nothing.
   */
  pollBegins(): void {
    if (this.#ableAtMs !== null) return;
    this.lane.forgetFailures();
    this.#heldSinceMs = this.lane.deps.clock.monotonicMs();
    this.#ableAtMs = this.#heldSinceMs;
  }

  /**
   * Records a successful poll of the held lane.
   * @param obstacle reason why the chain allows no work on the lane; null if there is none
   */
  polled(atMs: number, obstacle: string | null): void {
    const isAble =
      this.diagnosis.problem === null &&
      !OBSTACLES_OF_INSTANCE.has(obstacle ?? '') &&
      !this.lane.cannotSign &&
      !this.lane.sends.isUnanswered;
    if (isAble) this.#ableAtMs = atMs;
  }

  get #isForSends(): boolean {
    const { isRetiring = false, isLeftToOthers = false } = this.lane.identity;
    return this.isConfigured && !isRetiring && !isLeftToOthers;
  }
}
