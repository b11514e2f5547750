import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type {
  LendingPool,
  LendingPoolReader,
  LendingPoolState,
} from '../ports/lending-pool-reader.port.js';

/**
 * State of a market. `above_target` means that the utilization is above the target, where the
 * interest rate rises steeply.
 */
export type LendingPoolStage = 'idle' | 'normal' | 'above_target';

export interface LendingPoolReaderHarness {
  readonly subject: LendingPoolReader;
  /** Two pools that lend the same asset. */
  readonly pools: readonly [LendingPool, LendingPool];
  /** Asset that the pools do not lend. */
  readonly otherAsset: Felt;
  /**
   * Sets the state of a pool's market. Resolves to the integers that the pool returns afterwards.
   */
  stage(pool: LendingPool, stage: LendingPoolStage): Promise<LendingPoolState>;
  mine(): Promise<{ readonly blockNumber: number; readonly timestampSeconds: number }>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeLendingPoolReaderContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<LendingPoolReaderHarness>,
): void {
  describe(`LendingPoolReader contract (${name})`, () => {
    let harness: LendingPoolReaderHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it.each<LendingPoolStage>(['idle', 'normal', 'above_target'])(
      'returns the raw integers of a lending pool that is %s, and the block in which they were read',
      async (stage) => {
        const [pool] = harness.pools;
        const state = await harness.stage(pool, stage);
        const block = await harness.mine();
        expect(await harness.subject.readPools([pool])).toEqual({ ...block, pools: [state] });
      },
    );

    it('returns lending pools in the requested order', async () => {
      const [first, second] = harness.pools;
      const normal = await harness.stage(first, 'normal');
      const busy = await harness.stage(second, 'above_target');
      const block = await harness.mine();
      expect(await harness.subject.readPools([second, first])).toEqual({
        ...block,
        pools: [busy, normal],
      });
    });

    it('reports no debt and no interest for an idle pool', async () => {
      const [pool] = harness.pools;
      const { totalNominalDebtE18, interestRateE18 } = await harness.stage(pool, 'idle');
      expect([totalNominalDebtE18, interestRateE18]).toEqual([0n, 0n]);
    });

    it('every read of the lending pools uses the newest block', async () => {
      const [pool] = harness.pools;
      await harness.stage(pool, 'normal');
      await harness.mine();
      const before = await harness.subject.readPools([pool]);
      const block = await harness.mine();
      expect(await harness.subject.readPools([pool])).toEqual({ ...block, pools: before.pools });
      expect(block.blockNumber).toBeGreaterThan(before.blockNumber);
    });

    it('T17: a pool is null in the result if it does not lend the asset; the other pools are returned', async () => {
      const [first, second] = harness.pools;
      const state = await harness.stage(first, 'normal');
      const block = await harness.mine();
      const unreadable = { ...second, asset: harness.otherAsset };
      for (const [pools, states] of [
        [
          [first, unreadable],
          [state, null],
        ],
        [
          [unreadable, first],
          [null, state],
        ],
      ] as const)
        expect(await harness.subject.readPools(pools)).toEqual({ ...block, pools: states });
    });

    it('rejects with an error if no pool lends the asset', async () => {
      const [first] = harness.pools;
      await expect(
        harness.subject.readPools([{ ...first, asset: harness.otherAsset }]),
      ).rejects.toBeInstanceOf(DomainError);
    });

    it('rejects with an error while the node is unavailable', async () => {
      await harness.breakDown();
      await expect(harness.subject.readPools(harness.pools)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
