import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import { NodeBehind } from '../errors.js';
import type { Snapshot, Snapshots } from '../ports/snapshots.port.js';

export interface SnapshotsHarness {
  readonly subject: Snapshots;
  /** Adds a block to the chain and returns it as a snapshot. */
  mine(): Promise<Snapshot>;
  /** Undoes the newest block. */
  rollback(): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const OTHER_HASH = toFelt('0xbad');

export function describeSnapshotsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SnapshotsHarness>,
): void {
  describe(`Snapshots contract (${name})`, () => {
    let harness: SnapshotsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the newest block with its timestamp', async () => {
      const first = await harness.mine();
      expect(await harness.subject.latest(null)).toEqual(first);
      const second = await harness.mine();
      expect(second.number).toBe(first.number + 1);
      expect(await harness.subject.latest(null)).toEqual(second);
    });

    it('returns the newest block if the required block is not newer', async () => {
      const first = await harness.mine();
      expect(await harness.subject.latest(first)).toEqual(first);
      await harness.mine();
      const newest = await harness.mine();
      expect(await harness.subject.latest(first)).toEqual(newest);
      expect(await harness.subject.latest(newest)).toEqual(newest);
    });

    it('rejects with NodeBehind if the node has not reached the required block', async () => {
      const { number, hash } = await harness.mine();
      for (const ahead of [1, 20]) {
        const after = { number: number + ahead, hash };
        await expect(harness.subject.latest(after)).rejects.toBeInstanceOf(NodeBehind);
      }
    });

    it('rejects with NodeBehind if the node has a different block at the height of the required block', async () => {
      const past = await harness.mine();
      const newest = await harness.mine();
      for (const { number } of [past, newest]) {
        const after = { number, hash: OTHER_HASH };
        await expect(harness.subject.latest(after)).rejects.toBeInstanceOf(NodeBehind);
      }
    });

    it('rejects with NodeBehind if the required block was rolled back', async () => {
      const first = await harness.mine();
      const undone = await harness.mine();
      await harness.rollback();
      await expect(harness.subject.latest(undone)).rejects.toBeInstanceOf(NodeBehind);
      expect(await harness.subject.latest(first)).toEqual(first);
    });

    it('rejects with an error other than NodeBehind when the node does not answer', async () => {
      const block = await harness.mine();
      await harness.breakDown();
      for (const after of [null, block]) {
        const failed = harness.subject.latest(after);
        await expect(failed).rejects.toBeInstanceOf(DomainError);
        await expect(failed).rejects.not.toBeInstanceOf(NodeBehind);
      }
    });
  });
}
