import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import type { Ledger, decide as machine } from '@sotto/submission-core';
import { InMemoryLedger } from '@sotto/submission-core/testing';
import type { Random } from './random.js';

export interface DiskOptions {
  /** Clock of the store, which may jump. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly decide: typeof machine;
}

/** Storage of the ledger, which remains when a process ends. */
export interface Disk {
  /** Opens the ledger for a process that is starting. */
  open(processName: string): Promise<Ledger>;
  /** Called after a process has ended. */
  closed(processName: string): Promise<void>;
  /** Ledger that the judge reads. */
  readonly ledger: Ledger;
  /** Stores a copy of the ledger, as a backup would. */
  backUp(): Promise<void>;
  /**
   * Replaces the ledger by an empty one, or by the stored copy if there is one. Precondition: no
   * process has the ledger open. Resolves with the kind of the new ledger.
   * @param isRecognised true if the store notices that its ledger may be a copy, as with a marked
   *   backup, an older heartbeat or a promoted replica
   */
  replace(by: 'empty' | 'copy', isRecognised: boolean): Promise<'empty' | 'copy'>;
  end(): Promise<void>;
}

const WRITING = new Set([
  'apply',
  'bindChain',
  'noteBlock',
  'clearPossibleCopy',
  'pauseLane',
  'registerLane',
  'lease',
  'renew',
  'unlease',
  'handOver',
  'announce',
  'reserve',
  'redact',
]);

interface Written {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly atMs: number;
}

/**
 * Ledger in memory, which remains when the processes of a run end. To restore an older copy, the
 * writes up to the time of the copy are replayed on an empty ledger.
 */
export class MemoryDisk implements Disk {
  #written: Written[] = [];
  #backup = 0;
  #replayedAtMs: number | null = null;
  ledger: Ledger;

  constructor(private readonly options: DiskOptions) {
    this.ledger = this.#journaled(this.#empty());
  }

  async open(): Promise<Ledger> {
    return this.ledger;
  }

  async closed(): Promise<void> {
    // No resources are kept per process.
  }

  async backUp(): Promise<void> {
    this.#backup = this.#written.length;
  }

  async replace(by: 'empty' | 'copy', isRecognised: boolean): Promise<'empty' | 'copy'> {
    const kept = by === 'empty' ? [] : this.#written.slice(0, this.#backup);
    const empty = this.#empty();
    for (const { name, args, atMs } of kept) {
      this.#replayedAtMs = atMs;
      const member: unknown = Reflect.get(empty, name);
      if (typeof member === 'function')
        await Promise.resolve(Reflect.apply(member, empty, args)).catch(() => undefined);
    }
    this.#replayedAtMs = null;
    this.#written = kept;
    if (by === 'copy' && isRecognised) empty.markPossibleCopy();
    this.ledger = this.#journaled(empty);
    return by;
  }

  async end(): Promise<void> {
    // The garbage collector frees it.
  }

  #empty(): InMemoryLedger {
    const { nowMs, decide } = this.options;
    return new InMemoryLedger({ clock: { nowMs: () => this.#replayedAtMs ?? nowMs() }, decide });
  }

  #journaled(ledger: InMemoryLedger): Ledger {
    return new Proxy<Ledger>(ledger, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || typeof name !== 'string') return member;
        return (...args: unknown[]) => {
          if (WRITING.has(name)) this.#written.push({ name, args, atMs: this.options.nowMs() });
          return Reflect.apply(member, target, args);
        };
      },
    });
  }
}

/** Ledger in a real SQLite file, which each process opens separately. */
export class SqliteDisk implements Disk {
  readonly #stores = new Map<string, OpenedStore>();
  readonly #path: string;
  #observer: OpenedStore;

  private constructor(
    private readonly options: DiskOptions,
    private readonly template: string,
    path: string,
    observer: OpenedStore,
  ) {
    this.#path = path;
    this.#observer = observer;
  }

  static async make(
    options: DiskOptions,
    directory: string,
    template: string,
    name: string,
  ): Promise<SqliteDisk> {
    const path = join(directory, `${name}.db`);
    copyFileSync(template, path);
    return new SqliteDisk(options, template, path, await opened(path, options));
  }

  get ledger(): Ledger {
    return this.#observer.ledger;
  }

  async open(processName: string): Promise<Ledger> {
    const store = await opened(this.#path, this.options);
    this.#stores.set(processName, store);
    return store.ledger;
  }

  async closed(processName: string): Promise<void> {
    await this.#stores.get(processName)?.close();
    this.#stores.delete(processName);
  }

  async backUp(): Promise<void> {
    // The heartbeat is copied first, because it must not be newer than the file.
    for (const suffix of ['-heartbeat', '', '-wal'])
      if (existsSync(this.#path + suffix))
        copyFileSync(this.#path + suffix, `${this.#path}.copy${suffix}`);
  }

  async replace(by: 'empty' | 'copy', isRecognised: boolean): Promise<'empty' | 'copy'> {
    await this.#closeAll();
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      rmSync(this.#path + suffix, { force: true });
    const copy = `${this.#path}.copy`;
    if (by === 'copy' && existsSync(copy)) {
      for (const suffix of ['', '-wal'])
        if (existsSync(copy + suffix)) copyFileSync(copy + suffix, this.#path + suffix);
      this.#takeHeartbeat(`${copy}-heartbeat`);
      if (isRecognised) this.#mark();
    } else copyFileSync(this.template, this.#path);
    this.#observer = await opened(this.#path, this.options);
    return by;
  }

  async end(): Promise<void> {
    await this.#closeAll();
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      rmSync(`${this.#path}.copy${suffix}`, { force: true });
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      rmSync(this.#path + suffix, { force: true });
  }

  /**
   * Copies the heartbeat of the replaced file, with the inode changed to the inode of the new file.
   * So the store cannot recognise that its file is a copy.
   */
  #takeHeartbeat(copied: string): void {
    const inode = String(statSync(this.#path, { bigint: true }).ino).padStart(20, '0');
    const heartbeat = readFileSync(copied, 'latin1').replace(/\d{20}\n$/, `${inode}\n`);
    writeFileSync(`${this.#path}-heartbeat`, heartbeat);
  }

  #mark(): void {
    const database = new DatabaseSync(this.#path);
    database.prepare('update chain set possible_copy_since_ms = ?').run(this.options.nowMs());
    database.close();
  }

  async #closeAll(): Promise<void> {
    for (const name of this.#stores.keys()) await this.closed(name);
    await this.#observer.close();
  }
}

/**
 * Opens the file. If the clock is changed later, processes that already have the file open are not
 * affected.
 */
function opened(path: string, { nowMs, monotonicMs, decide }: DiskOptions): Promise<OpenedStore> {
  return openSqliteStore({ path, clock: { nowMs, monotonicMs }, decide });
}

/** Selects at random whether a lost ledger is replaced by an empty one or by a copy. */
export function drawLoss(random: Random): 'empty' | 'copy' {
  return random.chance(0.5) ? 'empty' : 'copy';
}
