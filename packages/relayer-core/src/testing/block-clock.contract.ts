import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@sotto/kernel';
import type { BlockClock } from '../ports/block-clock.port.js';

export interface BlockClockHarness {
  /** Has been asked for nothing yet. */
  readonly subject: BlockClock;
  /** Makes this the latest block, and lets the moment pass for which a number may be old. */
  stage(blockNumber: number): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeBlockClockContract(name: string, start: () => Promise<BlockClockHarness>): void {
  describe(`BlockClock contract (${name})`, () => {
    let harness: BlockClockHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('gives the number of the latest block to many at once, and follows it', async () => {
      const { subject } = harness;
      await harness.stage(7);
      expect(await Promise.all([subject.latestBlockNumber(), subject.latestBlockNumber()])).toEqual([7, 7]);
      await harness.stage(9);
      expect(await subject.latestBlockNumber()).toBe(9);
    });

    it('rejects with a fault when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.latestBlockNumber()).rejects.toBeInstanceOf(Fault);
    });
  });
}
