import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt, type Felt } from '@sotto/kernel';
import type { GasUse, LearntOperation } from '../../fees/domain/gas-use.js';
import type { GasStore } from '../../fees/ports/gas-store.port.js';

/** Attempt that has ended and that a test adds to the ledger. */
interface EndedRelay {
  readonly pool: Felt;
  readonly operation: LearntOperation | 'deploy_batch';
  readonly end: 'succeeded' | 'reverted' | 'refused';
  readonly endedAtMs: number;
}

export interface GasStoreHarness {
  /** Store under test, without any attempt or gas use when a test starts. */
  readonly subject: GasStore;
  end(attempt: EndedRelay): Promise<void>;
  reopen(): Promise<GasStore>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const NOW_MS = 1_760_000_000_000;
const POOL = toFelt('0xaa1');
const OTHER = toFelt('0xaa2');

const aUse = (index: number, changes: Partial<GasUse> = {}): GasUse => ({
  transactionHash: toFelt(BigInt(0x7000 + index)),
  pool: POOL,
  operation: 'withdraw',
  endedAtMs: NOW_MS + index,
  // This amount exceeds 32 bits.
  l2Gas: 2n ** 40n + BigInt(index),
  l1DataGas: 576n,
  ...changes,
});

const byHash = (a: GasUse, b: GasUse): number => (a.transactionHash < b.transactionHash ? -1 : 1);

export function describeGasStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<GasStoreHarness>,
): void {
  describe(`GasStore contract (${name})`, () => {
    let harness: GasStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });
    const ended = (endedAtMs: number, changes: Partial<EndedRelay> = {}): Promise<void> =>
      harness.end({ pool: POOL, operation: 'withdraw', end: 'succeeded', endedAtMs, ...changes });

    it('states for each successful attempt whether the attempt’s gas is known', async () => {
      await ended(NOW_MS);
      await ended(NOW_MS + 2, { pool: OTHER, operation: 'private_swap' });
      await ended(NOW_MS + 1, { end: 'reverted' });
      await ended(NOW_MS + 3, { end: 'refused' });
      await ended(NOW_MS + 4, { operation: 'deploy_batch' });
      const newest = await harness.subject.newest();
      expect(newest).toEqual([
        {
          id: expect.any(String),
          transactionHash: expect.stringMatching(/^0x/),
          pool: OTHER,
          operation: 'private_swap',
          endedAtMs: NOW_MS + 2,
          isKnown: false,
        },
        {
          id: expect.any(String),
          transactionHash: expect.stringMatching(/^0x/),
          pool: POOL,
          operation: 'withdraw',
          endedAtMs: NOW_MS,
          isKnown: false,
        },
      ]);
      expect(new Set(newest.map(({ id }) => id)).size).toBe(2);
      const transactionHash = newest[0]?.transactionHash ?? toFelt('0x0');
      await harness.subject.add([aUse(1, { transactionHash })]);
      expect((await harness.subject.newest()).map(({ isKnown }) => isKnown)).toEqual([true, false]);
    });

    it('stores only the first gas use of a transaction, and still returns it after a restart', async () => {
      const uses = [aUse(1), aUse(2, { pool: OTHER }), aUse(3, { operation: 'private_swap' })];
      await harness.subject.add(uses);
      await harness.subject.add([{ ...aUse(1), l2Gas: 5n }]);
      const again = await harness.reopen();
      expect((await again.uses()).toSorted(byHash)).toEqual(uses);
    });

    it('stores only the newest hundred gas uses of each pool and operation', async () => {
      await harness.subject.add([aUse(500, { pool: OTHER })]);
      await harness.subject.add(Array.from({ length: 105 }, (_, index) => aUse(index)));
      const kept = (await harness.subject.uses()).filter(({ pool }) => pool === POOL);
      expect(kept).toHaveLength(100);
      expect(Math.min(...kept.map(({ endedAtMs }) => endedAtMs))).toBe(NOW_MS + 5);
      expect(await harness.subject.uses()).toHaveLength(101);
    });

    it('stores a gas use once when two concurrent calls add it', async () => {
      await Promise.all([
        harness.subject.add([aUse(1), aUse(2)]),
        harness.subject.add([aUse(2), aUse(3)]),
      ]);
      expect(await harness.subject.uses()).toHaveLength(3);
    });

    it('calls of the gas store reject with an error if the store does not respond', async () => {
      await harness.breakDown();
      await expect(harness.subject.newest()).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.add([aUse(1)])).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.uses()).rejects.toBeInstanceOf(DomainError);
    });
  });
}
