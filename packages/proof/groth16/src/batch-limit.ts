import { systemClock, type Clock } from '@sotto/kernel';

/**
 * Maximum number of proofs in a batch. Larger batches would save little per proof, and their proofs
 * would wait longer.
 */
export const MAX_BATCH = 16;

/**
 * Number of consecutive valid proofs required before proofs are checked in batches again. A batch
 * with an invalid proof costs up to 2.8 times as much as separate checks of its proofs. This extra
 * cost is a tenth of the cost of `SOUND_BEFORE_BATCHES` checks, so an attacker gains nothing from
 * false proofs in batches.
 */
const SOUND_BEFORE_BATCHES = 256;

/**
 * Time in ms after which batches are used again, even if few proofs were checked in this time. A
 * failed batch costs an extra 0.1 s, which is a fiftieth of a thread’s time in this interval.
 */
const MS_BEFORE_BATCHES = 5_000;

/**
 * Time in ms for which a caller's proofs are checked separately after the caller sent an invalid
 * proof. The time ends early if {@link SOUND_BEFORE_BATCHES} valid proofs of this caller follow.
 */
const SUSPECT_MS = 600_000;
/** Maximum number of remembered callers; the oldest are forgotten first. */
const MAX_SUSPECTS = 1_000;

interface Suspect {
  readonly untilMs: number;
  readonly soundInARow: number;
}

/** Result of one check. */
interface CheckedProof {
  readonly caller: string;
  readonly holds: boolean;
}

/**
 * Limits how many proofs may be checked together, and which callers' proofs. A failed batch
 * disables batches for seconds. For the caller that sent the false proof, proofs are checked
 * separately for minutes, so that this caller can't disable batches again.
 */
export class BatchLimit {
  readonly #suspects = new Map<string, Suspect>();
  #soundInARow = SOUND_BEFORE_BATCHES;
  #offUntilMs = -Infinity;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'> = systemClock) {}

  get size(): number {
    const isOn =
      this.#soundInARow >= SOUND_BEFORE_BATCHES || this.clock.monotonicMs() >= this.#offUntilMs;
    return isOn ? MAX_BATCH : 1;
  }

  /** Returns true if the caller's proofs are checked separately. */
  checksAlone(caller: string): boolean {
    const suspect = this.#suspects.get(caller);
    return suspect !== undefined && suspect.untilMs > this.clock.monotonicMs();
  }

  /** Records a batch whose proofs are all valid. */
  passed(checks: readonly CheckedProof[]): void {
    this.#soundInARow += checks.length;
    for (const { caller } of checks) {
      const suspect = this.#suspects.get(caller);
      if (suspect === undefined) continue;
      const soundInARow = suspect.soundInARow + 1;
      if (soundInARow >= SOUND_BEFORE_BATCHES) this.#suspects.delete(caller);
      else this.#suspects.set(caller, { ...suspect, soundInARow });
    }
  }

  /**
   * Records a batch with an invalid proof. If the batch is a single proof, batches stay enabled,
   * because the check has delayed no other caller.
   */
  failed(checks: readonly CheckedProof[]): void {
    for (const { caller, holds } of checks) if (!holds) this.#suspect(caller);
    if (checks.length > 1) this.died();
  }

  /** Records a batch whose check ended its worker thread. */
  died(): void {
    this.#soundInARow = 0;
    this.#offUntilMs = this.clock.monotonicMs() + MS_BEFORE_BATCHES;
  }

  #suspect(caller: string): void {
    this.#suspects.delete(caller);
    const untilMs = this.clock.monotonicMs() + SUSPECT_MS;
    this.#suspects.set(caller, { untilMs, soundInARow: 0 });
    const [oldest] = this.#suspects.keys();
    if (this.#suspects.size > MAX_SUSPECTS && oldest !== undefined) this.#suspects.delete(oldest);
  }
}
