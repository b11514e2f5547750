import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { alertTopic, submissionTopic, type Delivery } from '../domain/delivery.js';
import type { DeliveryStore } from '../ports/delivery-store.port.js';

export interface DeliveryStoreHarness {
  /** Delivery store under test, which contains no rows when a test starts. */
  readonly subject: DeliveryStore;
  /** Opens the same store again, as a second or restarted instance would. */
  reopen(): Promise<DeliveryStore>;
  /** Advances the store's clock. */
  pass(ms: number): void;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const LEASE_MS = 60_000;
const CLAIM = { limit: 10, leaseMs: LEASE_MS };
const TOPIC = submissionTopic('s1');
const ALERT = alertTopic({ code: 'HEAD_TOO_OLD', component: 'head' });

export function describeDeliveryStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<DeliveryStoreHarness>,
): void {
  describe(`DeliveryStore contract (${name})`, () => {
    let harness: DeliveryStoreHarness;
    let store: DeliveryStore;
    beforeEach(async () => {
      harness = await start();
      store = harness.subject;
    });
    afterEach(async () => {
      await harness.stop();
    });

    const claimed = async (): Promise<Delivery> => {
      const [delivery, ...more] = await store.claim('shop', CLAIM);
      if (delivery === undefined || more.length > 0) throw new Error('one row should be due');
      return delivery;
    };

    it('a new delivery row is due at once, and has no delivered state and no message to deliver', async () => {
      expect(await store.add(TOPIC, 'shop', 2)).toBe('added');
      expect(await claimed()).toMatchObject({
        ...TOPIC,
        endpoint: 'shop',
        sequence: 0,
        deliveredState: null,
        wantedState: null,
        waitedMs: null,
        failures: 0,
      });
      expect(await store.claim('other', CLAIM)).toEqual([]);
    });

    it('stores only one row per topic and endpoint', async () => {
      expect(await store.add(TOPIC, 'shop', 2)).toBe('added');
      expect(await store.add(TOPIC, 'shop', 2)).toBe('known');
      expect(await store.count('shop')).toBe(1);
      expect(await store.add({ ...TOPIC, subject: 's2' }, 'shop', 2)).toBe('added');
      expect(await store.add({ ...TOPIC, component: 'a' }, 'shop', 2)).toBe('added');
      expect(await store.count('shop')).toBe(3);
      expect(await store.count('other')).toBe(0);
    });

    it('limits the number of endpoints per topic, even for concurrent calls', async () => {
      const instances = [store, await harness.reopen()];
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          (instances[i % 2] ?? store).add(TOPIC, `endpoint-${i}`, 2),
        ),
      );
      expect(results.filter((result) => result === 'added')).toHaveLength(2);
      expect(results.filter((result) => result === 'full')).toHaveLength(10);
    });

    it('returns the rows of one kind of topic for all endpoints', async () => {
      expect(await store.ofKind('alert')).toEqual([]);
      await store.add(TOPIC, 'shop', 2);
      await store.add(ALERT, 'shop', 2);
      await store.add(ALERT, 'other', 2);
      await store.add({ ...ALERT, component: 'a' }, 'shop', 2);
      const found = (await store.ofKind('alert')).map((row) => `${row.component} ${row.endpoint}`);
      expect(found.toSorted()).toEqual(['a shop', 'head other', 'head shop']);
      expect(await store.ofKind('submission')).toMatchObject([{ ...TOPIC, endpoint: 'shop' }]);
    });

    it('adds a delivery row copied from another store, but does not replace an existing row', async () => {
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
      expect(await store.add(ALERT, 'shop', 2, begun)).toBe('added');
      const { version: _version, ...kept } = begun;
      expect(await store.ofKind('alert')).toMatchObject([kept]);
      expect(await store.add(ALERT, 'shop', 2, { ...begun, id: 'another' })).toBe('known');
      expect(await claimed()).toMatchObject(kept);
    });

    it('adds a delivery row only once if two instances add the same endpoint concurrently', async () => {
      const other = await harness.reopen();
      const results = await Promise.all([
        store.add(TOPIC, 'shop', 2),
        other.add(TOPIC, 'shop', 2),
        store.add(TOPIC, 'shop', 2),
      ]);
      expect(results.toSorted()).toEqual(['added', 'known', 'known']);
    });

    it('only one of several concurrent instances claims a delivery row', async () => {
      for (let i = 0; i < 6; i += 1) await store.add(submissionTopic(`s${i}`), 'shop', 2);
      const other = await harness.reopen();
      const claims = await Promise.all(
        [store, other, store, other].map((each) => each.claim('shop', { ...CLAIM, limit: 3 })),
      );
      const subjects = claims.flat().map(({ subject }) => subject);
      expect(new Set(subjects).size).toBe(subjects.length);
      expect(subjects.length).toBeGreaterThanOrEqual(3);
      harness.pass(LEASE_MS - 1);
      await store.claim('shop', CLAIM);
      harness.pass(LEASE_MS);
      expect(await other.claim('shop', CLAIM)).toHaveLength(6);
    });

    it('claims the rows that have been due longest, and at most `limit` rows', async () => {
      await store.add(submissionTopic('older'), 'shop', 2);
      harness.pass(10);
      await store.add(submissionTopic('newer'), 'shop', 2);
      const [first, ...more] = await store.claim('shop', { ...CLAIM, limit: 1 });
      expect(first?.subject).toBe('older');
      expect(more).toEqual([]);
    });

    it('numbers the messages of a row, and returns the age of the current message', async () => {
      await store.add(TOPIC, 'shop', 2);
      const wanted = await store.want(await claimed(), 'succeeded', LEASE_MS);
      expect(wanted).toMatchObject({ sequence: 1, wantedState: 'succeeded', waitedMs: 0 });
      harness.pass(LEASE_MS);
      const again = await claimed();
      expect(again).toMatchObject({ id: wanted?.id, sequence: 1, waitedMs: LEASE_MS });
      expect(await store.postpone(again, 3, 500)).toBe(true);
      harness.pass(499);
      expect(await store.claim('shop', CLAIM)).toEqual([]);
      harness.pass(1);
      const later = await claimed();
      expect(later).toMatchObject({ failures: 3, sequence: 1, waitedMs: LEASE_MS + 500 });
      expect(await store.want(later, 'final_succeeded', LEASE_MS)).toMatchObject({
        sequence: 2,
        failures: 0,
        waitedMs: 0,
      });
    });

    it('stores the delivered state, and makes the delivery row due again at a later time', async () => {
      await store.add(TOPIC, 'shop', 2);
      const wanted = await store.want(await claimed(), 'succeeded', LEASE_MS);
      if (wanted === null) throw new Error('it was not wanted');
      expect(await store.settle(wanted, 'succeeded', 1_000)).toBe(true);
      expect(await store.claim('shop', CLAIM)).toEqual([]);
      harness.pass(1_000);
      store = await harness.reopen();
      expect(await claimed()).toMatchObject({
        deliveredState: 'succeeded',
        wantedState: null,
        waitedMs: null,
        sequence: 1,
      });
    });

    it('rejects a write that was made for an outdated version of the delivery row', async () => {
      await store.add(TOPIC, 'shop', 2);
      const late = await claimed();
      harness.pass(LEASE_MS);
      const current = await claimed();
      expect(await store.want(late, 'succeeded', LEASE_MS)).toBeNull();
      expect(await store.settle(late, 'succeeded', 0)).toBe(false);
      expect(await store.postpone(late, 1, 0)).toBe(false);
      expect(await store.remove(late)).toBe(false);
      expect(await store.remove(current)).toBe(true);
      expect(await store.count('shop')).toBe(0);
    });

    it('O11: makeDue ends leases and back-offs for one endpoint only', async () => {
      for (const subject of ['leased', 'postponed', 'delivered'])
        await store.add(submissionTopic(subject), 'shop', 2);
      await store.add(TOPIC, 'other', 2);
      await store.claim('other', { limit: 10, leaseMs: LEASE_MS });
      for (const row of await store.claim('shop', { limit: 10, leaseMs: LEASE_MS })) {
        if (row.subject === 'leased') continue;
        const wanted = await store.want(row, 'succeeded', LEASE_MS);
        if (wanted === null) throw new Error('it was not wanted');
        if (row.subject === 'postponed') await store.postpone(wanted, 9, LEASE_MS);
        else await store.settle(wanted, 'succeeded', LEASE_MS);
      }
      await store.makeDue('shop');
      const due = await store.claim('shop', { limit: 10, leaseMs: LEASE_MS });
      expect(due.map(({ subject }) => subject).toSorted()).toEqual(['leased', 'postponed']);
      expect(due.find(({ subject }) => subject === 'postponed')).toMatchObject({ failures: 9 });
      expect(await store.claim('other', { limit: 10, leaseMs: LEASE_MS })).toEqual([]);
    });

    it('O11: accepts a write of an instance that claimed a delivery row before makeDue', async () => {
      await store.add(TOPIC, 'shop', 2);
      const held = await claimed();
      await store.makeDue('shop');
      expect(await store.settle(held, 'succeeded', LEASE_MS)).toBe(true);
      expect(await store.claim('shop', CLAIM)).toEqual([]);
    });

    it('deletes old delivery rows in batches of a limited size', async () => {
      for (let i = 0; i < 3; i += 1) await store.add(submissionTopic(`s${i}`), 'shop', 2);
      harness.pass(1_001);
      await store.add(submissionTopic('new'), 'shop', 2);
      expect(await store.forget(1_000, 2)).toBe(2);
      expect(await store.forget(1_000, 2)).toBe(1);
      expect(await store.forget(1_000, 2)).toBe(0);
      expect(await store.count('shop')).toBe(1);
    });

    it('does not delete the row of an old alert if the row is claimed regularly', async () => {
      await store.add(ALERT, 'shop', 2);
      await store.add(ALERT, 'unregistered', 2);
      const before = (await store.ofKind('alert')).filter(({ endpoint }) => endpoint === 'shop');
      harness.pass(900);
      await store.settle(await claimed(), 'raised', 50);
      harness.pass(900);
      expect(await store.forget(1_000, 10)).toBe(1);
      expect(await store.ofKind('alert')).toMatchObject(before.map(({ id }) => ({ id })));
      harness.pass(1_000);
      expect(await store.forget(1_000, 10)).toBe(1);
    });

    it('counts the undelivered rows and all rows of an endpoint separately', async () => {
      const counts = async () => [await store.countUndelivered('shop'), await store.count('shop')];
      await store.add(TOPIC, 'shop', 2);
      await store.add(TOPIC, 'other', 2);
      expect(await counts()).toEqual([1, 1]);
      const wanted = await store.want(await claimed(), 'succeeded', LEASE_MS);
      if (wanted === null) throw new Error('it was not wanted');
      expect(await counts()).toEqual([1, 1]);
      await store.settle(wanted, 'succeeded', 0);
      expect(await counts()).toEqual([0, 1]);
      await store.want(await claimed(), 'final_succeeded', LEASE_MS);
      expect(await counts()).toEqual([1, 1]);
    });

    it('the delivery store rejects with LedgerUnavailable while its database is unavailable', async () => {
      await store.add(TOPIC, 'shop', 2);
      const delivery = await claimed();
      await harness.breakDown();
      for (const call of [
        () => store.add(TOPIC, 'shop', 2),
        () => store.ofKind('alert'),
        () => store.count('shop'),
        () => store.countUndelivered('shop'),
        () => store.claim('shop', CLAIM),
        () => store.want(delivery, 'succeeded', 1),
        () => store.settle(delivery, 'succeeded', 1),
        () => store.postpone(delivery, 1, 1),
        () => store.remove(delivery),
        () => store.makeDue('shop'),
        () => store.forget(1, 1),
      ])
        await expect(call()).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
