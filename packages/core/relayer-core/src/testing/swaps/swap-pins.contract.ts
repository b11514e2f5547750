import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import type { SwapPin } from '../../pools/domain/swap-pin.js';
import type { SwapPins } from '../../swaps/ports/swap-pins.port.js';

export interface SwapPinsHarness {
  /** Pin store under test. The store contains no pin when a test starts. */
  readonly subject: SwapPins;
  /** Opens a second instance on the same store, as a restarted process would. */
  reopen(): Promise<SwapPins>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Pin with the largest possible values, for example a floor of 256 bits. */
const PIN: SwapPin = {
  chainId: toFelt('0x534e5f4d41494e'),
  pool: toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33'),
  nullifierHash: 2n ** 253n + 1n,
  newCommitment: 2n ** 253n + 2n,
  outputToken: toFelt('0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7'),
  floor: 2n ** 256n - 1n,
};
const ANOTHER_COMMITMENT = PIN.newCommitment + 1n;

export function describeSwapPinsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SwapPinsHarness>,
): void {
  describe(`SwapPins contract (${name})`, () => {
    let harness: SwapPinsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('pins a note once, and returns the pin to later requests', async () => {
      const { subject } = harness;
      expect(await subject.find(PIN)).toBeNull();
      expect(await subject.pin(PIN)).toEqual({ kind: 'pinned', pin: PIN });
      expect(await subject.pin(PIN)).toEqual({ kind: 'same', pin: PIN });
      expect(await subject.find(PIN)).toEqual(PIN);
    });

    it('does not change the floor of an existing pin', async () => {
      const { subject } = harness;
      await subject.pin({ ...PIN, floor: 7n });
      expect(await subject.pin({ ...PIN, floor: 6n })).toEqual({
        kind: 'same',
        pin: { ...PIN, floor: 7n },
      });
    });

    it.each<readonly [string, Partial<SwapPin>]>([
      ['another commitment', { newCommitment: ANOTHER_COMMITMENT }],
      ['another token', { outputToken: toFelt('0x70ce2') }],
    ])(
      'returns the note’s existing pin for a request with %s, and writes no second pin',
      async (_, changes) => {
        const { subject } = harness;
        await subject.pin(PIN);
        expect(await subject.pin({ ...PIN, ...changes })).toEqual({
          kind: 'other_terms',
          pin: PIN,
        });
        expect(await subject.find(PIN)).toEqual(PIN);
        const elsewhere = { ...PIN, nullifierHash: 9n, newCommitment: ANOTHER_COMMITMENT };
        expect(await subject.pin(elsewhere)).toMatchObject({ kind: 'pinned' });
      },
    );

    it('rejects a pin whose commitment belongs to another note’s pin', async () => {
      const { subject } = harness;
      await subject.pin(PIN);
      const other = { ...PIN, nullifierHash: PIN.nullifierHash + 1n };
      expect(await subject.pin(other)).toEqual({ kind: 'commitment_taken' });
      expect(await subject.find(other)).toBeNull();
    });

    it('pins notes of different chains, pools or nullifiers separately', async () => {
      const { subject } = harness;
      const others = [
        { chainId: toFelt('0x5e') },
        { pool: toFelt('0x9001') },
        { nullifierHash: 1n },
      ].map((changes, index) => ({
        ...PIN,
        ...changes,
        newCommitment: BigInt(index + 1),
      }));
      await subject.pin(PIN);
      for (const other of others)
        expect(await subject.pin(other)).toEqual({ kind: 'pinned', pin: other });
      expect(await subject.find(PIN)).toEqual(PIN);
    });

    it('writes only one pin for concurrent requests for the same note', async () => {
      const instances = [harness.subject, await harness.reopen()];
      const pins = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).pin({
            ...PIN,
            newCommitment: BigInt(index + 1),
          }),
        ),
      );
      expect(pins.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: 19 }, () => 'other_terms'),
        'pinned',
      ]);
      expect(
        new Set(pins.map((pinning) => ('pin' in pinning ? pinning.pin.newCommitment : null))).size,
      ).toBe(1);
    });

    it('writes only one pin for concurrent requests with the same commitment', async () => {
      const instances = [harness.subject, await harness.reopen()];
      const pins = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).pin({
            ...PIN,
            nullifierHash: BigInt(index + 1),
          }),
        ),
      );
      expect(pins.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: 19 }, () => 'commitment_taken'),
        'pinned',
      ]);
    });

    it('pins are still stored after a restart', async () => {
      await harness.subject.pin(PIN);
      const reopened = await harness.reopen();
      expect(await reopened.find(PIN)).toEqual(PIN);
      expect(await reopened.pin({ ...PIN, newCommitment: ANOTHER_COMMITMENT })).toEqual({
        kind: 'other_terms',
        pin: PIN,
      });
    });

    it('calls of the store of swap pins reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.pin(PIN)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.find(PIN)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
