import { DomainError, type Felt } from '@sotto/kernel';
import type { TestRunner } from '@sotto/kernel/testing';
import type { PrivacyPoolReader } from '../../private-actions/ports/privacy-pool-reader.port.js';
import type { PrivacyPoolState } from './in-memory-privacy-pools.js';

/** State of a pool that its owner can change. */
export type OwnedPoolState = Pick<PrivacyPoolState, 'isPaused' | 'feeFri' | 'validityBlocks'>;

export interface PrivacyPoolReaderHarness {
  readonly subject: PrivacyPoolReader;
  readonly pool: Felt;
  /** State of the pool in the newest accepted block. */
  readonly state: PrivacyPoolState;
  /** Storage address of the pool with a value other than zero. */
  readonly written: Felt;
  /** Storage address of the pool whose value is zero. */
  readonly free: Felt;
  /** Contract that is no privacy pool. */
  readonly otherContract: Felt;
  /** Address where no contract is deployed. */
  readonly nowhere: Felt;
  /** Returns the newest accepted block, whose height is above 0. */
  head(): Promise<{ readonly number: number; readonly hash: Felt }>;
  /** Changes the pool in a new block. */
  change(changes: Partial<OwnedPoolState>): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describePrivacyPoolReaderContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<PrivacyPoolReaderHarness>,
): void {
  describe(`PrivacyPoolReader contract (${name})`, () => {
    let harness: PrivacyPoolReaderHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });
    const nothing = { baseBlockNumber: null, addresses: [] };

    it('returns the state of a pool and the height of the head', async () => {
      const { subject, pool, state } = harness;
      const { number: headNumber } = await harness.head();
      expect(await subject.facts(pool, nothing)).toEqual({
        ...state,
        headNumber,
        baseBlockHash: null,
        taken: [],
      });
    });

    it('returns changes of the owner in the next block', async () => {
      const { subject, pool, state } = harness;
      const changes = { isPaused: true, feeFri: 2n ** 100n + 3n, validityBlocks: 7 };
      await harness.change(changes);
      expect(await subject.facts(pool, nothing)).toMatchObject({ ...state, ...changes });
      await harness.change({ isPaused: false });
      expect(await subject.facts(pool, nothing)).toMatchObject({ ...changes, isPaused: false });
    });

    it('returns those storage addresses whose value is not zero', async () => {
      const { subject, pool, written, free } = harness;
      const takenOf = async (...addresses: readonly Felt[]): Promise<readonly Felt[]> =>
        (await subject.facts(pool, { baseBlockNumber: null, addresses })).taken;
      expect(await takenOf(free, written)).toEqual([written]);
      expect(await takenOf(written)).toEqual([written]);
      expect(await takenOf(free)).toEqual([]);
    });

    it('returns the hash of the base block, and null above the head', async () => {
      const { subject, pool } = harness;
      const { number, hash } = await harness.head();
      const hashAt = async (baseBlockNumber: number): Promise<Felt | null> =>
        (await subject.facts(pool, { baseBlockNumber, addresses: [] })).baseBlockHash;
      expect(await hashAt(number)).toBe(hash);
      const before = await hashAt(number - 1);
      expect(before).toMatch(/^0x[1-9a-f]/);
      expect(before).not.toBe(hash);
      expect(await hashAt(number + 1)).toBeNull();
      expect(await hashAt(2 ** 40)).toBeNull();
    });

    it('rejects with an error if the contract is no privacy pool, or if there is no contract', async () => {
      const { subject, otherContract, nowhere, written: address } = harness;
      const { number: baseBlockNumber } = await harness.head();
      for (const contract of [otherContract, nowhere])
        for (const wanted of [nothing, { baseBlockNumber, addresses: [address] }])
          await expect(subject.facts(contract, wanted)).rejects.toBeInstanceOf(DomainError);
    });

    it('rejects with an error if the node does not respond', async () => {
      const { subject, pool } = harness;
      await harness.breakDown();
      await expect(subject.facts(pool, nothing)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
