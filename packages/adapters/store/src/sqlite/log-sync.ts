import type { SyncedFile } from './log-file.js';

/**
 * Makes commits durable without blocking the event loop. SQLite leaves commits in the page cache.
 * One sync of the log answers all commits made before it started; commits made during it share the
 * next sync.
 *
 * A sync after a failed one may succeed without writing the failed pages, because the kernel has
 * marked them clean. No commit counts as durable after a failure until the whole log was
 * overwritten with its own content and synced. A store starts in this state too: an earlier process
 * may have ended between a commit and its sync, or after a failed sync.
 */
export class LogSync {
  /** Number of commits. */
  #committed = 0;
  #durable = 0;
  /** Commits of the file, as counted by our last commit. */
  #counted = 0n;
  #running: Promise<void> | null = null;
  #isTrusted = false;
  #failure: unknown = new Error('the log was not synced yet');

  /**
   * @param synced called after each sync, before callers are answered, with the count that is on
   *   disk
   */
  constructor(
    private readonly file: SyncedFile,
    private readonly synced: (counted: bigint) => void,
  ) {}

  /** False after a failed sync, until all data is on disk in another way. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Notes a commit: the log may contain data that is not on disk. */
  committed(counted: bigint): void {
    this.#committed += 1;
    this.#counted = counted;
  }

  /**
   * Resolves when all current commits are on disk.
   * @throws the error of the disk, to all waiting callers, also those of the next sync
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
   * Resolves at once while syncs succeed. No commit may happen during the call.
   * @throws the error of the disk
   */
  async recovered(): Promise<void> {
    if (this.#isTrusted) return;
    this.file.rewrite();
    await this.#sync();
    this.#isTrusted = true;
  }

  /** Closes the file after a sync of all commits. */
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
