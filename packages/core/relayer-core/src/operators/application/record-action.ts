import { CODES_OF } from '@sotto/facts';
import { DomainError, runIsolated, type Logger } from '@sotto/kernel';
import type { NewOperatorEntry, OperatorEntry, OperatorLog } from '../ports/operator-log.port.js';

/** Outcome of an action that succeeded. */
const DONE = 'DONE';
/** Outcome of an action that failed because of a bug. */
const FAILED = 'INTERNAL';

export interface LogPage {
  readonly entries: readonly OperatorEntry[];
  /** Id of the page's last entry; null if this is the last page. */
  readonly next: number | null;
}

/** Logs the actions of operators. An action has no effect before its log entry is stored. */
export class RecordAction {
  /** Error codes of the API route for the audit log. */
  static readonly throws = CODES_OF.auditLog;

  constructor(
    private readonly log: OperatorLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Stores the log entry, runs `work`, and then stores the outcome. Rejects with the error of
   * `work`. If the entry can't be stored, `work` does not run and the promise rejects with the
   * error of the store.
   */
  async execute<T>(entry: NewOperatorEntry, work: () => Promise<T>): Promise<T> {
    const id = await this.log.begin(entry);
    // Do not log the subject, because it may be the id of a submission.
    const { holder, action } = entry;
    this.logger.info({ entry: id, holder, action }, 'operator action started');
    try {
      const result = await work();
      await this.#end(id, DONE);
      return result;
    } catch (error) {
      await this.#end(id, error instanceof DomainError ? error.code : FAILED);
      throw error;
    }
  }

  /** Returns a page of entries, newest first. */
  async page(before: number | null, limit: number): Promise<LogPage> {
    const found = await this.log.page(before, limit + 1);
    const entries = found.slice(0, limit);
    return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  }

  /**
   * Stores the outcome. A failure is only logged, because the work has already succeeded or failed.
   */
  async #end(id: number, outcome: string): Promise<void> {
    await runIsolated(this.logger, 'keeping the outcome of an operator’s action', { id }, () =>
      this.log.end(id, outcome),
    );
  }
}
