import { runIsolated } from '@sotto/kernel';
import { DEADLINE_BLOCK_PASSED, type BlocksLeft } from '../../domain/deadline-block.js';
import { isUnsigned } from '../../domain/transitions/request.js';
import { LANE_ROLES, refOf, type Attempt, type LaneRole } from '../../domain/rows.js';
import type { AttemptCache } from '../lane/attempt-cache.js';
import { bounded } from '../bounded.js';
import type { MachineDependencies } from '../dependencies.js';
import type { LaneStatus } from '../lane/lane-status.js';
import type { SubmissionSettings } from '../settings.js';
import type { StoreTime } from '../store-time.js';

/** Milliseconds between two expiry checks of waiting attempts. */
const EXPIRY_INTERVAL_MS = 1_000;
/** Maximum number of waiting attempts that an expiry check reads per role. */
const EXPIRY_BATCH = 100;
/** Code of an attempt that expired because it got no nonce in time. */
const NO_REASON = 'NOT_SENT_IN_TIME';
/** Code of an attempt that expired because its role has no lane that can sign. */
const NO_LANE = 'NO_USABLE_LANE';

export interface HousekeepingParts {
  readonly deps: Pick<MachineDependencies, 'ledger' | 'clock' | 'logger' | 'changes' | 'failpoint'>;
  readonly settings: Pick<
    SubmissionSettings,
    'lookTimeoutMs' | 'queueTimeoutMs' | 'redactionIntervalMs' | 'retentionMs'
  >;
  readonly hints: AttemptCache;
  readonly storeTime: StoreTime;
  readonly lanes: () => readonly LaneStatus[];
  /** Returns the most blocks in which the attempt's call can still succeed. */
  readonly blocksLeft: (attempt: Attempt) => BlocksLeft;
}

/**
 * Maintains rows independently of the lanes' work. Ends attempts that wait too long, and redacts
 * private data of ended attempts.
 */
export class Housekeeping {
  /** True if an attempt was still waiting at the last expiry check. */
  #waits = true;
  #lastExpiryMs: number | null = null;
  #lastRedactionMs: number | null = null;
  #wiping: Promise<unknown> | null = null;

  constructor(private readonly parts: HousekeepingParts) {}

  get waits(): boolean {
    return this.#waits;
  }

  /**
   * Ends attempts that got no nonce in time by the store's clock (row X of the transition table).
   */
  async expire(): Promise<void> {
    const { deps, storeTime, hints } = this.parts;
    const nowMs = storeTime.nowMs();
    const beganMs = deps.clock.monotonicMs();
    if (nowMs === null || !isDue(this.#lastExpiryMs, beganMs, EXPIRY_INTERVAL_MS)) return;
    let waits = false;
    const queues = await Promise.all(
      LANE_ROLES.map((role) => deps.ledger.waiting(role, EXPIRY_BATCH)),
    );
    for (const [index, role] of LANE_ROLES.entries()) {
      for (const attempt of queues[index] ?? []) {
        const end = this.#endOf(attempt, nowMs, role);
        if (end === null) {
          waits = true;
          continue;
        }
        const { applied } = await deps.ledger.apply({
          type: 'end_waiting',
          attempt: refOf(attempt),
          to: 'expired',
          fingerprint: attempt.fingerprint,
          ...end,
        });
        if (!applied) continue;
        deps.changes.changed(attempt.id);
        hints.forget(attempt);
      }
    }
    this.#waits = waits;
    this.#lastExpiryMs = beganMs;
  }

  /**
   * Starts a redaction if one is due and none is running. No caller waits for the redaction. After
   * a long pause the redaction needs many steps, and polls and sends continue between these steps.
   */
  wipe(): void {
    const { clock, logger } = this.parts.deps;
    const nowMs = clock.monotonicMs();
    if (this.#wiping !== null) return;
    if (!isDue(this.#lastRedactionMs, nowMs, this.parts.settings.redactionIntervalMs)) return;
    this.#lastRedactionMs = nowMs;
    this.#wiping = runIsolated(logger, 'submission work', { what: 'wiping' }, () =>
      this.#wipe(),
    ).finally(() => {
      this.#wiping = null;
    });
  }

  /** Resolves when the running redaction has ended, or after `lookTimeoutMs`. */
  async stop(): Promise<void> {
    const { deps, settings } = this.parts;
    await bounded(deps.clock, settings.lookTimeoutMs, Promise.resolve(this.#wiping)).catch(
      () => undefined,
    );
  }

  async #wipe(): Promise<void> {
    const { ledger, failpoint, logger } = this.parts.deps;
    // Drop all cached calls, because another instance may have redacted or ended attempts without
    // notifying this instance.
    this.parts.hints.forgetCalls();
    const wiped = await ledger.redact(this.parts.settings.retentionMs);
    if (wiped === 0) return;
    failpoint('wiped');
    logger.info({ attempts: wiped }, 'private data of ended attempts wiped');
  }

  /**
   * Returns why the attempt ends now; null if it waits on. The height alone ends only an attempt of
   * which nothing was signed: a rollback lowers the height, and then a signed transaction could
   * still succeed.
   */
  #endOf(
    attempt: Attempt,
    nowMs: number,
    role: LaneRole,
  ): { readonly code: string; readonly notBeforeMs: number; readonly onlyUnsigned?: true } | null {
    const notBeforeMs = this.#waitsUntilMs(attempt);
    if (nowMs >= notBeforeMs) return { code: this.#whyNotSent(role), notBeforeMs };
    return isUnsigned(attempt) && this.parts.blocksLeft(attempt) === 'none'
      ? { code: DEADLINE_BLOCK_PASSED, notBeforeMs: 0, onlyUnsigned: true }
      : null;
  }

  #whyNotSent(role: LaneRole): string {
    const lanes = this.parts.lanes().filter((lane) => lane.role === role);
    return lanes.every(
      ({ state }) => state === 'resting' || state === 'paused' || state === 'retiring',
    )
      ? NO_LANE
      : NO_REASON;
  }

  /**
   * Returns the time until which the attempt may wait. An attempt that was sent before does not
   * expire because of a long queue.
   */
  #waitsUntilMs({ readmit, acceptedAtMs, deadlineMs }: Attempt): number {
    const { queueTimeoutMs } = this.parts.settings;
    return readmit ? deadlineMs : Math.min(acceptedAtMs + queueTimeoutMs, deadlineMs);
  }
}

function isDue(lastMs: number | null, nowMs: number, intervalMs: number): boolean {
  return lastMs === null || nowMs - lastMs >= intervalMs;
}
