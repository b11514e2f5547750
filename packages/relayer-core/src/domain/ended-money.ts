import type { Felt } from '@sotto/kernel';
import { kindOf, subjectOf, subjectTextOf, type EntryKind, type MoneyEntry } from './money.js';

/**
 * What has ended in a time, sorted by what it was about and summed up: made once for the many verdicts that rest on it, because an hour
 * may have tens of thousands of entries.
 */
export class EndedMoney {
  readonly #bySubject = new Map<string, MoneyEntry[]>();
  readonly #spentFri = new Map<Felt | null, bigint>();
  #spentInAllFri = 0n;

  /** @param entries oldest first */
  constructor(readonly entries: readonly MoneyEntry[]) {
    const subjects = new Map<string, Felt | null>();
    for (const entry of entries) {
      const text = subjectTextOf(entry.key);
      // Reading an address takes longer than all the rest, and there are few.
      const subject = subjects.get(text) ?? subjectOf(entry.key);
      subjects.set(text, subject);
      const name = nameOf(subject, kindOf(entry));
      const known = this.#bySubject.get(name);
      if (known === undefined) this.#bySubject.set(name, [entry]);
      else known.push(entry);
      this.#spentInAllFri += entry.gasPaidFri;
      this.#spentFri.set(subject, (this.#spentFri.get(subject) ?? 0n) + entry.gasPaidFri);
    }
  }

  /** Of one contract and kind, oldest first. */
  of(subject: Felt, kind: EntryKind): readonly MoneyEntry[] {
    return this.#bySubject.get(nameOf(subject, kind)) ?? [];
  }

  /** What was spent after a moment, on one contract or, for null, on all. */
  spentFri(subject: Felt | null, afterMs: number): bigint {
    let fri = subject === null ? this.#spentInAllFri : (this.#spentFri.get(subject) ?? 0n);
    // Few are older: the entries are those of about the time that is asked for.
    for (const entry of this.entries) {
      if (entry.endedAtMs > afterMs) break;
      if (subject === null || subjectOf(entry.key) === subject) fri -= entry.gasPaidFri;
    }
    return fri;
  }
}

const nameOf = (subject: Felt | null, kind: EntryKind): string => `${kind}|${subject}`;
