import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type Felt } from '@sotto/kernel';
import type { PoolStatus } from '../../pools/domain/pool-status.js';
import type { PoolStatusReader } from '../../pools/ports/pool-status-reader.port.js';

export interface PoolStatusReaderHarness {
  readonly subject: PoolStatusReader;
  readonly pool: Felt;
  /** What the pool says in the latest block. */
  readonly status: PoolStatus;
  /** An address without any contract. */
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describePoolStatusReaderContract(
  name: string,
  start: () => Promise<PoolStatusReaderHarness>,
): void {
  describe(`PoolStatusReader contract (${name})`, () => {
    let harness: PoolStatusReaderHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads all that a pool says, and in which block', async () => {
      const { subject, pool, status } = harness;
      expect(await subject.poolStatus(pool)).toEqual(status);
    });

    it('rejects with an error where no pool is', async () => {
      await expect(harness.subject.poolStatus(harness.nowhere)).rejects.toBeInstanceOf(DomainError);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.poolStatus(harness.pool)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
