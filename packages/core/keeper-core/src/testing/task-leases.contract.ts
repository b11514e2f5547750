import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { TaskLeases } from '../ports/task-leases.port.js';

export interface TaskLeasesHarness {
  /** Store that contains no leases. */
  readonly subject: TaskLeases;
  /** Opens the same store again, as another instance or after a restart. */
  reopen(): Promise<TaskLeases>;
  /** Advances the store's clock by this many milliseconds. */
  pass(ms: number): void;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const TTL_MS = 1_000;

export function describeTaskLeasesContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<TaskLeasesHarness>,
): void {
  describe(`TaskLeases contract (${name})`, () => {
    let harness: TaskLeasesHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('grants the lease of a keeper task only to the first instance', async () => {
      const { subject } = harness;
      expect(await subject.hold('curator', 'a', TTL_MS)).toBe(true);
      expect(await subject.hold('curator', 'b', TTL_MS)).toBe(false);
      expect(await subject.hold('batches', 'b', TTL_MS)).toBe(true);
    });

    it('grants the lease of a keeper task to only one of many concurrent instances', async () => {
      const instances = [harness.subject, await harness.reopen()];
      const held = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).hold('curator', `instance-${index}`, TTL_MS),
        ),
      );
      expect(held.filter(Boolean)).toHaveLength(1);
      expect(await harness.subject.holders()).toMatchObject([
        { task: 'curator', instance: `instance-${held.indexOf(true)}` },
      ]);
    });

    it('grants the lease of a keeper task to a second instance once the lease of a killed holder has expired', async () => {
      const { subject } = harness;
      await subject.hold('curator', 'killed', TTL_MS);
      const other = await harness.reopen();
      harness.pass(TTL_MS - 1);
      expect(await other.hold('curator', 'b', TTL_MS)).toBe(false);
      harness.pass(1);
      expect(await other.hold('curator', 'b', TTL_MS)).toBe(true);
      expect(await subject.hold('curator', 'killed', TTL_MS)).toBe(false);
    });

    it('grants an expired lease of a keeper task to only one of many concurrent instances', async () => {
      const instances = [harness.subject, await harness.reopen()];
      await harness.subject.hold('curator', 'killed', TTL_MS);
      harness.pass(TTL_MS);
      const held = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).hold('curator', `instance-${index}`, TTL_MS),
        ),
      );
      expect(held.filter(Boolean)).toHaveLength(1);
    });

    it('a holder’s request extends its lease from now on, even if the lease has expired', async () => {
      const { subject } = harness;
      await subject.hold('curator', 'a', TTL_MS);
      harness.pass(TTL_MS / 2);
      expect(await subject.hold('curator', 'a', TTL_MS)).toBe(true);
      harness.pass(TTL_MS - 1);
      expect(await subject.hold('curator', 'b', TTL_MS)).toBe(false);
      harness.pass(TTL_MS);
      expect(await subject.hold('curator', 'a', TTL_MS)).toBe(true);
      expect(await subject.hold('curator', 'b', TTL_MS)).toBe(false);
    });

    it('releases the lease of a keeper task only for the lease’s holder', async () => {
      const { subject } = harness;
      await subject.release('curator', 'a');
      await subject.hold('curator', 'a', TTL_MS);
      await subject.hold('batches', 'a', TTL_MS);
      await subject.release('curator', 'b');
      expect(await subject.hold('curator', 'b', TTL_MS)).toBe(false);
      await subject.release('curator', 'a');
      expect(await subject.hold('curator', 'b', TTL_MS)).toBe(true);
      expect(await subject.hold('batches', 'b', TTL_MS)).toBe(false);
    });

    it('returns a released or expired lease until an instance leases the task again', async () => {
      const { subject } = harness;
      expect(await subject.lapsed()).toEqual([]);
      await subject.hold('curator', 'killed', TTL_MS);
      await subject.hold('batches', 'stopped', 2 * TTL_MS);
      const [batches, curator] = await subject.holders();
      expect(await subject.lapsed()).toEqual([]);
      await subject.release('batches', 'stopped');
      expect(await subject.lapsed()).toMatchObject([{ task: 'batches', instance: 'stopped' }]);
      harness.pass(TTL_MS + 5);
      const reopened = await harness.reopen();
      expect(await reopened.lapsed()).toEqual([
        {
          task: 'batches',
          instance: 'stopped',
          untilMs: (batches?.untilMs ?? 0) - 2 * TTL_MS,
          forMs: TTL_MS + 5,
        },
        { task: 'curator', instance: 'killed', untilMs: curator?.untilMs, forMs: 5 },
      ]);
      // The lease was already released, so a second release changes nothing.
      await subject.release('curator', 'killed');
      expect(await subject.lapsed()).toContainEqual(expect.objectContaining({ forMs: 5 }));
      await subject.hold('curator', 'next', TTL_MS);
      expect(await subject.lapsed()).toMatchObject([{ task: 'batches' }]);
    });

    it('returns the current holders of task leases, sorted by task', async () => {
      const { subject } = harness;
      expect(await subject.holders()).toEqual([]);
      await subject.hold('curator', 'a', TTL_MS);
      await subject.hold('batches', 'b', 2 * TTL_MS);
      const [batches, curator] = await (await harness.reopen()).holders();
      expect(batches).toMatchObject({ task: 'batches', instance: 'b' });
      expect(curator).toMatchObject({ task: 'curator', instance: 'a' });
      expect((batches?.untilMs ?? 0) - (curator?.untilMs ?? 0)).toBeGreaterThanOrEqual(TTL_MS);
      harness.pass(TTL_MS);
      expect(await subject.holders()).toMatchObject([{ task: 'batches', instance: 'b' }]);
    });

    it('requests for task leases reject with LedgerUnavailable while the store is unavailable', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.hold('curator', 'a', TTL_MS)).rejects.toBeInstanceOf(LedgerUnavailable);
      await expect(subject.release('curator', 'a')).rejects.toBeInstanceOf(LedgerUnavailable);
      await expect(subject.holders()).rejects.toBeInstanceOf(LedgerUnavailable);
      await expect(subject.lapsed()).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
