import type { Clock } from '@sotto/kernel';
import { kindOf, nameOf, type Finding, type FindingCode } from './findings.js';

/** Finding of a first read that waits for its second read. */
export interface Suspect {
  readonly finding: Finding;
  /** True if a second read was tried, even if it failed. */
  readonly isReread: boolean;
}

export interface SuspectTimes {
  /** Delay between the first read of a finding and its second read, in ms. */
  readonly confirmAfterMs: number;
  /** Time that the ledger has to record a transaction that is on chain, in ms. */
  readonly settleWithinMs: number;
}

/**
 * Maximum number of findings that wait for a second read. Without a limit, the second reads of all
 * findings would last too long.
 */
const MOST = 1_000;
/**
 * Maximum number of confirmed findings in memory. The findings are stored so that each one is
 * reported only once.
 */
const REMEMBERED = 10_000;

interface Entry extends Suspect {
  readonly sinceMs: number;
}

/** Findings that wait for their second read, and findings that a second read has confirmed. */
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

  /** Number of findings without a second read. */
  get unread(): number {
    return [...this.#waiting.values()].filter(({ isReread }) => !isReread).length;
  }

  /** Findings of kind `pending`: the nonce was still not settled at the second read. */
  get pending(): readonly Finding[] {
    const reread = [...this.#waiting.values()].filter(
      ({ finding, isReread }) => isReread && kindOf(finding.code) === 'pending',
    );
    return reread.map(({ finding }) => finding);
  }

  get confirmed(): readonly Finding[] {
    return [...this.#confirmed.values()];
  }

  /** Adds the findings that are not in this list yet. */
  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const name = nameOf(finding);
      if (this.#confirmed.has(name) || this.#waiting.has(name) || this.isFull) continue;
      this.#waiting.set(name, { finding, sinceMs: this.clock.monotonicMs(), isReread: false });
    }
  }

  /** Returns the findings that are due for a second read, oldest first. */
  due(limit: number): readonly Suspect[] {
    const nowMs = this.clock.monotonicMs();
    const due = [...this.#waiting.values()].filter(
      ({ finding, sinceMs }) => nowMs - sinceMs >= this.#waitMs(finding.code),
    );
    return due.slice(0, limit);
  }

  /** Moves a finding that could not be checked now to the end of the waiting findings. */
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
   * Returns the delay before the second read of a finding, in ms. The delay is longer if the ledger
   * may still record the transaction.
   */
  #waitMs(code: FindingCode): number {
    const mayCatchUp = code === 'NOT_IN_LEDGER' || kindOf(code) === 'pending';
    return mayCatchUp ? this.times.settleWithinMs : this.times.confirmAfterMs;
  }
}
