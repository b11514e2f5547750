import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { alertTopic, submissionTopic, type Delivery } from '../domain/delivery.js';
import type { DeliveryBook } from '../ports/delivery-book.port.js';

export interface DeliveryBookHarness {
  /** Delivery book without rows. */
  readonly subject: DeliveryBook;
  /** Opens the same store again, like another instance or a restarted one. */
  reopen(): Promise<DeliveryBook>;
  /** Advances the store's clock. */
  pass(ms: number): void;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const LEASE_MS = 60_000;
const CLAIM = { limit: 10, leaseMs: LEASE_MS };
const TOPIC = submissionTopic('s1');
const ALERT = alertTopic({ code: 'HEAD_TOO_OLD', component: 'head' });

export function describeDeliveryBookContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<DeliveryBookHarness>,
): void {
  describe(`DeliveryBook contract (${name})`, () => {
    let harness: DeliveryBookHarness;
    let book: DeliveryBook;
    beforeEach(async () => {
      harness = await start();
      book = harness.subject;
    });
    afterEach(async () => {
      await harness.stop();
    });

    const claimed = async (): Promise<Delivery> => {
      const [delivery, ...more] = await book.claim('shop', CLAIM);
      if (delivery === undefined || more.length > 0) throw new Error('one row should be due');
      return delivery;
    };

    it('makes a new row due at once, without a delivered state and without a message to deliver', async () => {
      expect(await book.add(TOPIC, 'shop', 2)).toBe('added');
      expect(await claimed()).toMatchObject({
        ...TOPIC,
        endpoint: 'shop',
        sequence: 0,
        deliveredState: null,
        wantedState: null,
        waitedMs: null,
        failures: 0,
      });
      expect(await book.claim('other', CLAIM)).toEqual([]);
    });

    it('stores only one row per topic and endpoint', async () => {
      expect(await book.add(TOPIC, 'shop', 2)).toBe('added');
      expect(await book.add(TOPIC, 'shop', 2)).toBe('known');
      expect(await book.count('shop')).toBe(1);
      expect(await book.add({ ...TOPIC, subject: 's2' }, 'shop', 2)).toBe('added');
      expect(await book.add({ ...TOPIC, component: 'a' }, 'shop', 2)).toBe('added');
      expect(await book.count('shop')).toBe(3);
      expect(await book.count('other')).toBe(0);
    });

    it('limits the number of endpoints per topic, even for concurrent calls', async () => {
      const instances = [book, await harness.reopen()];
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          (instances[i % 2] ?? book).add(TOPIC, `endpoint-${i}`, 2),
        ),
      );
      expect(results.filter((result) => result === 'added')).toHaveLength(2);
      expect(results.filter((result) => result === 'full')).toHaveLength(10);
    });

    it('returns all rows of one kind of topic for all endpoints, and no rows of another kind', async () => {
      expect(await book.ofKind('alert')).toEqual([]);
      await book.add(TOPIC, 'shop', 2);
      await book.add(ALERT, 'shop', 2);
      await book.add(ALERT, 'other', 2);
      await book.add({ ...ALERT, component: 'a' }, 'shop', 2);
      const found = (await book.ofKind('alert')).map((row) => `${row.component} ${row.endpoint}`);
      expect(found.toSorted()).toEqual(['a shop', 'head other', 'head shop']);
      expect(await book.ofKind('submission')).toMatchObject([{ ...TOPIC, endpoint: 'shop' }]);
    });

    it('adopts a row from another book, but does not replace an existing row', async () => {
      const begun: Delivery = {
        ...ALERT,
        id: 'kept-elsewhere',
        endpoint: 'shop',
        version: 7,
        sequence: 2,
        deliveredState: 'raised',
        wantedState: 'resolved',
        waitedMs: 900,
        failures: 3,
      };
      expect(await book.add(ALERT, 'shop', 2, begun)).toBe('added');
      const { version: _version, ...kept } = begun;
      expect(await book.ofKind('alert')).toMatchObject([kept]);
      expect(await book.add(ALERT, 'shop', 2, { ...begun, id: 'another' })).toBe('known');
      expect(await claimed()).toMatchObject(kept);
    });

    it('adds a row only once if the same endpoint is added concurrently', async () => {
      const other = await harness.reopen();
      const results = await Promise.all([
        book.add(TOPIC, 'shop', 2),
        other.add(TOPIC, 'shop', 2),
        book.add(TOPIC, 'shop', 2),
      ]);
      expect(results.toSorted()).toEqual(['added', 'known', 'known']);
    });

    it('claims a row for only one of several concurrent instances, and again after the lease has expired', async () => {
      for (let i = 0; i < 6; i += 1) await book.add(submissionTopic(`s${i}`), 'shop', 2);
      const other = await harness.reopen();
      const claims = await Promise.all(
        [book, other, book, other].map((each) => each.claim('shop', { ...CLAIM, limit: 3 })),
      );
      const subjects = claims.flat().map(({ subject }) => subject);
      expect(new Set(subjects).size).toBe(subjects.length);
      expect(subjects.length).toBeGreaterThanOrEqual(3);
      harness.pass(LEASE_MS - 1);
      await book.claim('shop', CLAIM);
      harness.pass(LEASE_MS);
      expect(await other.claim('shop', CLAIM)).toHaveLength(6);
    });

    it('claims the longest due rows first, at most the limit', async () => {
      await book.add(submissionTopic('older'), 'shop', 2);
      harness.pass(10);
      await book.add(submissionTopic('newer'), 'shop', 2);
      const [first, ...more] = await book.claim('shop', { ...CLAIM, limit: 1 });
      expect(first?.subject).toBe('older');
      expect(more).toEqual([]);
    });

    it('numbers the messages of a row, and returns the age of the current message', async () => {
      await book.add(TOPIC, 'shop', 2);
      const wanted = await book.want(await claimed(), 'succeeded', LEASE_MS);
      expect(wanted).toMatchObject({ sequence: 1, wantedState: 'succeeded', waitedMs: 0 });
      harness.pass(LEASE_MS);
      const again = await claimed();
      expect(again).toMatchObject({ id: wanted?.id, sequence: 1, waitedMs: LEASE_MS });
      expect(await book.postpone(again, 3, 500)).toBe(true);
      harness.pass(499);
      expect(await book.claim('shop', CLAIM)).toEqual([]);
      harness.pass(1);
      const later = await claimed();
      expect(later).toMatchObject({ failures: 3, sequence: 1, waitedMs: LEASE_MS + 500 });
      expect(await book.want(later, 'final_succeeded', LEASE_MS)).toMatchObject({
        sequence: 2,
        failures: 0,
        waitedMs: 0,
      });
    });

    it('stores the delivered state, and makes the row due later', async () => {
      await book.add(TOPIC, 'shop', 2);
      const wanted = await book.want(await claimed(), 'succeeded', LEASE_MS);
      if (wanted === null) throw new Error('it was not wanted');
      expect(await book.settle(wanted, 'succeeded', 1_000)).toBe(true);
      expect(await book.claim('shop', CLAIM)).toEqual([]);
      harness.pass(1_000);
      book = await harness.reopen();
      expect(await claimed()).toMatchObject({
        deliveredState: 'succeeded',
        wantedState: null,
        waitedMs: null,
        sequence: 1,
      });
    });

    it('rejects writes based on an outdated version', async () => {
      await book.add(TOPIC, 'shop', 2);
      const late = await claimed();
      harness.pass(LEASE_MS);
      const current = await claimed();
      expect(await book.want(late, 'succeeded', LEASE_MS)).toBeNull();
      expect(await book.settle(late, 'succeeded', 0)).toBe(false);
      expect(await book.postpone(late, 1, 0)).toBe(false);
      expect(await book.remove(late)).toBe(false);
      expect(await book.remove(current)).toBe(true);
      expect(await book.count('shop')).toBe(0);
    });

    it('O11: makeDue ends leases and back-offs of undelivered messages, only for one endpoint', async () => {
      for (const subject of ['leased', 'postponed', 'delivered'])
        await book.add(submissionTopic(subject), 'shop', 2);
      await book.add(TOPIC, 'other', 2);
      await book.claim('other', { limit: 10, leaseMs: LEASE_MS });
      for (const row of await book.claim('shop', { limit: 10, leaseMs: LEASE_MS })) {
        if (row.subject === 'leased') continue;
        const wanted = await book.want(row, 'succeeded', LEASE_MS);
        if (wanted === null) throw new Error('it was not wanted');
        if (row.subject === 'postponed') await book.postpone(wanted, 9, LEASE_MS);
        else await book.settle(wanted, 'succeeded', LEASE_MS);
      }
      await book.makeDue('shop');
      const due = await book.claim('shop', { limit: 10, leaseMs: LEASE_MS });
      expect(due.map(({ subject }) => subject).toSorted()).toEqual(['leased', 'postponed']);
      expect(due.find(({ subject }) => subject === 'postponed')).toMatchObject({ failures: 9 });
      expect(await book.claim('other', { limit: 10, leaseMs: LEASE_MS })).toEqual([]);
    });

    it('O11: accepts a write of an instance that still holds a row after makeDue', async () => {
      await book.add(TOPIC, 'shop', 2);
      const held = await claimed();
      await book.makeDue('shop');
      expect(await book.settle(held, 'succeeded', LEASE_MS)).toBe(true);
      expect(await book.claim('shop', CLAIM)).toEqual([]);
    });

    it('deletes old rows in batches of a limited size', async () => {
      for (let i = 0; i < 3; i += 1) await book.add(submissionTopic(`s${i}`), 'shop', 2);
      harness.pass(1_001);
      await book.add(submissionTopic('new'), 'shop', 2);
      expect(await book.forget(1_000, 2)).toBe(2);
      expect(await book.forget(1_000, 2)).toBe(1);
      expect(await book.forget(1_000, 2)).toBe(0);
      expect(await book.count('shop')).toBe(1);
    });

    it('does not delete the row of an alert that is claimed regularly, at any age', async () => {
      await book.add(ALERT, 'shop', 2);
      await book.add(ALERT, 'unregistered', 2);
      const before = (await book.ofKind('alert')).filter(({ endpoint }) => endpoint === 'shop');
      harness.pass(900);
      await book.settle(await claimed(), 'raised', 50);
      harness.pass(900);
      expect(await book.forget(1_000, 10)).toBe(1);
      expect(await book.ofKind('alert')).toMatchObject(before.map(({ id }) => ({ id })));
      harness.pass(1_000);
      expect(await book.forget(1_000, 10)).toBe(1);
    });

    it('counts the rows that wait for a receiver and all rows separately', async () => {
      const counts = async () => [await book.countUndelivered('shop'), await book.count('shop')];
      await book.add(TOPIC, 'shop', 2);
      await book.add(TOPIC, 'other', 2);
      expect(await counts()).toEqual([1, 1]);
      const wanted = await book.want(await claimed(), 'succeeded', LEASE_MS);
      if (wanted === null) throw new Error('it was not wanted');
      expect(await counts()).toEqual([1, 1]);
      await book.settle(wanted, 'succeeded', 0);
      expect(await counts()).toEqual([0, 1]);
      await book.want(await claimed(), 'final_succeeded', LEASE_MS);
      expect(await counts()).toEqual([1, 1]);
    });

    it('rejects with LedgerUnavailable while the store is unavailable', async () => {
      await book.add(TOPIC, 'shop', 2);
      const delivery = await claimed();
      await harness.breakDown();
      for (const call of [
        () => book.add(TOPIC, 'shop', 2),
        () => book.ofKind('alert'),
        () => book.count('shop'),
        () => book.countUndelivered('shop'),
        () => book.claim('shop', CLAIM),
        () => book.want(delivery, 'succeeded', 1),
        () => book.settle(delivery, 'succeeded', 1),
        () => book.postpone(delivery, 1, 1),
        () => book.remove(delivery),
        () => book.makeDue('shop'),
        () => book.forget(1, 1),
      ])
        await expect(call()).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
