import { DomainError } from '@sotto/kernel';
import type { TestRunner } from '@sotto/kernel/testing';
import type { SponsorBudgets } from '../../private-actions/ports/sponsor-budgets.port.js';

export interface SponsorBudgetsHarness {
  /** Store under test. The store contains no sum when a test starts. */
  readonly subject: SponsorBudgets;
  /** Opens a second instance on the same store, as a restarted process would. */
  reopen(): Promise<SponsorBudgets>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const DAY = 20_422;
/** Amount that exceeds 64 bits. */
const MANY_FRI = 2n ** 100n;

export function describeSponsorBudgetsContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SponsorBudgetsHarness>,
): void {
  describe(`SponsorBudgets contract (${name})`, () => {
    let harness: SponsorBudgetsHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reserves amounts until the day’s sum equals the budget', async () => {
      const { subject } = harness;
      expect(await subject.reserve('a', DAY, 60n, 100n)).toBe(true);
      expect(await subject.reserve('a', DAY, 41n, 100n)).toBe(false);
      expect(await subject.reserve('a', DAY, 40n, 100n)).toBe(true);
      expect(await subject.reserve('a', DAY, 1n, 100n)).toBe(false);
      expect(await subject.reserve('a', DAY, 0n, 100n)).toBe(true);
      expect(await subject.reserve('a', DAY, 1n, 101n)).toBe(true);
    });

    it('rejects a first amount above the budget and stores nothing', async () => {
      const { subject } = harness;
      expect(await subject.reserve('a', DAY, 101n, 100n)).toBe(false);
      expect(await subject.forget(DAY + 1)).toBe(0);
      expect(await subject.reserve('a', DAY, 100n, 100n)).toBe(true);
    });

    it('counts each sponsor and each day separately', async () => {
      const { subject } = harness;
      await subject.reserve('a', DAY, 100n, 100n);
      expect(await subject.reserve('b', DAY, 100n, 100n)).toBe(true);
      expect(await subject.reserve('a', DAY + 1, 100n, 100n)).toBe(true);
      expect(await subject.reserve('a', DAY, 1n, 100n)).toBe(false);
      expect(await subject.reserve('b', DAY, 1n, 100n)).toBe(false);
      expect(await subject.reserve('a', DAY + 1, 1n, 100n)).toBe(false);
    });

    it('adds amounts of more than 64 bits exactly', async () => {
      const { subject } = harness;
      await subject.reserve('a', DAY, MANY_FRI, MANY_FRI);
      expect(await subject.reserve('a', DAY, 2n, MANY_FRI + 1n)).toBe(false);
      expect(await subject.reserve('a', DAY, 1n, MANY_FRI + 1n)).toBe(true);
      await subject.release('a', DAY, MANY_FRI);
      expect(await subject.reserve('a', DAY, 10n, 10n)).toBe(false);
      expect(await subject.reserve('a', DAY, 9n, 10n)).toBe(true);
    });

    it('a released amount can be reserved again', async () => {
      const { subject } = harness;
      await subject.reserve('a', DAY, 60n, 100n);
      await subject.reserve('a', DAY, 40n, 100n);
      await subject.reserve('b', DAY, 100n, 100n);
      await subject.release('a', DAY, 40n);
      expect(await subject.reserve('a', DAY, 41n, 100n)).toBe(false);
      expect(await subject.reserve('a', DAY, 40n, 100n)).toBe(true);
      expect(await subject.reserve('b', DAY, 1n, 100n)).toBe(false);
    });

    it('a release never makes a sum negative', async () => {
      const { subject } = harness;
      await subject.release('a', DAY, 5n);
      await subject.reserve('a', DAY, 10n, 100n);
      await subject.release('a', DAY, 11n);
      expect(await subject.reserve('a', DAY, 101n, 100n)).toBe(false);
      expect(await subject.reserve('a', DAY, 100n, 100n)).toBe(true);
    });

    it('concurrent reservations of two instances never exceed the budget', async () => {
      const instances = [harness.subject, await harness.reopen()];
      const reserved = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).reserve('a', DAY, 10n, 95n),
        ),
      );
      expect(reserved.filter(Boolean)).toHaveLength(9);
    });

    it('concurrent releases of two instances are all subtracted', async () => {
      const instances = [harness.subject, await harness.reopen()];
      await harness.subject.reserve('a', DAY, 100n, 100n);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (instances[index % 2] ?? harness.subject).release('a', DAY, 4n),
        ),
      );
      expect(await harness.subject.reserve('a', DAY, 81n, 100n)).toBe(false);
      expect(await harness.subject.reserve('a', DAY, 80n, 100n)).toBe(true);
    });

    it('deletes the sums of earlier days, and returns their number', async () => {
      const { subject } = harness;
      await subject.reserve('a', DAY - 2, 1n, 1n);
      await subject.reserve('a', DAY - 1, 1n, 1n);
      await subject.reserve('b', DAY - 1, 1n, 1n);
      await subject.reserve('a', DAY, 1n, 1n);
      expect(await subject.forget(DAY)).toBe(3);
      expect(await subject.reserve('b', DAY - 1, 1n, 1n)).toBe(true);
      expect(await subject.reserve('a', DAY, 1n, 1n)).toBe(false);
    });

    it('a reservation survives a restart', async () => {
      await harness.subject.reserve('a', DAY, 100n, 100n);
      expect(await (await harness.reopen()).reserve('a', DAY, 1n, 100n)).toBe(false);
    });

    it('calls of the store of sponsors’ budgets reject with an error if the store does not respond', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.reserve('a', DAY, 1n, 1n)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.release('a', DAY, 1n)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.forget(DAY)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
