import { describe, expect, it } from '@jest/globals';
import { LogSync } from '../../src/sqlite/log-sync.js';
import type { SyncedFile } from '../../src/sqlite/log-file.js';

const turn = (): Promise<unknown> => new Promise(setImmediate);
const failure = Object.assign(new Error('broken'), { code: 'EIO' });

/** Log file whose syncs end only when a test calls `end`. */
class StagedFile implements SyncedFile {
  readonly #syncs: PromiseWithResolvers<void>[] = [];
  readonly calls: string[] = [];
  refusesToRewrite = false;

  sync(): Promise<void> {
    this.calls.push('sync');
    const sync = Promise.withResolvers<void>();
    this.#syncs.push(sync);
    return sync.promise;
  }

  rewrite(): void {
    this.calls.push('rewrite');
    if (this.refusesToRewrite) throw failure;
  }

  async close(): Promise<void> {
    this.calls.push('close');
  }

  /** Ends the running sync. If an error is given, the sync fails with it. */
  async end(error?: Error): Promise<void> {
    const sync = this.#syncs.shift();
    if (sync === undefined) throw new Error('no sync runs');
    if (error === undefined) sync.resolve();
    else sync.reject(error);
    await turn();
  }
}

/** Returns an object that contains the current outcome of a call. */
function outcomeOf(call: Promise<void>): { value: string } {
  const outcome = { value: 'waits' };
  call.then(
    () => (outcome.value = 'durable'),
    (error: unknown) => (outcome.value = error === failure ? 'failed' : String(error)),
  );
  return outcome;
}

interface Stage {
  readonly file: StagedFile;
  readonly log: LogSync;
  readonly commit: () => { value: string };
  readonly synced: () => number;
}

/** Creates the {@link LogSync} of a log that was just opened and is not trusted yet. */
function opened(): Stage {
  const file = new StagedFile();
  let synced = 0;
  const log = new LogSync(file, () => (synced += 1));
  const commit = (): { value: string } => {
    log.committed(0n);
    return outcomeOf(log.durable());
  };
  return { file, log, commit, synced: () => synced };
}

/** Creates the {@link LogSync} of a log that is trusted, because all its syncs have succeeded. */
async function trusted(): Promise<Stage> {
  const stage = opened();
  const recovered = stage.log.recovered();
  await stage.file.end();
  await recovered;
  stage.file.calls.length = 0;
  return stage;
}

describe('LogSync', () => {
  it('a commit resolves only after a sync of the write-ahead log', async () => {
    const { file, log, commit, synced } = await trusted();
    await log.durable();
    expect(file.calls).toEqual([]);
    const first = commit();
    await turn();
    expect([first.value, synced()]).toEqual(['waits', 1]);
    await file.end();
    expect([first.value, synced()]).toEqual(['durable', 2]);
    await log.durable();
    expect(file.calls).toEqual(['sync']);
  });

  it('a read waits only for the sync of earlier commits', async () => {
    const { file, log, commit } = await trusted();
    commit();
    const reader = outcomeOf(log.durable());
    const later = commit();
    await file.end();
    expect([reader.value, later.value]).toEqual(['durable', 'waits']);
    await file.end();
    expect(later.value).toBe('durable');
  });

  it('all commits made during a sync of the write-ahead log share the next sync', async () => {
    const { file, commit } = await trusted();
    const first = commit();
    const during = [commit(), commit(), commit()];
    await file.end();
    expect([first, ...during].map(({ value }) => value)).toEqual([
      'durable',
      'waits',
      'waits',
      'waits',
    ]);
    await file.end();
    expect(during.map(({ value }) => value)).toEqual(['durable', 'durable', 'durable']);
    expect(file.calls).toEqual(['sync', 'sync']);
  });

  it('rejects all waiting calls if a sync of the write-ahead log fails', async () => {
    const { file, log, commit, synced } = await trusted();
    const outcomes = [commit(), commit(), outcomeOf(log.durable())];
    await file.end(failure);
    expect(outcomes.map(({ value }) => value)).toEqual(['failed', 'failed', 'failed']);
    expect([file.calls, log.isTrusted, synced()]).toEqual([['sync'], false, 1]);
  });

  it('the write-ahead log is not trusted after a failed sync until the log is rewritten and synced', async () => {
    const { file, log, commit, synced } = await trusted();
    commit();
    await file.end(failure);
    // This commit simulates a call that was already using the connection when the sync failed.
    expect(await settled(commit())).toBe('failed');
    expect(file.calls).toEqual(['sync']);

    const recovered = outcomeOf(log.recovered());
    expect(file.calls).toEqual(['sync', 'rewrite', 'sync']);
    expect([recovered.value, log.isTrusted]).toEqual(['waits', false]);
    await file.end();
    expect([recovered.value, log.isTrusted, synced()]).toEqual(['durable', true, 2]);
    // The recovery has put the rejected commits on disk.
    await log.durable();
    expect(file.calls).toEqual(['sync', 'rewrite', 'sync']);
    const next = commit();
    await file.end();
    expect(next.value).toBe('durable');
  });

  it('the write-ahead log remains untrusted if its rewrite or the sync of the rewrite fails', async () => {
    const { file, log, commit } = await trusted();
    commit();
    await file.end(failure);
    file.refusesToRewrite = true;
    expect(await settled(outcomeOf(log.recovered()))).toBe('failed');
    file.refusesToRewrite = false;
    const recovered = outcomeOf(log.recovered());
    await file.end(failure);
    expect([recovered.value, log.isTrusted]).toEqual(['failed', false]);
    expect(await settled(outcomeOf(log.durable()))).toBe('failed');
  });

  it('an existing write-ahead log is not trusted when it is opened', async () => {
    const { file, log } = opened();
    expect(log.isTrusted).toBe(false);
    const recovered = outcomeOf(log.recovered());
    expect(file.calls).toEqual(['rewrite', 'sync']);
    await file.end();
    expect([recovered.value, log.isTrusted]).toEqual(['durable', true]);
  });

  it('closes the write-ahead log’s file once all commits are on disk', async () => {
    const { file, log, commit } = await trusted();
    const outcomes = [commit(), commit()];
    const closed = log.close();
    await file.end();
    expect(file.calls).toEqual(['sync', 'sync']);
    await file.end();
    await closed;
    expect(outcomes.map(({ value }) => value)).toEqual(['durable', 'durable']);
    expect(file.calls).toEqual(['sync', 'sync', 'close']);
  });

  it('closes the write-ahead log’s file even if a sync fails', async () => {
    const { file, log, commit } = await trusted();
    const outcomes = [commit(), commit()];
    const closed = log.close();
    await file.end(failure);
    await closed;
    expect(outcomes.map(({ value }) => value)).toEqual(['failed', 'failed']);
    expect(file.calls).toEqual(['sync', 'close']);
  });
});

async function settled(outcome: { readonly value: string }): Promise<string> {
  await turn();
  return outcome.value;
}
