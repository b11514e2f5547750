import type { Clock } from '@sotto/kernel';
import { kindOf, nameOf, type Finding, type FindingCode } from './findings.js';

/** A finding of a first read. */
export interface Suspect {
  readonly finding: Finding;
  /** It was read again, with whatever result. */
  readonly isReread: boolean;
}

export interface SuspectTimes {
  /** A finding is read again so long after its first read. */
  readonly confirmAfterMs: number;
  /** The ledger has so long to learn of what the chain shows. */
  readonly settleWithinMs: number;
}

/** No more findings are collected than a look can read again in reasonable time. */
const MOST = 1_000;
/** Settled findings that are remembered, so that each is reported once. */
const REMEMBERED = 10_000;

interface Entry extends Suspect {
  readonly sinceMs: number;
}

/** Findings that wait for their second read, and those that a second read has confirmed. */
export class Suspects {
  readonly #waiting = new Map<string, Entry>();
  readonly #confirmed = new Map<string, Finding>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly times: SuspectTimes,
  ) {}

  get isFull(): boolean {
    return this.#waiting.size >= MOST;
  }

  /** Findings that wait for their first repetition. */
  get unread(): number {
    return [...this.#waiting.values()].filter(({ isReread }) => !isReread).length;
  }

  /** What the ledger still had not settled when it was read again. */
  get pending(): readonly Finding[] {
    const reread = [...this.#waiting.values()].filter(
      ({ finding, isReread }) => isReread && kindOf(finding.code) === 'pending',
    );
    return reread.map(({ finding }) => finding);
  }

  get confirmed(): readonly Finding[] {
    return [...this.#confirmed.values()];
  }

  /** Findings that are known already change nothing. */
  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const name = nameOf(finding);
      if (this.#confirmed.has(name) || this.#waiting.has(name) || this.isFull) continue;
      this.#waiting.set(name, { finding, sinceMs: this.clock.monotonicMs(), isReread: false });
    }
  }

  /** Those whose time for a second read has come, the oldest first. */
  due(limit: number): readonly Suspect[] {
    const nowMs = this.clock.monotonicMs();
    const due = [...this.#waiting.values()].filter(
      ({ finding, sinceMs }) => nowMs - sinceMs >= this.#waitMs(finding.code),
    );
    return due.slice(0, limit);
  }

  /** It could not be judged now: its turn comes again after the others. */
  postpone({ finding }: Suspect): void {
    const name = nameOf(finding);
    this.#waiting.delete(name);
    this.#waiting.set(name, { finding, sinceMs: this.clock.monotonicMs(), isReread: true });
  }

  drop({ finding }: Suspect): void {
    this.#waiting.delete(nameOf(finding));
  }

  confirm({ finding }: Suspect): void {
    this.drop({ finding, isReread: true });
    for (const oldest of this.#confirmed.keys()) {
      if (this.#confirmed.size < REMEMBERED) break;
      this.#confirmed.delete(oldest);
    }
    this.#confirmed.set(nameOf(finding), finding);
  }

  /** Only what the ledger may still learn of gets the longer time. */
  #waitMs(code: FindingCode): number {
    const mayCatchUp = code === 'NOT_IN_LEDGER' || kindOf(code) === 'pending';
    return mayCatchUp ? this.times.settleWithinMs : this.times.confirmAfterMs;
  }
}
