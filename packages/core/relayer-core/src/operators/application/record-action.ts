import { CODES_OF } from '@sotto/facts';
import { DomainError, runIsolated, type Logger } from '@sotto/kernel';
import type { NewOperatorEntry, OperatorEntry, OperatorLog } from '../ports/operator-log.port.js';

/** Outcome of an action that took effect. */
const DONE = 'DONE';
/** Outcome of one that met a bug. */
const FAILED = 'INTERNAL';

export interface LogPage {
  readonly entries: readonly OperatorEntry[];
  /** Id of the last entry; null when nothing follows it. */
  readonly next: number | null;
}

/** Keeps what operators do: no action takes effect without its entry. */
export class RecordAction {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.auditLog;

  constructor(
    private readonly log: OperatorLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Does the work once its entry is kept, and keeps the outcome. Rejects as the work does, and with
   * the error of the store, before anything was done, where no entry can be kept.
   */
  async execute<T>(entry: NewOperatorEntry, work: () => Promise<T>): Promise<T> {
    const id = await this.log.begin(entry);
    // Without its subject, which may be a submission's id.
    const { holder, action } = entry;
    this.logger.info({ entry: id, holder, action }, 'an operator acts');
    try {
      const result = await work();
      await this.#end(id, DONE);
      return result;
    } catch (error) {
      await this.#end(id, error instanceof DomainError ? error.code : FAILED);
      throw error;
    }
  }

  /** Newest first. */
  async page(before: number | null, limit: number): Promise<LogPage> {
    const found = await this.log.page(before, limit + 1);
    const entries = found.slice(0, limit);
    return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  }

  /** The work is done or failed already: an outcome that can't be kept changes nothing of that. */
  async #end(id: number, outcome: string): Promise<void> {
    await runIsolated(this.logger, 'keeping the outcome of an operator’s action', { id }, () =>
      this.log.end(id, outcome),
    );
  }
}
