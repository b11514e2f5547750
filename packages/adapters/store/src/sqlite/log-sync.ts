import type { SyncedFile } from './log-file.js';

/**
 * Makes commits durable without blocking the event loop. SQLite leaves commits in the operating
 * system's page cache. One sync of the log covers all commits made before the sync started. Commits
 * made during the sync share the next sync.
 *
 * A sync after a failed sync may succeed without writing the failed pages, because the kernel has
 * marked these pages clean. After a failure, no commit is treated as durable until the whole log
 * was overwritten with its own content and synced. A store also starts in this state, because the
 * previous process may have ended between a commit and its sync, or after a failed sync.
 */
export class LogSync {
  /** Number of commits made by this process. */
  #committed = 0;
  #durable = 0;
  /**
   * Commit count of the file at this process's last commit. Commits of all processes are counted.
   */
  #counted = 0n;
  #running: Promise<void> | null = null;
  #isTrusted = false;
  #failure: unknown = new Error('the log was not synced yet');

  /**
   * @param synced called after each sync with the commit count that is on disk; called before the
   *   calls that wait for this sync resolve
   */
  constructor(
    private readonly file: SyncedFile,
    private readonly synced: (counted: bigint) => void,
  ) {}

  /** False after a failed sync, until a rewrite has put all data on disk. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Records a commit: from now on the log may contain data that is not on disk. */
  committed(counted: bigint): void {
    this.#committed += 1;
    this.#counted = counted;
  }

  /**
   * Resolves when all commits made before this call are on disk.
   * @throws the error of the disk; all waiting callers receive it, also those that wait for the
   *   next sync
   */
  async durable(): Promise<void> {
    const upTo = this.#committed;
    while (this.#durable < upTo) {
      if (!this.#isTrusted) throw this.#failure;
      await (this.#running ??= this.#sync().finally(() => {
        this.#running = null;
      }));
    }
  }

  /**
   * Resolves immediately if no sync has failed. After a failed sync, rewrites and syncs the log. No
   * commit may happen during the call.
   * @throws the error of the disk
   */
  async recovered(): Promise<void> {
    if (this.#isTrusted) return;
    this.file.rewrite();
    await this.#sync();
    this.#isTrusted = true;
  }

  /** Closes the file after all commits were synced. */
  async close(): Promise<void> {
    await this.durable().catch(() => undefined);
    await this.file.close();
  }

  async #sync(): Promise<void> {
    const upTo = this.#committed;
    const counted = this.#counted;
    try {
      await this.file.sync();
    } catch (cause) {
      this.#isTrusted = false;
      this.#failure = cause;
      throw cause;
    }
    this.#durable = upTo;
    this.synced(counted);
  }
}
