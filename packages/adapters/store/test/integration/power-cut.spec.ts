import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkFiles } from '../../src/index.js';
import { describeWhere } from '../support/describe-where.js';
import { inOrder, traced, TracedDisk, type Luck, type Trace } from '../support/traced-disk.js';

const CROWD = fileURLToPath(new URL('../children/crowd.mjs', import.meta.url));
const NAME = 'ledger.db';
const SUBMISSIONS = 10;
/** Size in bytes of the header of SQLite's log. */
const HEADER_BYTES = 32;
const PAGE_BYTES = 2_048;

/**
 * Policy that decides which unsynced changes survive a power cut, as its name and its function.
 * This policy retains none.
 */
const ONLY_SYNCED: readonly [string, Luck] = ['none', () => false];
const LUCKS: readonly (readonly [string, Luck])[] = [
  ['every second page', ({ at }) => Math.floor(at / PAGE_BYTES) % 2 === 0],
  ['what was written to the log', ({ file }) => file.endsWith('-wal')],
  ['what was written to the file', ({ file }) => file === NAME],
];

describe('power cut under a SQLite store', () => {
  describeWhere('strace', ['strace', '-f', '-o', '/dev/null', 'true'], () => {
    let root: string;
    beforeAll(() => {
      root = realpathSync(mkdtempSync(join(tmpdir(), 'power-')));
    });
    afterAll(() => {
      rmSync(root, { recursive: true, force: true });
    });

    /**
     * Runs two processes of `crowd.mjs` one after the other. The second process finds the log of
     * the first process.
     */
    async function crowds(name: string, injected: readonly string[] = []): Promise<Trace> {
      const folder = join(root, name);
      mkdirSync(folder);
      const file = join(folder, NAME);
      const run = (crowd: string, from: number): Promise<Trace> =>
        traced(folder, [CROWD, file, crowd, String(from), String(SUBMISSIONS)], injected);
      return inOrder(await run('first', 0), await run('second', SUBMISSIONS));
    }

    /**
     * Returns the first state that is lost or wrong after a power cut; null if no state is lost.
     * The power cut may happen at any acknowledgement or at the end. For each power cut, two cases
     * are checked: only the synced changes are on disk, or also some unsynced changes.
     */
    function firstLossIn(trace: Trace): string | null {
      const disk = new TracedDisk(trace);
      const moments = [...trace.said.map(({ begun }) => begun), trace.lines];
      for (const [index, moment] of moments.entries()) {
        const [luck, keeps] = LUCKS[index % LUCKS.length] ?? ONLY_SYNCED;
        for (const [kept, isKept] of new Map([ONLY_SYNCED, [luck, keeps]])) {
          const [loss] = lossesOn(disk.at(moment, isKept), trace, moment);
          if (loss !== undefined) return `${loss}, kept: ${kept}`;
        }
      }
      return null;
    }

    function lossesOn(files: ReadonlyMap<string, Buffer>, trace: Trace, moment: number): string[] {
      const folder = mkdtempSync(join(root, 'cut-'));
      for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
      const said = new Map(
        trace.said.filter(({ begun }) => begun <= moment).map(({ id, state }) => [id, state]),
      );
      try {
        // T17: the files after a power cut must never be rejected as incomplete.
        checkFiles(join(folder, NAME), 'quick');
        const database = new DatabaseSync(join(folder, NAME));
        try {
          const check = database.prepare('pragma quick_check').get()?.['quick_check'];
          if (check !== 'ok') return ['damaged'];
          const rows = database.prepare('select id, state from attempts').all();
          const kept = new Map(rows.map(({ id, state }) => [id, state]));
          return [...said].flatMap(([id, state]) =>
            progress(kept.get(id)) < progress(state) ? [`${id} was ${state}`] : [],
          );
        } finally {
          database.close();
        }
      } catch (error) {
        return [String(error)];
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }

    describe('reliable disk', () => {
      let trace: Trace;
      beforeAll(async () => {
        trace = await crowds('sound');
      });

      it('a power cut during any call loses no state that the store had acknowledged or returned', () => {
        expect(trace.said).toContainEqual(
          expect.objectContaining({ id: `second-${2 * SUBMISSIONS - 1}`, state: 'succeeded' }),
        );
        expect(firstLossIn(trace)).toBeNull();
      });

      it('the recorded run contains shared syncs, a checkpoint, a truncation and a restart of the write-ahead log', () => {
        const inLog = trace.syncs.filter(({ file }) => file === `${NAME}-wal`);
        const own = inLog.filter(({ call }) => call === 'fdatasync');
        expect(own.length).toBeGreaterThan(0);
        expect(own.length).toBeLessThan(trace.said.length);
        expect(trace.syncs.some(({ file }) => file === NAME)).toBe(true);
        expect(trace.changes.some(({ file, bytes }) => file !== NAME && bytes === null)).toBe(true);
        const headers = trace.changes.filter(
          ({ at, bytes }) => at === 0 && bytes?.length === HEADER_BYTES,
        );
        expect(headers.length).toBeGreaterThan(1);
      });

      it('the power cut test detects lost acknowledged states if the write-ahead log is not synced', () => {
        const syncs = trace.syncs.filter(({ call }) => call !== 'fdatasync');
        expect(firstLossIn({ ...trace, syncs })).not.toBeNull();
      });
    });

    describe('disk with occasionally failing syncs', () => {
      let trace: Trace;
      beforeAll(async () => {
        trace = await crowds('failing', ['fdatasync:error=EIO:when=14+3']);
      });

      it('a power cut loses no acknowledged or returned state, even if syncs of the disk fail occasionally', () => {
        // On a slower machine, more writes share a sync, so fewer syncs fail.
        expect(trace.syncs.filter(({ failed }) => failed).length).toBeGreaterThan(1);
        expect(trace.said.length).toBeGreaterThan(20);
        expect(firstLossIn(trace)).toBeNull();
      });

      it('the power cut test detects lost states if a failed sync is only repeated', () => {
        const changes = trace.changes.filter((change) => !isRewritten(change));
        expect(changes.length).toBeLessThan(trace.changes.length);
        expect(firstLossIn({ ...trace, changes })).not.toBeNull();
      });
    });
  });
});

function progress(state: unknown): number {
  return ['accepted', 'broadcast', 'succeeded', 'expired'].indexOf(String(state));
}

/**
 * Returns true for a write that is part of a rewrite of the log with its own content. SQLite itself
 * writes at most one page per write.
 */
function isRewritten({ file, bytes }: Trace['changes'][number]): boolean {
  return file !== NAME && bytes !== null && bytes.length > PAGE_BYTES;
}
