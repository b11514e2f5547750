import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import type { LeverageTargets } from '../ports/leverage-targets.port.js';

export interface LeverageTargetsHarness {
  readonly subject: LeverageTargets;
  /** Opens the stored targets again, as another process would. */
  again(): Promise<LeverageTargets>;
  /** Present time of the store's clock, in Unix milliseconds. */
  nowMs(): number;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const TURBO = toFelt('0x70b0');
const OTHER = toFelt('0x0fe7');

export function describeLeverageTargetsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<LeverageTargetsHarness>,
): void {
  describe(`LeverageTargets contract (${name})`, () => {
    let harness: LeverageTargetsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns null for a vault whose leverage target was never set', async () => {
      expect(await harness.subject.of(TURBO)).toBeNull();
    });

    it('stores the leverage target of each vault with the store’s time', async () => {
      const before = harness.nowMs();
      await harness.subject.set(TURBO, 30_000);
      await harness.subject.set(OTHER, 10_000);
      const target = await harness.subject.of(TURBO);
      expect(target).toMatchObject({ vault: TURBO, targetBps: 30_000 });
      expect(target?.setAtMs).toBeGreaterThanOrEqual(before);
      expect(target?.setAtMs).toBeLessThanOrEqual(harness.nowMs());
      expect(await harness.subject.of(OTHER)).toMatchObject({ vault: OTHER, targetBps: 10_000 });
    });

    it('every process reads the newest leverage target', async () => {
      await harness.subject.set(TURBO, 30_000);
      await harness.subject.set(TURBO, 12_345);
      expect(await (await harness.again()).of(TURBO)).toMatchObject({ targetBps: 12_345 });
    });

    it('removes a leverage target, and accepts the removal of a target that does not exist', async () => {
      await harness.subject.set(TURBO, 30_000);
      await harness.subject.set(TURBO, null);
      expect(await harness.subject.of(TURBO)).toBeNull();
      await harness.subject.set(TURBO, null);
      expect(await harness.subject.of(TURBO)).toBeNull();
    });

    it('calls fail with LEDGER_UNAVAILABLE while the store of leverage targets is unavailable', async () => {
      await harness.breakDown();
      await expect(harness.subject.of(TURBO)).rejects.toMatchObject({
        code: 'LEDGER_UNAVAILABLE',
      });
      await expect(harness.subject.set(TURBO, 30_000)).rejects.toMatchObject({
        code: 'LEDGER_UNAVAILABLE',
      });
    });
  });
}
