import type { Clock } from '@sotto/kernel';
import type { TestRunner } from '@sotto/kernel/testing';
import type { NewOperatorEntry, OperatorLog } from '../../operators/ports/operator-log.port.js';

export interface OperatorLogHarness {
  /** Operator log under test, without any entry at the start. */
  readonly subject: OperatorLog;
  /**
   * Opens the log again after the process that wrote it has ended; null if the log is not
   * persistent.
   */
  readonly reopen: (() => Promise<OperatorLog>) | null;
  stop(): Promise<void>;
}

const entry: NewOperatorEntry = {
  holder: 'alice',
  action: 'pool.pause',
  subject: 'sentinel_1x',
  reason: 'an upgrade',
};

/** Defines tests that every `OperatorLog` must pass. */
export function describeOperatorLogContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: (clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) => Promise<OperatorLogHarness>,
): void {
  describe(`OperatorLog contract (${name})`, () => {
    let harness: OperatorLogHarness;
    let passedMs = 0;
    beforeEach(async () => {
      passedMs = 0;
      harness = await start({ nowMs: () => 5_000 + passedMs, monotonicMs: () => passedMs });
    });
    afterEach(() => harness.stop());

    it('a new operator log has no entries', async () => {
      expect(await harness.subject.page(null, 10)).toEqual([]);
    });

    it('stores an action before its outcome is known, and adds the outcome later', async () => {
      const id = await harness.subject.begin(entry);
      expect(await harness.subject.page(null, 10)).toEqual([
        { ...entry, id, atMs: 5_000, outcome: null },
      ]);
      passedMs = 70;
      await harness.subject.end(id, 'DONE');
      expect(await harness.subject.page(null, 10)).toEqual([
        { ...entry, id, atMs: 5_000, outcome: 'DONE' },
      ]);
    });

    it('ignores a second outcome of an action, and an outcome of an unknown action', async () => {
      const id = await harness.subject.begin({ ...entry, reason: null });
      await harness.subject.end(id, 'POOL_NOT_SUPPORTED');
      await harness.subject.end(id, 'DONE');
      await harness.subject.end(id + 1, 'DONE');
      expect(await harness.subject.page(null, 10)).toEqual([
        { ...entry, reason: null, id, atMs: 5_000, outcome: 'POOL_NOT_SUPPORTED' },
      ]);
    });

    it('later entries of the operator log do not shift the next page', async () => {
      const ids: number[] = [];
      for (const subject of ['a', 'b', 'c', 'd', 'e'])
        ids.push(await harness.subject.begin({ ...entry, subject }));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      const subjects = async (before: number | null): Promise<readonly string[]> =>
        (await harness.subject.page(before, 2)).map(({ subject }) => subject);
      expect(await subjects(null)).toEqual(['e', 'd']);
      await harness.subject.begin({ ...entry, subject: 'f' });
      expect(await subjects(ids[3] ?? null)).toEqual(['c', 'b']);
      expect(await subjects(ids[1] ?? null)).toEqual(['a']);
      expect(await subjects(ids[0] ?? null)).toEqual([]);
    });

    it('assigns a unique id to each of many concurrent actions', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => harness.subject.begin(entry)));
      expect(new Set(ids).size).toBe(20);
      expect(await harness.subject.page(null, 50)).toHaveLength(20);
    });

    it('a persistent operator log still contains its entries after a restart', async () => {
      const id = await harness.subject.begin(entry);
      const later = (await harness.reopen?.()) ?? harness.subject;
      expect(await later.page(null, 10)).toMatchObject([{ ...entry, id, outcome: null }]);
    });
  });
}
