import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import type { PoolControls } from '../../circuit-breaker/ports/pool-controls.port.js';

export interface PoolControlsHarness {
  /** Pool controls under test, without any record when a test starts. */
  readonly subject: PoolControls;
  /** Opens another instance on the same store, as after a restart. */
  reopen(): Promise<PoolControls>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NOW_MS = 1_760_000_000_000;
const A = toFelt('0xaa1');
const B = toFelt('0xaa2');
const CALM = { failures: 0, lastAtMs: 0 };
/** Limit for the number of failures that is higher than any number in these tests. */
const MANY = 1_000;

export function describePoolControlsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<PoolControlsHarness>,
): void {
  describe(`PoolControls contract (${name})`, () => {
    let harness: PoolControlsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns no entry for a pool without a stored record', async () => {
      await harness.subject.upstreamAnswered(A);
      expect(await harness.subject.all()).toEqual([]);
    });

    it('pauses only the given pool', async () => {
      const { subject } = harness;
      await subject.pause(A, 'upgrade', NOW_MS);
      expect(await subject.all()).toEqual([
        { pool: A, paused: { reason: 'upgrade', sinceMs: NOW_MS }, resumedAtMs: 0, upstream: CALM },
      ]);
      await subject.pause(A, 'a longer upgrade', NOW_MS + 5);
      expect(await subject.all()).toMatchObject([
        { pool: A, paused: { reason: 'a longer upgrade', sinceMs: NOW_MS } },
      ]);
    });

    it('resumes only the given pool, and resets its failure count', async () => {
      const { subject } = harness;
      await subject.pause(A, 'upgrade', NOW_MS);
      await subject.pause(B, 'upgrade', NOW_MS);
      await subject.upstreamFailed(A, NOW_MS, MANY);
      await subject.resume(A, NOW_MS + 9);
      const controls = new Map((await subject.all()).map((control) => [control.pool, control]));
      expect(controls.get(A)).toEqual({
        pool: A,
        paused: null,
        resumedAtMs: NOW_MS + 9,
        upstream: CALM,
      });
      expect(controls.get(B)).toMatchObject({ paused: { reason: 'upgrade' }, resumedAtMs: 0 });
    });

    it('adds up concurrent failures of a pool from two instances', async () => {
      const { subject } = harness;
      const other = await harness.reopen();
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? subject : other).upstreamFailed(A, NOW_MS, MANY),
        ),
      );
      await subject.upstreamFailed(A, NOW_MS + 7, MANY);
      expect(await subject.all()).toMatchObject([
        { pool: A, paused: null, upstream: { failures: 11, lastAtMs: NOW_MS + 7 } },
      ]);
      await other.upstreamAnswered(A);
      expect(await subject.all()).toMatchObject([{ pool: A, upstream: CALM }]);
    });

    it('T15: only one of several concurrent failures with the same expected failure count is counted', async () => {
      const { subject } = harness;
      const other = await harness.reopen();
      await subject.upstreamFailed(A, NOW_MS, 4);
      await subject.upstreamFailed(A, NOW_MS + 1, 4);
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? subject : other).upstreamFailed(A, NOW_MS + 2, 2),
        ),
      );
      await other.upstreamFailed(A, NOW_MS + 9, 2);
      expect(await subject.all()).toMatchObject([
        { pool: A, upstream: { failures: 3, lastAtMs: NOW_MS + 2 } },
      ]);
    });

    it('reads of the node or of prices do not end a pool’s pause, whether they fail or succeed', async () => {
      const { subject } = harness;
      await subject.pause(A, 'upgrade', NOW_MS);
      await subject.upstreamFailed(A, NOW_MS, MANY);
      await subject.upstreamAnswered(A);
      expect(await subject.all()).toMatchObject([
        { pool: A, paused: { reason: 'upgrade', sinceMs: NOW_MS } },
      ]);
    });

    it('a second instance on the same store returns the pauses and failures, also after a restart', async () => {
      await harness.subject.pause(A, 'upgrade', NOW_MS);
      await harness.subject.upstreamFailed(B, NOW_MS, MANY);
      const reopened = await harness.reopen();
      expect(
        new Map(
          (await reopened.all()).map(({ pool, paused, upstream }) => [
            pool,
            [paused?.reason, upstream.failures],
          ]),
        ),
      ).toEqual(
        new Map([
          [A, ['upgrade', 0]],
          [B, [undefined, 1]],
        ]),
      );
    });

    it('calls of the pool control store reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.all()).rejects.toBeInstanceOf(DomainError);
      await expect(subject.pause(A, 'upgrade', NOW_MS)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.resume(A, NOW_MS)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.upstreamFailed(A, NOW_MS, MANY)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.upstreamAnswered(A)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
