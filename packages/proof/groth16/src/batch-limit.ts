import { systemClock, type Clock } from '@sotto/kernel';

/** Above this a batch gains little per proof, and those in it wait longer. */
export const MAX_BATCH = 16;

/**
 * So many checks in a row have to hold before proofs are checked together again: a batch with a
 * proof that does not hold costs up to 2.8 times what its members cost alone, which is a tenth of
 * what so many cost. So false proofs gain nothing by being among others.
 */
const SOUND_BEFORE_BATCHES = 256;

/**
 * Proofs are checked together again after so long too, however few were checked meanwhile: what a
 * batch that failed costs in addition, about 0.1 s, is then a fiftieth of a thread's time.
 */
const MS_BEFORE_BATCHES = 5_000;

/** A caller of a proof that did not hold is in no batch for so long, or until as many held. */
const SUSPECT_MS = 600_000;
/** Callers that are remembered; the oldest are forgotten first. */
const MAX_SUSPECTS = 1_000;

interface Suspect {
  readonly untilMs: number;
  readonly soundInARow: number;
}

/** An answer to one check. */
interface CheckedProof {
  readonly caller: string;
  readonly holds: boolean;
}

/**
 * How many proofs may be checked together now, and whose. A batch that failed ends batches for
 * seconds; the caller of the false proof is checked alone for minutes, so that it can
 * not end them again.
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

  /** Whether the caller's proofs are checked one by one. */
  checksAlone(caller: string): boolean {
    const suspect = this.#suspects.get(caller);
    return suspect !== undefined && suspect.untilMs > this.clock.monotonicMs();
  }

  /** All of a batch held. */
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

  /** One of a batch did not hold. One that was checked alone has cost no other caller anything. */
  failed(checks: readonly CheckedProof[]): void {
    for (const { caller, holds } of checks) if (!holds) this.#suspect(caller);
    if (checks.length > 1) this.died();
  }

  /** A batch ended its thread. */
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
