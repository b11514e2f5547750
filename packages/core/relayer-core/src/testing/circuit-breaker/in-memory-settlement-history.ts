import type {
  LiveEntry,
  SettlementHistory,
  MoneyEntry,
  NoteRevert,
} from '../../circuit-breaker/ports/settlement-history.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Holds what a test writes into it. */
export class InMemorySettlementHistory implements SettlementHistory {
  readonly #ended: MoneyEntry[] = [];
  readonly #effects = new Map<string, string>();
  #live: readonly LiveEntry[] = [];
  #failure: Error | null = null;
  /** How often it was asked for what has ended. */
  reads = 0;

  /** Every call rejects with it until null is given. */
  fail(failure: Error | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  /** @param effect of the attempt @default one that all such entries share */
  end(entry: MoneyEntry, effect = 'an effect'): void {
    this.#effects.set(entry.id, effect);
    this.#live = this.#live.filter(({ key }) => key !== entry.key);
    this.#ended.push(entry);
  }

  /** A rollback took the outcome back. */
  undo(id: string): void {
    const index = this.#ended.findIndex((entry) => entry.id === id);
    if (index >= 0) this.#ended.splice(index, 1);
  }

  begin(entry: LiveEntry): void {
    this.#live = [...this.#live, entry];
  }

  /** An account signs the calls of all that wait. */
  sendAll(): void {
    this.#live = this.#live.map((entry) => ({ ...entry, isWaiting: false }));
  }

  async ended(sinceMs: number, limit: number): Promise<readonly MoneyEntry[]> {
    this.reads += 1;
    this.#answer();
    return this.#ended
      .filter(({ endedAtMs }) => endedAtMs >= sinceMs)
      .toSorted((a, b) => a.endedAtMs - b.endedAtMs)
      .slice(-limit);
  }

  async revertsOf(key: string): Promise<readonly NoteRevert[]> {
    this.#answer();
    return this.#ended
      .filter((entry) => entry.key === key && entry.state === 'reverted')
      .map(({ id, state, role, revertReason, endedAtMs }) => ({
        state,
        role,
        revertReason,
        endedAtMs,
        effect: this.#effects.get(id) ?? '',
      }));
  }

  async live(): Promise<readonly LiveEntry[]> {
    this.#answer();
    return this.#live;
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
