import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '../errors.js';
import type { StoreHealth } from '../ports/store-health.port.js';

export interface StoreHealthHarness {
  readonly subject: StoreHealth;
  /** Makes the store reject writes. Resolves to the code of the cause. */
  refuseWrites(): Promise<string>;
  /** Makes the store accept writes again. */
  takeWrites(): Promise<void>;
  /** Stops the store from answering. */
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Time after a successful probe during which further probes write nothing, in ms. */
const BELIEVED_MS = 1_000;

export function describeStoreHealthContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: (clock: { readonly monotonicMs: () => number }) => Promise<StoreHealthHarness>,
): void {
  describe(`StoreHealth contract (${name})`, () => {
    let harness: StoreHealthHarness;
    let nowMs = 0;
    beforeEach(async () => {
      nowMs = 0;
      harness = await start({ monotonicMs: () => nowMs });
    });
    afterEach(() => harness.stop());

    it('the health probe writes at most once per second, and only once for concurrent probes', async () => {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(Array.from({ length: 10 }, () => harness.subject.probe()));
        nowMs += BELIEVED_MS;
      }
    });

    it('the health probe rejects with the cause while the store rejects writes', async () => {
      await harness.subject.probe();
      nowMs += BELIEVED_MS;
      const causeCode = await harness.refuseWrites();
      for (let round = 0; round < 2; round += 1) {
        const [one, other] = await Promise.allSettled([
          harness.subject.probe(),
          harness.subject.probe(),
        ]);
        expect(one).toMatchObject({ status: 'rejected', reason: { causeCode } });
        expect(other).toMatchObject({ status: 'rejected', reason: { causeCode } });
        nowMs += BELIEVED_MS;
      }
      await harness.takeWrites();
      await harness.subject.probe();
    });

    it('reports the size of each component of the store', async () => {
      await harness.subject.probe();
      const sizes = await harness.subject.size();
      const kinds = sizes.map(({ kind }) => kind);
      expect(new Set(kinds).size).toBe(kinds.length);
      expect(kinds).toContain('database');
      for (const { kind, bytes } of sizes) {
        expect(kind).toMatch(/^[a-z_]{1,40}$/);
        expect(Number.isSafeInteger(bytes) && bytes >= 0).toBe(true);
      }
    });

    it('rejects with LedgerUnavailable when the store does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.probe()).rejects.toBeInstanceOf(LedgerUnavailable);
      await expect(harness.subject.size()).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
