import type {
  LiveEntry,
  SettlementHistory,
  MoneyEntry,
  NoteRevert,
} from '../../circuit-breaker/ports/settlement-history.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Settlement history that contains the entries added by a test. */
export class InMemorySettlementHistory implements SettlementHistory {
  readonly #ended: MoneyEntry[] = [];
  readonly #effects = new Map<string, string>();
  #live: readonly LiveEntry[] = [];
  #failure: Error | null = null;
  /** Number of calls of `ended` so far. */
  reads = 0;

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: Error | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  /**
   * Adds an ended attempt. @param effect effect of the attempt; all attempts have the same effect
   * by default
   */
  end(entry: MoneyEntry, effect = 'an effect'): void {
    this.#effects.set(entry.id, effect);
    this.#live = this.#live.filter(({ key }) => key !== entry.key);
    this.#ended.push(entry);
  }

  /** Removes the outcome of an attempt, as a reorg does. */
  undo(id: string): void {
    const index = this.#ended.findIndex((entry) => entry.id === id);
    if (index >= 0) this.#ended.splice(index, 1);
  }

  begin(entry: LiveEntry): void {
    this.#live = [...this.#live, entry];
  }

  /** Marks all waiting calls as signed by a lane account. */
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
