import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';

/** Change of a file: written bytes, or a truncation if `bytes` is null. */
interface Change {
  readonly file: string;
  readonly at: number;
  readonly bytes: Buffer | null;
  /**
   * Number of the trace line at which the system call started; `ended` is the line at which it
   * ended.
   */
  readonly begun: number;
  readonly ended: number;
}

/** Sync of a file, or of the folder and therefore of its directory entries. */
interface Sync {
  readonly call: 'fsync' | 'fdatasync';
  readonly file: string;
  readonly failed: boolean;
  readonly begun: number;
  readonly ended: number;
}

interface Acknowledgement {
  readonly id: string;
  readonly state: string;
  readonly begun: number;
}

/**
 * Operations of a program on the files of one folder, in chronological order, and the program's
 * output.
 */
export interface Trace {
  readonly changes: readonly Change[];
  readonly syncs: readonly Sync[];
  readonly said: readonly Acknowledgement[];
  readonly lines: number;
}

const CALLS = 'trace=write,pwrite64,ftruncate,fsync,fdatasync';
/**
 * Maximum number of bytes that are traced per call. No call in these tests writes as many bytes.
 */
const MOST_BYTES = 2_000_000;

/**
 * Runs a Node program under strace and returns its trace.
 * @param folder folder that contains the traced files
 * @param injected faults in the syntax of strace
 */
export async function traced(
  folder: string,
  args: readonly string[],
  injected: readonly string[] = [],
): Promise<Trace> {
  const output = `${folder}.trace`;
  const faults = injected.flatMap((fault) => ['-e', `inject=${fault}`]);
  const watched = ['-f', '-y', '-xx', '-s', String(MOST_BYTES), '-e', CALLS, '-o', output];
  await promisify(execFile)('strace', [...watched, ...faults, process.execPath, ...args], {
    // The process uses one thread: strace counts calls per thread to decide when an injected fault
    // is due.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const trace = parsed(readFileSync(output, 'latin1'), folder);
  rmSync(output);
  return trace;
}

/** Concatenates the traces of two programs that ran one after the other on the same files. */
export function inOrder(first: Trace, second: Trace): Trace {
  const later = <Entry extends { readonly begun: number }>(entry: Entry): Entry => ({
    ...entry,
    begun: entry.begun + first.lines,
    ...('ended' in entry ? { ended: Number(entry.ended) + first.lines } : {}),
  });
  return {
    changes: [...first.changes, ...second.changes.map(later)],
    syncs: [...first.syncs, ...second.syncs.map(later)],
    said: [...first.said, ...second.said.map(later)],
    lines: first.lines + second.lines,
  };
}

const CALL = /^(\w+)\((\d+)<([^>]*)>(.*)$/;
const RESULT = /\)\s+= (-?\d+)/;
const UNFINISHED = ' <unfinished ...>';
const RESUMED = /^<\.\.\. \w+ resumed>/;

function parsed(text: string, folder: string): Trace {
  const changes: Change[] = [];
  const syncs: Sync[] = [];
  const said: Acknowledgement[] = [];
  const open = new Map<string, { readonly text: string; readonly begun: number }>();
  const lines = text.split('\n');
  for (const [ended, line] of lines.entries()) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith(UNFINISHED)) {
      open.set(thread, { text: rest.slice(0, -UNFINISHED.length), begun: ended });
      continue;
    }
    const before = RESUMED.test(rest) ? open.get(thread) : undefined;
    const begun = before?.begun ?? ended;
    const whole = before === undefined ? rest : before.text + rest.replace(RESUMED, '');
    const [, call = '', descriptor, where = '', parameters = ''] = CALL.exec(whole) ?? [];
    const path = unescaped(where).toString();
    const result = Number(RESULT.exec(parameters)?.[1]);
    if (call === 'write' && descriptor === '1') {
      const [id = '', state = ''] = bytesIn(parameters).toString().trim().split(' ');
      said.push({ id, state, begun });
      continue;
    }
    const file = path === folder ? '.' : basename(path);
    // SQLite deletes a new file's journal before it creates the log, and accesses the index as
    // mapped memory. Both files are ignored.
    if (!path.startsWith(folder) || /-(?:journal|shm)$/.test(file)) continue;
    if (call === 'fsync' || call === 'fdatasync')
      syncs.push({ call, file, failed: result !== 0, begun, ended });
    else if (call === 'pwrite64' && result > 0) {
      const at = Number(/, (\d+)\)\s+=/.exec(parameters)?.[1]);
      changes.push({ file, at, bytes: bytesIn(parameters).subarray(0, result), begun, ended });
    } else if (call === 'ftruncate' && result === 0)
      changes.push({
        file,
        at: Number(/^, (\d+)/.exec(parameters)?.[1]),
        bytes: null,
        begun,
        ended,
      });
  }
  return { changes, syncs, said, lines: lines.length };
}

const bytesIn = (parameters: string): Buffer =>
  unescaped(/"((?:\\x[0-9a-f]{2})*)"/.exec(parameters)?.[1] ?? '');

const unescaped = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex');

/** Function that decides which unsynced changes are on disk after a power cut. */
export type Luck = (change: Change) => boolean;

/** Computes the content of a trace's files after a power cut. */
export class TracedDisk {
  /**
   * Changes of the trace, each with the first sync that covers the change; undefined if no sync
   * covers it.
   */
  readonly #changes: readonly (readonly [Change, Sync | undefined])[];
  readonly #namesSynced: number;

  constructor({ changes, syncs }: Pick<Trace, 'changes' | 'syncs'>) {
    const byEnd = syncs.toSorted((a, b) => a.ended - b.ended);
    this.#changes = changes.map((change) => [
      change,
      byEnd.find(({ file, begun }) => file === change.file && begun > change.ended),
    ]);
    this.#namesSynced =
      byEnd.find(({ file, failed }) => file === '.' && !failed)?.ended ?? Infinity;
  }

  /**
   * Returns the files after a power cut at a line of the trace. A change is on disk if a sync of
   * its file started after the change and ended before the cut. A change without such a sync is on
   * disk only if `luck` returns true. A change whose sync failed is never on disk, because the
   * kernel marks its pages clean.
   */
  at(line: number, luck: Luck): ReadonlyMap<string, Buffer> {
    const files = new Map<string, GrowingFile>();
    if (this.#namesSynced >= line) return new Map();
    for (const [change, sync] of this.#changes) {
      if (change.begun >= line) continue;
      const isJudged = sync !== undefined && sync.ended < line;
      if (isJudged ? sync.failed : !luck(change)) continue;
      const file = files.get(change.file) ?? new GrowingFile();
      files.set(change.file, file);
      file.apply(change);
    }
    return new Map([...files].map(([name, file]) => [name, file.contents]));
  }
}

class GrowingFile {
  #bytes = Buffer.alloc(65_536);
  #length = 0;

  get contents(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  apply({ at, bytes }: Change): void {
    if (bytes === null) {
      this.#bytes.fill(0, at);
      this.#length = at;
      return;
    }
    const end = at + bytes.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(end * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, at);
    this.#length = Math.max(this.#length, end);
  }
}
