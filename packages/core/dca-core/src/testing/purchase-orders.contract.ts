import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, toFelt } from '@sotto/kernel';
import { NodeBehind, type Snapshot } from '@sotto/submission-core';
import { parseOrder } from '../domain/order.js';
import type { OrderLayout } from '../domain/order-layout.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';

export interface PurchaseOrdersHarness {
  readonly subject: PurchaseOrders;
  readonly layout: OrderLayout;
  /** First block that may contain events of the contract. */
  readonly firstBlock: number;
  /**
   * Opens a purchase order of this amount. Resolves to the order's id when the order is in a block.
   */
  open(amount: bigint): Promise<bigint>;
  head(): Promise<Snapshot>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describePurchaseOrdersContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<PurchaseOrdersHarness>,
): void {
  describe(`PurchaseOrders contract (${name})`, () => {
    let harness: PurchaseOrdersHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns created purchase orders with their block numbers, from the contract’s first block up to the given block', async () => {
      const { subject, firstBlock } = harness;
      const first = await harness.open(1_000n);
      const afterFirst = await harness.head();
      const second = await harness.open(2_000n);
      const head = await harness.head();
      const all = await subject.opened(firstBlock, head);
      expect(all.throughBlock).toBe(head.number);
      expect(all.opened.map(({ orderId }) => orderId).slice(-2)).toEqual([first, second]);
      const later = await subject.opened(afterFirst.number + 1, head);
      expect(later.opened.map(({ orderId }) => orderId)).toEqual([second]);
      expect(later.opened[0]?.blockNumber).toBeGreaterThan(afterFirst.number);
      const earlier = await subject.opened(firstBlock, afterFirst);
      expect(earlier.opened.map(({ orderId }) => orderId)).not.toContain(second);
    });

    it('returns purchase orders in the sequence of the requested ids', async () => {
      const { subject, layout } = harness;
      const ids = [await harness.open(1_000n), await harness.open(2_000n)].toReversed();
      const answers = await subject.read(ids, await harness.head());
      expect(answers.map((felts) => felts && parseOrder(layout, felts))).toMatchObject([
        { amount: 2_000n, executed: 0, isActive: true },
        { amount: 1_000n, executed: 0, isActive: true },
      ]);
      expect(await subject.read([], await harness.head())).toEqual([]);
    });

    it('returns null or unreadable felts for an unknown purchase order', async () => {
      const { subject, layout } = harness;
      const orderId = await harness.open(1_000n);
      const [known, unknown] = await subject.read([orderId, 999_999n], await harness.head());
      expect(known && parseOrder(layout, known)).toMatchObject({ amount: 1_000n });
      expect(unknown ? parseOrder(layout, unknown) : 'unreadable').toBe('unreadable');
    });

    it('reads purchase orders at the specified block, not at a later block', async () => {
      const { subject, layout } = harness;
      const before = await harness.head();
      const orderId = await harness.open(1_000n);
      const [felts] = await subject.read([orderId], before);
      expect(felts ? parseOrder(layout, felts) : 'unreadable').toBe('unreadable');
    });

    it('reads the Mayer Multiple of the purchase contract', async () => {
      expect(await harness.subject.mayerMultiple(await harness.head())).toBeGreaterThan(0n);
    });

    it('returns the block at a height, or null if the height is above the newest block', async () => {
      const { subject } = harness;
      const { number, hash } = await harness.head();
      expect(await subject.blockAt(number)).toEqual({ number, hash });
      expect(await subject.blockAt(number + 1_000)).toBeNull();
    });

    it('a read at a block that the node does not have fails with NodeBehind', async () => {
      const { subject, firstBlock } = harness;
      const unknown = { ...(await harness.head()), hash: toFelt('0xdead') };
      for (const call of [
        subject.opened(firstBlock, unknown),
        subject.read([1n], unknown),
        subject.mayerMultiple(unknown),
      ])
        await expect(call).rejects.toBeInstanceOf(NodeBehind);
    });

    it('reads of purchase orders fail with a DomainError while the node is unavailable', async () => {
      const { subject, firstBlock } = harness;
      const head = await harness.head();
      await harness.breakDown();
      for (const call of [
        subject.opened(firstBlock, head),
        subject.read([1n], head),
        subject.mayerMultiple(head),
        subject.blockAt(head.number),
      ])
        await expect(call).rejects.toBeInstanceOf(DomainError);
    });
  });
}
