import type { Clock } from '@sotto/kernel';
import { kindOf, nameOf, type Finding, type FindingCode } from './findings.js';

/** Finding of a first read. */
export interface Suspect {
  readonly finding: Finding;
  /** True if it was read again, with any result. */
  readonly isReread: boolean;
}

export interface SuspectTimes {
  /** Delay between a finding's first read and its second one, in ms. */
  readonly confirmAfterMs: number;
  /** Time that the ledger has to catch up with the chain, in ms. */
  readonly settleWithinMs: number;
}

/** Limit of waiting findings, so that all can be read again in reasonable time. */
const MOST = 1_000;
/** Confirmed findings kept in memory, so that each is reported once. */
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

  /** Number of findings that wait for their first repetition. */
  get unread(): number {
    return [...this.#waiting.values()].filter(({ isReread }) => !isReread).length;
  }

  /** Findings about nonces that were still not settled at their second read. */
  get pending(): readonly Finding[] {
    const reread = [...this.#waiting.values()].filter(
      ({ finding, isReread }) => isReread && kindOf(finding.code) === 'pending',
    );
    return reread.map(({ finding }) => finding);
  }

  get confirmed(): readonly Finding[] {
    return [...this.#confirmed.values()];
  }

  /** Adds findings. Known ones change nothing. */
  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const name = nameOf(finding);
      if (this.#confirmed.has(name) || this.#waiting.has(name) || this.isFull) continue;
      this.#waiting.set(name, { finding, sinceMs: this.clock.monotonicMs(), isReread: false });
    }
  }

  /** Findings that are due for a second read, oldest first. */
  due(limit: number): readonly Suspect[] {
    const nowMs = this.clock.monotonicMs();
    const due = [...this.#waiting.values()].filter(
      ({ finding, sinceMs }) => nowMs - sinceMs >= this.#waitMs(finding.code),
    );
    return due.slice(0, limit);
  }

  /** Moves a finding that could not be judged now behind the others. */
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

  /**
   * Delay before the second read, which is longer only for transactions that the ledger may still
   * record.
   */
  #waitMs(code: FindingCode): number {
    const mayCatchUp = code === 'NOT_IN_LEDGER' || kindOf(code) === 'pending';
    return mayCatchUp ? this.times.settleWithinMs : this.times.confirmAfterMs;
  }
}
