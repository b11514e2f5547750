import type {
  NewOperatorEntry,
  OperatorEntry,
  OperatorLog,
} from '../../operators/ports/operator-log.port.js';

/** Operator log in memory, which is lost when the process ends. */
export class InMemoryOperatorLog implements OperatorLog {
  readonly #entries: OperatorEntry[] = [];

  constructor(private readonly clock: { nowMs(): number }) {}

  async begin(entry: NewOperatorEntry): Promise<number> {
    const id = this.#entries.length + 1;
    this.#entries.push({ ...entry, id, atMs: this.clock.nowMs(), outcome: null });
    return id;
  }

  async end(id: number, outcome: string): Promise<void> {
    const entry = this.#entries[id - 1];
    if (entry !== undefined && entry.outcome === null)
      this.#entries[id - 1] = { ...entry, outcome };
  }

  async page(before: number | null, limit: number): Promise<readonly OperatorEntry[]> {
    return this.#entries
      .filter(({ id }) => before === null || id < before)
      .toReversed()
      .slice(0, limit);
  }
}
