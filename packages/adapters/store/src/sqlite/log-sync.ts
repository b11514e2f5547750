import type { SyncedFile } from './log-file.js';

/**
 * Makes commits durable without the event loop. SQLite leaves them in the page cache; one sync of
 * the log answers all that committed before it began, and those who commit during it share the
 * next.
 *
 * What a failed sync has left undone the next one may not do, and yet succeed: the kernel calls the
 * pages clean. So after a failure nothing is called durable until the whole log was written over
 * itself and synced. That is where a store begins, too: a process before this one may have ended
 * between a commit and its sync, or because of one that failed.
 */
export class LogSync {
  /** Counts commits. */
  #committed = 0;
  #durable = 0;
  /** Commits of the file, as the last of ours counted them. */
  #counted = 0n;
  #running: Promise<void> | null = null;
  #isTrusted = false;
  #failure: unknown = new Error('the log was not looked at yet');

  /** @param synced is called after each sync, before it answers, with the count that is on disk */
  constructor(
    private readonly file: SyncedFile,
    private readonly synced: (counted: bigint) => void,
  ) {}

  /** False from a sync that failed until all is on disk in another way. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Something may stand in the log that is not on disk. */
  committed(counted: bigint): void {
    this.#committed += 1;
    this.#counted = counted;
  }

  /**
   * Resolves when all that is committed now is on disk.
   * @throws what the disk said, to all who wait, also for a sync that would have come next
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
   * Resolves at once while syncs succeed. Nothing may be committed meanwhile.
   * @throws what the disk says
   */
  async recovered(): Promise<void> {
    if (this.#isTrusted) return;
    this.file.rewrite();
    await this.#sync();
    this.#isTrusted = true;
  }

  /** After the sync of all that is committed. */
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
