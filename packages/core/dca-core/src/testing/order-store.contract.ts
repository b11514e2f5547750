import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { OrderStore, OrderProgress } from '../ports/order-store.port.js';

export interface OrderStoreHarness {
  /** Store that contains neither orders nor progress. */
  readonly subject: OrderStore;
  /** Opens the same store again, as another process would. */
  reopen(): Promise<OrderStore>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const CONTRACT = toFelt('0xdca1');
const OTHER = toFelt('0xdca2');
/** Order id that does not fit into a signed 64-bit integer. */
const LAST_ORDER = 2n ** 64n - 1n;

const upTo = (nextBlock: number): OrderProgress => ({
  nextBlock,
  safe: { number: nextBlock - 1, hash: toFelt(BigInt(0xb10c_0000 + nextBlock)) },
});

export function describeOrderStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<OrderStoreHarness>,
): void {
  describe(`OrderStore contract (${name})`, () => {
    let harness: OrderStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('a new store has no purchase orders, and no number of the next block to read', async () => {
      const { subject } = harness;
      expect(await subject.progress(CONTRACT)).toBeNull();
      expect(await subject.open(CONTRACT, null, 10)).toEqual([]);
    });

    it('stores purchase orders and the number of the next block separately for each contract', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(10), [3n, 1n]);
      await subject.advance(OTHER, upTo(7), [9n]);
      const reopened = await harness.reopen();
      expect(await reopened.progress(CONTRACT)).toEqual(upTo(10));
      expect(await reopened.open(CONTRACT, null, 10)).toEqual([1n, 3n]);
      expect(await reopened.progress(OTHER)).toEqual(upTo(7));
      expect(await reopened.open(OTHER, null, 10)).toEqual([9n]);
    });

    it('stores the number of the next block to read, even if no purchase orders are added', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(10), []);
      await subject.advance(CONTRACT, upTo(20), []);
      expect(await subject.progress(CONTRACT)).toEqual(upTo(20));
    });

    it('accepts a lower number of the next block to read than the stored number', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(20), [1n]);
      await subject.advance(CONTRACT, upTo(10), []);
      expect(await subject.progress(CONTRACT)).toEqual(upTo(10));
      expect(await subject.open(CONTRACT, null, 10)).toEqual([1n]);
    });

    it('lists purchase order ids in numeric order and by pages, regardless of the number of digits', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(1), [10n, 9n, LAST_ORDER, 0n, 100n]);
      expect(await subject.open(CONTRACT, null, 2)).toEqual([0n, 9n]);
      expect(await subject.open(CONTRACT, 9n, 2)).toEqual([10n, 100n]);
      expect(await subject.open(CONTRACT, 100n, 2)).toEqual([LAST_ORDER]);
      expect(await subject.open(CONTRACT, LAST_ORDER, 2)).toEqual([]);
    });

    it('omits an ended purchase order even if the order’s creation event is read again', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(5), [1n, 2n, 3n]);
      await subject.end(CONTRACT, [2n, 3n]);
      await subject.advance(CONTRACT, upTo(6), [1n, 2n, 4n]);
      expect(await subject.open(CONTRACT, null, 10)).toEqual([1n, 4n]);
      expect(await (await harness.reopen()).open(CONTRACT, null, 10)).toEqual([1n, 4n]);
    });

    it('marks only stored orders of the specified contract as ended', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(5), [1n]);
      await subject.advance(OTHER, upTo(5), [1n]);
      await subject.end(CONTRACT, [1n, 77n]);
      await subject.end(CONTRACT, []);
      expect(await subject.open(CONTRACT, null, 10)).toEqual([]);
      expect(await subject.open(OTHER, null, 10)).toEqual([1n]);
      await subject.advance(CONTRACT, upTo(6), [77n]);
      expect(await subject.open(CONTRACT, null, 10)).toEqual([77n]);
    });

    it('deletes all stored purchase orders of a contract, including ended orders', async () => {
      const { subject } = harness;
      await subject.advance(CONTRACT, upTo(5), [1n, 2n]);
      await subject.advance(OTHER, upTo(5), [1n]);
      await subject.end(CONTRACT, [1n]);
      await subject.forget(CONTRACT);
      expect(await subject.progress(CONTRACT)).toBeNull();
      expect(await subject.open(CONTRACT, null, 10)).toEqual([]);
      expect(await subject.progress(OTHER)).toEqual(upTo(5));
      await subject.advance(CONTRACT, upTo(3), [1n]);
      expect(await subject.open(CONTRACT, null, 10)).toEqual([1n]);
    });

    it('accepts more purchase orders in one call than the maximum number of parameters of an SQL statement', async () => {
      const { subject } = harness;
      const many = Array.from({ length: 3_000 }, (_, index) => BigInt(index));
      await subject.advance(CONTRACT, upTo(5), many);
      await subject.end(CONTRACT, many.slice(1));
      expect(await subject.open(CONTRACT, null, 10)).toEqual([0n]);
    });

    it('no purchase order is lost when two callers add orders concurrently', async () => {
      const { subject } = harness;
      await Promise.all([
        subject.advance(CONTRACT, upTo(5), [1n, 2n]),
        subject.advance(CONTRACT, upTo(5), [2n, 3n]),
      ]);
      expect(await subject.open(CONTRACT, null, 10)).toEqual([1n, 2n, 3n]);
    });

    it('calls fail with LedgerUnavailable while the store of purchase orders is unavailable', async () => {
      const { subject } = harness;
      await harness.breakDown();
      for (const call of [
        subject.progress(CONTRACT),
        subject.advance(CONTRACT, upTo(5), [1n]),
        subject.open(CONTRACT, null, 10),
        subject.end(CONTRACT, [1n]),
        subject.forget(CONTRACT),
      ])
        await expect(call).rejects.toBeInstanceOf(LedgerUnavailable);
    });
  });
}
