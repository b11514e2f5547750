import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { AlertBook } from '../ports/alert-book.port.js';

export interface AlertBookHarness {
  /** Alert book without sightings. */
  readonly subject: AlertBook;
  /** Opens the same store again, like another instance or a restarted one. */
  reopen(): Promise<AlertBook>;
  /** Advances the store's clock. */
  pass(ms: number): void;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const LAPSE_MS = 1_000;
const ALERT = { code: 'HEAD_TOO_OLD', component: 'node' };

export function describeAlertBookContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<AlertBookHarness>,
): void {
  describe(`AlertBook contract (${name})`, () => {
    let harness: AlertBookHarness;
    let book: AlertBook;
    beforeEach(async () => {
      harness = await start();
      book = harness.subject;
    });
    afterEach(async () => {
      await harness.stop();
    });

    /** Returns the ages of the first and the last time in each sighting, in ms. */
    const ages = async (): Promise<readonly unknown[]> => {
      const { nowMs, sightings } = await book.sightings(ALERT);
      return sightings.map(({ sinceMs, lastSeenMs }) => [nowMs - sinceMs, nowMs - lastSeenMs]);
    };

    it('returns no sighting of an alert that no instance has seen', async () => {
      await book.note('a', [{ ...ALERT, component: 'pool' }], LAPSE_MS);
      await book.note('a', [], LAPSE_MS);
      expect(await ages()).toEqual([]);
    });

    it('does not change the start of a sighting after a restart', async () => {
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(900);
      book = await harness.reopen();
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(10);
      expect(await ages()).toEqual([[910, 10]]);
    });

    it('starts a new sighting after a pause of the lapse time', async () => {
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(LAPSE_MS);
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(1);
      expect(await ages()).toEqual([[1, 1]]);
    });

    it('starts a sighting at the age that the instance reports, unless the sighting is already older', async () => {
      await book.note('a', [{ ...ALERT, standsMs: 400 }], LAPSE_MS);
      harness.pass(900);
      await book.note('a', [{ ...ALERT, standsMs: 20 }], LAPSE_MS);
      expect(await ages()).toEqual([[1_300, 0]]);
      harness.pass(LAPSE_MS);
      await book.note('a', [{ ...ALERT, standsMs: 70 }], LAPSE_MS);
      expect(await ages()).toEqual([[70, 0]]);
    });

    it('starts a new sighting when the store’s clock is set back', async () => {
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(-500);
      await book.note('a', [{ ...ALERT, standsMs: 20 }], LAPSE_MS);
      expect(await ages()).toEqual([[20, 0]]);
    });

    it('stores one sighting per instance', async () => {
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(5);
      await (await harness.reopen()).note('b', [ALERT], LAPSE_MS);
      const seen = await ages();
      expect(seen).toHaveLength(2);
      expect(seen).toContainEqual([0, 0]);
      expect(seen).toContainEqual([5, 5]);
    });

    it('deletes sightings that ended long ago', async () => {
      await book.note('a', [ALERT], LAPSE_MS);
      harness.pass(100);
      await book.note('b', [ALERT], LAPSE_MS);
      expect(await book.forget(99)).toBe(1);
      expect(await ages()).toEqual([[0, 0]]);
    });

    it('rejects with LedgerUnavailable while the store is unavailable', async () => {
      await harness.breakDown();
      for (const call of [
        () => book.note('a', [ALERT], LAPSE_MS),
        () => book.sightings(ALERT),
        () => book.forget(1),
      ])
        await expect(call()).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
