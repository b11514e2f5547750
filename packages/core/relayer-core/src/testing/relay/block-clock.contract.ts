import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import type { BlockClock } from '../../relay/ports/block-clock.port.js';

export interface BlockClockHarness {
  /** Has been asked for nothing yet. */
  readonly subject: BlockClock;
  /**
   * Makes so many blocks, and lets the moment pass for which a number may be old; the latest
   * block's number.
   */
  stage(blocks: number): Promise<number>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeBlockClockContract(
  name: string,
  start: () => Promise<BlockClockHarness>,
): void {
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
      const latest = await harness.stage(7);
      expect(await Promise.all([subject.latestBlockNumber(), subject.latestBlockNumber()])).toEqual(
        [latest, latest],
      );
      expect(await harness.stage(2)).toBe(latest + 2);
      expect(await subject.latestBlockNumber()).toBe(latest + 2);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.latestBlockNumber()).rejects.toBeInstanceOf(DomainError);
    });
  });
}
