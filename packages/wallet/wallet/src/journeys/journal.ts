import { WalletError } from '../errors.js';
import type { WalletStorage } from '../storage.js';
import { storageInTime } from '../storage/storage-in-time.js';
import { sleep } from './sleep.js';
import { hold, platformLocks, type WebLocks } from './web-locks.js';

/** Lifetime of a runner's lease in ms. The lease expires when it was not renewed for this time. */
export const LEASE_MS = 30_000;
const RENEW_MS = LEASE_MS / 3;
const LOOK_MS = 1_000;
const FORMAT = 1;

interface Lease {
  /** Random id of the run that has the lease. */
  readonly holder: string;
  /** Expiry of the lease, as Unix time in ms. */
  readonly untilMs: number;
  /**
   * True if the runner also has the Web Lock. If a second runner acquires this lock, the first
   * runner must have ended.
   */
  readonly isLocked: boolean;
}

/** Stored record of a journey. */
interface Kept<Entry> {
  readonly format: typeof FORMAT;
  /** Number that every write increments, so no two stored texts are equal. */
  readonly revision: number;
  readonly lease: Lease | null;
  readonly entry: Entry;
}

export interface JournalOptions {
  /** Web Locks of the browser. With null, only leases are used. @default the browser's locks */
  readonly locks?: WebLocks | null;
}

export interface ListOptions {
  /** Called with the error JOURNAL_UNREADABLE of each unreadable record. */
  readonly onUnreadable?: (error: WalletError) => void;
}

/** Entry of a journey with its id. */
interface Listed<Entry> {
  readonly id: string;
  readonly entry: Entry;
}

export interface TakeOptions {
  readonly signal: AbortSignal;
  /** Called once if a different runner has the journey, before the wait for that runner starts. */
  readonly onWait?: () => void;
}

/**
 * Progress of all journeys of one kind: one storage record per journey, as plain JSON. A record has
 * at most one runner. The lease is part of the record, so the storage's compare-and-swap rejects
 * every write of a runner that lost the lease.
 */
export class Journal<Entry extends object> {
  readonly #storage: WalletStorage;
  readonly #prefix: string;
  readonly #locks: WebLocks | null;
  readonly #states: ReadonlySet<unknown> | undefined;

  /**
   * @param kind kind of the journeys, for example `withdrawal`; keys are `sotto/<kind>/<id>`
   * @param states permitted values of an entry's `state`; any value if omitted
   */
  constructor(
    storage: WalletStorage,
    kind: string,
    { locks = platformLocks() }: JournalOptions = {},
    states?: readonly string[],
  ) {
    this.#storage = storageInTime(storage);
    this.#prefix = `sotto/${kind}/`;
    this.#locks = locks;
    this.#states = states === undefined ? undefined : new Set(states);
  }

  /**
   * Writes the first entry of a journey. If the journey already has an entry, nothing is written.
   * @returns the stored entry
   */
  async begin(id: string, entry: Entry): Promise<Entry> {
    const first: Kept<Entry> = { format: FORMAT, revision: 0, lease: null, entry };
    if (await this.#storage.replace(this.#prefix + id, undefined, JSON.stringify(first)))
      return entry;
    return (await this.read(id)) ?? this.begin(id, entry);
  }

  /** @throws WalletError JOURNAL_UNREADABLE */
  async read(id: string): Promise<Entry | undefined> {
    const text = await this.#storage.read(this.#prefix + id);
    return text === undefined ? undefined : this.#parse(text).entry;
  }

  /**
   * Lists all journeys of this kind with their ids.
   * @param onUnreadable gets the error of each unreadable record, which is then left out
   * @throws WalletError JOURNAL_UNREADABLE without `onUnreadable`
   */
  async list({ onUnreadable }: ListOptions = {}): Promise<readonly Listed<Entry>[]> {
    const keys = await this.#storage.keys(this.#prefix);
    const all = await Promise.all(
      keys.map(async (key): Promise<Listed<Entry> | undefined> => {
        const id = key.slice(this.#prefix.length);
        const text = await this.#storage.read(key);
        try {
          return text === undefined ? undefined : { id, entry: this.#parse(text).entry };
        } catch (error) {
          if (onUnreadable === undefined || !(error instanceof WalletError)) throw error;
          onUnreadable(error);
          return undefined;
        }
      }),
    );
    return all.filter((listed) => listed !== undefined);
  }

  /**
   * Waits until no other runner has the journey, then makes the caller its runner.
   * @throws WalletError JOURNEY_UNKNOWN, JOURNAL_UNREADABLE; the signal's reason when the signal
   *   aborts
   */
  async take(id: string, { signal, onWait }: TakeOptions): Promise<JournalRun<Entry>> {
    const key = this.#prefix + id;
    const waiting = once(onWait);
    const unlock = await this.#lock(key, signal, waiting);
    try {
      return await this.#takeLease(key, unlock, signal, waiting);
    } catch (error) {
      unlock?.();
      throw error;
    }
  }

  #parse(text: string): Kept<Entry> {
    const kept = parse<Entry>(text);
    const { state }: { state?: unknown } = kept.entry;
    if (this.#states?.has(state) === false) throw unreadable();
    return kept;
  }

  async #lock(
    key: string,
    signal: AbortSignal,
    waiting: () => void,
  ): Promise<(() => void) | undefined> {
    if (this.#locks === null) return undefined;
    const late = setTimeout(waiting, LOOK_MS);
    try {
      return await hold(this.#locks, key, signal);
    } finally {
      clearTimeout(late);
    }
  }

  async #takeLease(
    key: string,
    unlock: (() => void) | undefined,
    signal: AbortSignal,
    waiting: () => void,
  ): Promise<JournalRun<Entry>> {
    const holder = crypto.randomUUID();
    for (let mayEvict = unlock !== undefined; ; mayEvict = false) {
      signal.throwIfAborted();
      const text = await this.#storage.read(key);
      if (text === undefined)
        throw new WalletError('JOURNEY_UNKNOWN', 'the storage has no such journey');
      const kept = this.#parse(text);
      const isFree =
        kept.lease === null ||
        kept.lease.untilMs <= Date.now() ||
        // No lease is this long: the clock was set back.
        kept.lease.untilMs > Date.now() + LEASE_MS ||
        (mayEvict && kept.lease.isLocked);
      if (isFree) {
        const next = withLease(kept, holder, unlock !== undefined);
        const nextText = JSON.stringify(next);
        if (await this.#storage.replace(key, text, nextText))
          return new JournalRun(this.#storage, { key, holder, unlock }, next, nextText);
      } else {
        waiting();
        await sleep(LOOK_MS, signal);
      }
    }
  }
}

interface Hold {
  readonly key: string;
  readonly holder: string;
  readonly unlock: (() => void) | undefined;
}

/**
 * Exclusive right to run a journey. The right ends when the run is released, or when it was not
 * renewed for {@link LEASE_MS}.
 */
export class JournalRun<Entry extends object> {
  readonly #storage: WalletStorage;
  readonly #hold: Hold;
  readonly #lost = new AbortController();
  readonly #renewing: ReturnType<typeof setInterval>;
  #kept: Kept<Entry>;
  #text: string;
  /** Promise of the previous write; each write waits for it. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Creates a run; only {@link Journal.take} calls this constructor. */
  constructor(storage: WalletStorage, held: Hold, kept: Kept<Entry>, text: string) {
    this.#storage = storage;
    this.#hold = held;
    this.#kept = kept;
    this.#text = text;
    this.#renewing = setInterval(() => {
      // Ignore the error here. If the storage fails, the next write of an entry reports the error.
      this.#inTurn(() => this.#put(this.#kept.entry)).catch(() => undefined);
    }, RENEW_MS);
  }

  /** Entry that was written last. */
  get entry(): Entry {
    return this.#kept.entry;
  }

  /** Signal that aborts with WalletError JOURNEY_TAKEN when a different runner has the journey. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Writes the entry and resolves when it is stored durably. Call this method before the step that
   * the entry describes.
   * @throws WalletError JOURNEY_TAKEN if a different runner has the journey (nothing was written);
   *   any error of the storage
   */
  async write(entry: Entry): Promise<void> {
    await this.#inTurn(() => this.#put(entry));
  }

  /** Ends the run, so that the next runner can start at once. Never throws. */
  async release(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#inTurn(async () => {
      const next = { ...this.#kept, revision: this.#kept.revision + 1, lease: null };
      await this.#storage.replace(this.#hold.key, this.#text, JSON.stringify(next));
    }).catch(() => undefined);
    this.#hold.unlock?.();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #put(entry: Entry): Promise<void> {
    const { key, holder, unlock } = this.#hold;
    this.#lost.signal.throwIfAborted();
    const next = withLease({ ...this.#kept, entry }, holder, unlock !== undefined);
    const text = JSON.stringify(next);
    if (!(await this.#storage.replace(key, this.#text, text)) && !(await this.#putAgain(text))) {
      clearInterval(this.#renewing);
      this.#lost.abort(new WalletError('JOURNEY_TAKEN', 'another tab continues with this journey'));
      this.#lost.signal.throwIfAborted();
    }
    this.#kept = next;
    this.#text = text;
  }

  /**
   * Repeats a failed write, because the storage may have written before it threw. Returns false if
   * a different runner holds the record.
   */
  async #putAgain(text: string): Promise<boolean> {
    const found = await this.#storage.read(this.#hold.key);
    if (found === undefined || parse<Entry>(found).lease?.holder !== this.#hold.holder)
      return false;
    return found === text || this.#storage.replace(this.#hold.key, found, text);
  }
}

function withLease<Entry>(kept: Kept<Entry>, holder: string, isLocked: boolean): Kept<Entry> {
  const lease = { holder, untilMs: Date.now() + LEASE_MS, isLocked };
  return { ...kept, revision: kept.revision + 1, lease };
}

function parse<Entry>(text: string): Kept<Entry> {
  const kept: Partial<Kept<Entry>> = Object(json(text));
  const { format, revision, lease = null, entry } = kept;
  const isWhole = format === FORMAT && Number.isSafeInteger(revision) && isLease(lease);
  if (!isWhole || revision === undefined || !isRecord(entry)) throw unreadable();
  return { format, revision, lease, entry };
}

function unreadable(): WalletError {
  return new WalletError('JOURNAL_UNREADABLE', 'the record is of another version or damaged');
}

function isRecord<Entry>(entry: Entry | undefined): entry is Entry {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry);
}

/** Returns false for a damaged lease, which would never expire. */
function isLease(lease: unknown): boolean {
  if (lease === null) return true;
  const { holder, untilMs }: { holder?: unknown; untilMs?: unknown } = Object(lease);
  return typeof holder === 'string' && Number.isFinite(untilMs);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function once(action: (() => void) | undefined): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action?.();
    isDone = true;
  };
}
