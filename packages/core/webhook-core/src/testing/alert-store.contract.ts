import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { AlertStore } from '../ports/alert-store.port.js';

export interface AlertStoreHarness {
  /** Alert store under test, which contains no alerts when a test starts. */
  readonly subject: AlertStore;
  /** Opens the same store again, as a second or restarted instance would. */
  reopen(): Promise<AlertStore>;
  /** Advances the store's clock. */
  pass(ms: number): void;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const LAPSE_MS = 1_000;
const ALERT = { code: 'HEAD_TOO_OLD', component: 'node' };

export function describeAlertStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<AlertStoreHarness>,
): void {
  describe(`AlertStore contract (${name})`, () => {
    let harness: AlertStoreHarness;
    let store: AlertStore;
    beforeEach(async () => {
      harness = await start();
      store = harness.subject;
    });
    afterEach(async () => {
      await harness.stop();
    });

    /**
     * Returns for each recorded period the ages of its start and of its last observation, in ms.
     */
    const ages = async (): Promise<readonly unknown[]> => {
      const { nowMs, sightings } = await store.sightings(ALERT);
      return sightings.map(({ sinceMs, lastSeenMs }) => [nowMs - sinceMs, nowMs - lastSeenMs]);
    };

    it('an alert that no instance has reported has no stored observation', async () => {
      await store.note('a', [{ ...ALERT, component: 'pool' }], LAPSE_MS);
      await store.note('a', [], LAPSE_MS);
      expect(await ages()).toEqual([]);
    });

    it('the start time of an alert observation survives a restart of the store', async () => {
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(900);
      store = await harness.reopen();
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(10);
      expect(await ages()).toEqual([[910, 10]]);
    });

    it('an alert gets a new observation after it was unreported for long enough to count as ended', async () => {
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(LAPSE_MS);
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(1);
      expect(await ages()).toEqual([[1, 1]]);
    });

    it('a lower age in a later report does not change the age of an alert observation', async () => {
      await store.note('a', [{ ...ALERT, standsMs: 400 }], LAPSE_MS);
      harness.pass(900);
      await store.note('a', [{ ...ALERT, standsMs: 20 }], LAPSE_MS);
      expect(await ages()).toEqual([[1_300, 0]]);
      harness.pass(LAPSE_MS);
      await store.note('a', [{ ...ALERT, standsMs: 70 }], LAPSE_MS);
      expect(await ages()).toEqual([[70, 0]]);
    });

    it('starts a new observation of an alert when the store’s clock is set back', async () => {
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(-500);
      await store.note('a', [{ ...ALERT, standsMs: 20 }], LAPSE_MS);
      expect(await ages()).toEqual([[20, 0]]);
    });

    it('stores one observation per alert and instance', async () => {
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(5);
      await (await harness.reopen()).note('b', [ALERT], LAPSE_MS);
      const seen = await ages();
      expect(seen).toHaveLength(2);
      expect(seen).toContainEqual([0, 0]);
      expect(seen).toContainEqual([5, 5]);
    });

    it('deletes alert observations that were last reported too long ago', async () => {
      await store.note('a', [ALERT], LAPSE_MS);
      harness.pass(100);
      await store.note('b', [ALERT], LAPSE_MS);
      expect(await store.forget(99)).toBe(1);
      expect(await ages()).toEqual([[0, 0]]);
    });

    it('the alert store rejects with LedgerUnavailable while its database is unavailable', async () => {
      await harness.breakDown();
      for (const call of [
        () => store.note('a', [ALERT], LAPSE_MS),
        () => store.sightings(ALERT),
        () => store.forget(1),
      ])
        await expect(call()).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
