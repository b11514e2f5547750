import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, Felts, toFelt, type Felt } from '@sotto/kernel';
import type { SwapRecords } from '../../swaps/ports/swap-records.port.js';

export interface SwapRecordsHarness {
  /** Swap records under test, whose ledger contains no attempt when a test starts. */
  readonly subject: SwapRecords;
  /**
   * Accepts a call of this entrypoint in the ledger. Every accepted call gets its own submission
   * key.
   */
  accept(call: {
    readonly to: Felt;
    readonly entrypoint: string;
    readonly calldata: Felts;
  }): Promise<void>;
  /** Opens a second instance on the same store, as a restarted process would. */
  reopen(): Promise<SwapRecords>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const SWAP_POOL = toFelt('0x59a9');
const OWNER = toFelt('0x5a0e');

export function describeSwapRecordsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SwapRecordsHarness>,
): void {
  describe(`SwapRecords contract (${name})`, () => {
    let harness: SwapRecordsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns only the swaps that the ledger accepted, in pages and in the order of their acceptance', async () => {
      const { subject } = harness;
      expect(await subject.kept(0n, 10)).toEqual([]);
      const swap = (felt: bigint) => ({
        to: SWAP_POOL,
        entrypoint: 'private_swap',
        calldata: Felts.of([felt, felt + 1n]),
      });
      await harness.accept(swap(1n));
      await harness.accept({ ...swap(2n), entrypoint: 'withdraw' });
      await harness.accept(swap(3n));
      await harness.accept(swap(5n));
      const first = await subject.kept(0n, 2);
      expect(first.map(({ swapPool, calldata }) => [swapPool, calldata.toHex()])).toEqual([
        [SWAP_POOL, swap(1n).calldata.toHex()],
        [SWAP_POOL, swap(3n).calldata.toHex()],
      ]);
      const rest = await subject.kept(first.at(-1)?.seq ?? 0n, 2);
      expect(rest.map(({ calldata }) => calldata.toHex())).toEqual([swap(5n).calldata.toHex()]);
      expect(await subject.kept(rest.at(-1)?.seq ?? 0n, 2)).toEqual([]);
    });

    it('the stored nonce up to which an account was read never decreases', async () => {
      const { subject } = harness;
      expect(await subject.readUpTo(OWNER)).toBe(0n);
      await subject.noteReadUpTo(OWNER, 7n);
      await subject.noteReadUpTo(OWNER, 5n);
      await subject.noteReadUpTo(toFelt('0x07e2'), 9n);
      expect(await subject.readUpTo(OWNER)).toBe(7n);
      expect(await (await harness.reopen()).readUpTo(OWNER)).toBe(7n);
    });

    it('calls of the store of swap records reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.kept(0n, 1)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.readUpTo(OWNER)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.noteReadUpTo(OWNER, 1n)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
