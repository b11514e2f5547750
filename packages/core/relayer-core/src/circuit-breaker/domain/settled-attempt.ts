import type { Felt } from '@sotto/kernel';
import { isPrivateAction, isUserMade } from './user-losses.js';
import { decimalsOf, type RelayedPool } from '../../pools/domain/pool.js';
import { kindOf, lossFri, type CallerLoss, type EntryKind, type MoneyEntry } from './money.js';

/**
 * Ended attempts of a period, grouped by contract and kind, with sums. The groups are computed once
 * for many verdicts, because an hour may have tens of thousands of entries.
 */
export class SettledAttempt {
  readonly #bySubject = new Map<string, MoneyEntry[]>();
  readonly #losses = new Map<Felt, readonly CallerLoss[]>();
  readonly #spentFri = new Map<Felt, bigint>();
  #spentInAllFri = 0n;

  /** @param entries ended attempts, oldest first */
  constructor(readonly entries: readonly MoneyEntry[]) {
    for (const entry of entries) {
      const { subject } = entry;
      const kind = kindOf(entry);
      append(this.#bySubject, nameOf(subject, kind), entry);
      this.#spentInAllFri += entry.gasPaidFri;
      this.#spentFri.set(subject, (this.#spentFri.get(subject) ?? 0n) + entry.gasPaidFri);
    }
  }

  /** Returns the entries of one contract and kind, oldest first. */
  of(subject: Felt, kind: EntryKind): readonly MoneyEntry[] {
    return this.#bySubject.get(nameOf(subject, kind)) ?? [];
  }

  /**
   * Returns losses of a pool's withdrawals and swaps that ended after the time `afterMs`, oldest
   * first. Losses are failures caused by callers, and successes whose fee did not cover their cost.
   */
  userLosses(pool: RelayedPool, afterMs: number): readonly CallerLoss[] {
    const losses = this.#losses.get(pool.address) ?? this.#lossesOf(pool);
    this.#losses.set(pool.address, losses);
    return losses.filter(({ endedAtMs }) => endedAtMs > afterMs);
  }

  #lossesOf(pool: RelayedPool): readonly CallerLoss[] {
    return this.of(pool.address, 'relay')
      .filter((entry) => entry.state === 'succeeded' || isUserMade(entry))
      .map((entry) => ({
        id: entry.id,
        endedAtMs: entry.endedAtMs,
        lossFri: lossFri(entry, decimalsOf(pool, entry.terms?.feeToken)),
      }))
      .filter((loss) => loss.lossFri > 0n);
  }

  /**
   * Returns the refused private actions of a pool that ended after the time `afterMs`, oldest
   * first. Most of them contain a false proof, which costs no gas, but a simulation, a signature
   * and a send.
   */
  refusals(pool: Felt, afterMs: number): readonly Pick<MoneyEntry, 'id' | 'endedAtMs'>[] {
    const own = this.of(pool, 'relay');
    const refused: MoneyEntry[] = [];
    // The newest entries are last, and only a few of them are needed.
    for (let index = own.length - 1; index >= 0; index -= 1) {
      const entry = own[index];
      if (entry === undefined || entry.endedAtMs <= afterMs) break;
      if (entry.state === 'refused' && isPrivateAction(entry)) refused.push(entry);
    }
    return refused.toReversed();
  }

  /**
   * Returns the gas costs of a pool's failed deposits that ended after the time `afterMs`, oldest
   * first.
   */
  depositLosses(pool: Felt, afterMs: number): readonly CallerLoss[] {
    return this.of(pool, 'deposit')
      .filter(({ state, endedAtMs }) => state !== 'succeeded' && endedAtMs > afterMs)
      .map(({ id, endedAtMs, gasPaidFri }) => ({ id, endedAtMs, lossFri: gasPaidFri }));
  }

  /**
   * Returns the gas paid by attempts that ended after the time `afterMs`, in fri. The sum is for
   * one contract, or for all contracts if `subject` is null.
   */
  spentFri(subject: Felt | null, afterMs: number): bigint {
    let fri = subject === null ? this.#spentInAllFri : (this.#spentFri.get(subject) ?? 0n);
    // The entries cover approximately the requested period, so only a few of them are older. So
    // subtract these from the sum.
    for (const entry of this.entries) {
      if (entry.endedAtMs > afterMs) break;
      if (subject === null || entry.subject === subject) fri -= entry.gasPaidFri;
    }
    return fri;
  }
}

function append<Name>(lists: Map<Name, MoneyEntry[]>, name: Name, entry: MoneyEntry): void {
  const known = lists.get(name);
  if (known === undefined) lists.set(name, [entry]);
  else known.push(entry);
}

const nameOf = (subject: Felt, kind: EntryKind): string => `${kind}|${subject}`;
