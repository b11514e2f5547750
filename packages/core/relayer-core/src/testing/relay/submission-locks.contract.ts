import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { SubmissionLocks } from '../../relay/ports/submission-locks.port.js';

export interface SubmissionLocksHarness {
  /** Lock store under test. The store contains no lock when a test starts. */
  readonly subject: SubmissionLocks;
  /** Opens a second instance on the same store, as a restarted process would. */
  reopen(): Promise<SubmissionLocks>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NOW_MS = 1_760_000_000_000;

export function describeClaimsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SubmissionLocksHarness>,
): void {
  describe(`SubmissionLocks contract (${name})`, () => {
    let harness: SubmissionLocksHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the holder of a locked name to later callers', async () => {
      const { subject } = harness;
      expect(await subject.take('n', 'a', NOW_MS)).toEqual({ holder: 'a', sinceMs: NOW_MS });
      expect(await subject.take('n', 'b', NOW_MS + 1)).toEqual({ holder: 'a', sinceMs: NOW_MS });
      expect(await subject.take('m', 'b', NOW_MS + 2)).toEqual({
        holder: 'b',
        sinceMs: NOW_MS + 2,
      });
    });

    it('renews a lock when its holder requests it again', async () => {
      const { subject } = harness;
      await subject.take('n', 'a', NOW_MS);
      expect(await subject.take('n', 'a', NOW_MS + 5)).toEqual({
        holder: 'a',
        sinceMs: NOW_MS + 5,
      });
    });

    it('locks a name for only one of many concurrent callers', async () => {
      const instances = [harness.subject, await harness.reopen()];
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).take('n', `holder-${index}`, NOW_MS),
        ),
      );
      expect(new Set(claims.map(({ holder }) => holder)).size).toBe(1);
    });

    it('replaces a lock only if the lock is still unchanged after its read', async () => {
      const { subject } = harness;
      const first = await subject.take('n', 'a', NOW_MS);
      expect(await subject.replace('n', first, 'b', NOW_MS + 1)).toBe(true);
      expect(await subject.replace('n', first, 'c', NOW_MS + 2)).toBe(false);
      expect(await subject.replace('m', first, 'c', NOW_MS + 2)).toBe(false);
      expect(await subject.take('n', 'c', NOW_MS + 3)).toEqual({
        holder: 'b',
        sinceMs: NOW_MS + 1,
      });
      const renewed = await subject.take('n', 'b', NOW_MS + 4);
      expect(await subject.replace('n', { ...renewed, sinceMs: NOW_MS + 1 }, 'c', NOW_MS + 5)).toBe(
        false,
      );
    });

    it('releases a lock only when its holder requests the release', async () => {
      const { subject } = harness;
      await subject.take('n', 'a', NOW_MS);
      await subject.take('m', 'a', NOW_MS);
      await subject.release('n', 'b');
      expect(await subject.take('n', 'b', NOW_MS + 1)).toMatchObject({ holder: 'a' });
      await subject.release('n', 'a');
      expect(await subject.take('n', 'b', NOW_MS + 2)).toEqual({
        holder: 'b',
        sinceMs: NOW_MS + 2,
      });
      expect(await subject.take('m', 'b', NOW_MS + 3)).toMatchObject({ holder: 'a' });
      await subject.release('unknown', 'a');
    });

    it('deletes locks that are older than a time, and returns their number', async () => {
      const { subject } = harness;
      await subject.take('old', 'a', NOW_MS - 1);
      await subject.take('new', 'a', NOW_MS);
      expect(await subject.forget(NOW_MS)).toBe(1);
      expect(await subject.take('old', 'b', NOW_MS)).toMatchObject({ holder: 'b' });
      expect(await subject.take('new', 'b', NOW_MS)).toMatchObject({ holder: 'a' });
    });

    it('a lock is still held after a restart', async () => {
      await harness.subject.take('n', 'a', NOW_MS);
      expect(await (await harness.reopen()).take('n', 'b', NOW_MS)).toMatchObject({ holder: 'a' });
    });

    it('calls of the store of submission locks reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.take('n', 'a', NOW_MS)).rejects.toBeInstanceOf(DomainError);
      await expect(
        subject.replace('n', { holder: 'a', sinceMs: NOW_MS }, 'b', NOW_MS),
      ).rejects.toBeInstanceOf(DomainError);
      await expect(subject.release('n', 'a')).rejects.toBeInstanceOf(DomainError);
      await expect(subject.forget(NOW_MS)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
