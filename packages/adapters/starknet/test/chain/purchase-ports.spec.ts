import { StarknetPurchaseOrders, StarknetSnapshots, selectorOf } from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseOrder, type Order, type PurchaseContract } from '@sotto/dca-core';
import { describePurchaseOrdersContract } from '@sotto/dca-core/testing/contracts';
import { Felts, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import { NodeBehind, type Snapshot } from '@sotto/submission-core';
import type { ChainStack } from '../support/chain-stack.js';
import type { ChainWorld } from '../support/chain-world.js';
import { describeOnChain, describePortsOnChain } from '../support/node-under-test.js';

const AMOUNT_FRI = 10n ** 18n;
const FREQUENCY_SECONDS = 3_600n;

/** Layout of the purchase contract in the development stack. */
const LAYOUT: PurchaseContract['layout'] = {
  fields: [
    { name: 'ignored', size: 'felt' },
    { name: 'sell_token', size: 'felt' },
    { name: 'amount', size: 'u256' },
    { name: 'frequency', size: 'u64' },
    { name: 'total', size: 'u32' },
    { name: 'executed', size: 'u32' },
    { name: 'last_execution', size: 'u64' },
    { name: 'remaining', size: 'u256' },
    { name: 'smart', size: 'bool' },
    { name: 'active', size: 'bool' },
  ],
  created: { selector: selectorOf('OrderCreated'), orderId: { in: 'keys', at: 1 } },
  mayerMultiple: { size: 'u256', scale: 10n ** 18n },
  entrypoints: {
    order: 'get_order',
    mayerMultiple: 'get_mayer_multiple',
    execute: 'execute_order',
  },
  execution: ['order', 'minimum', 'routes'],
};

const contractOf = ({ purchases }: ChainWorld): PurchaseContract => ({
  address: toFelt(purchases.address),
  firstBlock: 0,
  keeperFeeBps: 10,
  layout: LAYOUT,
});

/** User of the purchase contract who pays in STRK. */
class Buyer {
  readonly contract: PurchaseContract;
  readonly sellToken: Felt;
  #opened = 0n;

  constructor(private readonly stack: ChainStack) {
    this.contract = contractOf(stack.world);
    this.sellToken = toFelt(stack.world.tokens.STRK.address);
  }

  latest(): Promise<Snapshot> {
    return new StarknetSnapshots(this.stack.node).latest(null);
  }

  /**
   * Creates one purchase order for each entry of `totals`, all in one block. An entry is the number
   * of purchases of an order.
   * @returns the id of the last order
   */
  async open(totals: readonly bigint[], amount = AMOUNT_FRI): Promise<bigint> {
    const { address } = this.contract;
    await this.#send(this.sellToken, 'approve', [BigInt(address), ...u256ToHalves(2n ** 128n)]);
    for (const total of totals) {
      const terms = [BigInt(this.sellToken), ...u256ToHalves(amount), FREQUENCY_SECONDS, total, 0n];
      await this.#send(address, 'create_order', terms);
      this.#opened += 1n;
    }
    await this.stack.mine();
    return this.#opened;
  }

  async cancel(orderId: bigint): Promise<void> {
    await this.#send(this.contract.address, 'cancel_order', [orderId]);
    await this.stack.mine();
  }

  async #send(to: Felt, entrypoint: string, calldata: readonly bigint[]): Promise<void> {
    const [account] = this.stack.lanes;
    await this.stack.send(await this.stack.sign(account, to, entrypoint, Felts.of(calldata)));
  }
}

describePortsOnChain((chain) => {
  describePurchaseOrdersContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const buyer = new Buyer(stack);
    return {
      subject: new StarknetPurchaseOrders(stack.node, buyer.contract),
      layout: LAYOUT,
      firstBlock: 0,
      open: async (amount) => buyer.open([1n], amount),
      head: async () => buyer.latest(),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});

describeOnChain((chain) => {
  describe('purchase contract', () => {
    let stack: ChainStack;
    let buyer: Buyer;
    let subject: StarknetPurchaseOrders;
    beforeEach(async () => {
      stack = await chain.start();
      buyer = new Buyer(stack);
      subject = new StarknetPurchaseOrders(stack.node, buyer.contract);
    });
    afterEach(async () => stack.stop());

    const create = async (...totals: readonly bigint[]): Promise<Snapshot> => {
      await buyer.open(totals);
      return buyer.latest();
    };
    const ordersAt = async (
      ids: readonly bigint[],
      at: Snapshot,
    ): Promise<readonly (Order | 'unreadable' | null)[]> =>
      (await subject.read(ids, at)).map((felts) =>
        felts === null ? null : parseOrder(LAYOUT, felts),
      );

    it('returns the purchase orders that were created between two blocks', async () => {
      const before = await buyer.latest();
      const first = await create(2n);
      const second = await create(3n, 4n);
      const one = { orderId: 1n, blockNumber: first.number };
      const [two, three] = [2n, 3n].map((orderId) => ({ orderId, blockNumber: second.number }));
      const none = { opened: [], throughBlock: before.number };
      expect(await subject.opened(0, before)).toEqual(none);
      expect(await subject.opened(0, first)).toEqual({
        opened: [one],
        throughBlock: first.number,
      });
      expect(await subject.opened(0, second)).toEqual({
        opened: [one, two, three],
        throughBlock: second.number,
      });
      expect(await subject.opened(second.number, second)).toMatchObject({ opened: [two, three] });
    });

    it('returns the purchase orders of a long block range in several responses', async () => {
      const subjectOfFew = new StarknetPurchaseOrders(stack.node, buyer.contract, { maxBlocks: 2 });
      const first = await create(2n);
      await create(3n);
      const last = await create(4n);
      const seen: bigint[] = [];
      for (let from = first.number; from <= last.number;) {
        const { opened, throughBlock } = await subjectOfFew.opened(from, last);
        expect(throughBlock).toBe(Math.min(from + 1, last.number));
        seen.push(...opened.map(({ orderId }) => orderId));
        from = throughBlock + 1;
      }
      expect(seen).toEqual([1n, 2n, 3n]);
    });

    it('returns the state of purchase orders at the given block', async () => {
      const order: Order = {
        sellToken: buyer.sellToken,
        amount: AMOUNT_FRI,
        remaining: 2n * AMOUNT_FRI,
        frequencySeconds: FREQUENCY_SECONDS,
        total: 2,
        executed: 0,
        lastExecution: 0n,
        isSmart: false,
        isActive: true,
      };
      const created = await create(2n, 3n);
      await buyer.cancel(1n);
      const cancelled = await buyer.latest();
      const other = { ...order, total: 3, remaining: 3n * AMOUNT_FRI };
      expect(await ordersAt([2n, 1n], created)).toEqual([other, order]);
      const ended = { ...order, remaining: 0n, isActive: false };
      expect(await ordersAt([1n, 2n, 99n], cancelled)).toEqual([ended, other, 'unreadable']);
    });

    it('returns the Mayer Multiple with which the test chain starts', async () => {
      expect(await subject.mayerMultiple(await buyer.latest())).toBe(9n * 10n ** 17n);
    });

    it('returns null if the block at the requested height is only pre-confirmed', async () => {
      const { number } = await buyer.latest();
      expect(await subject.blockAt(number + 1)).toBeNull();
    });

    it('reports the node as behind if the requested block was rolled back', async () => {
      const undone = await create(2n);
      await stack.rollback(1);
      for (const read of [
        () => subject.opened(0, undone),
        () => subject.read([1n], undone),
        () => subject.mayerMultiple(undone),
      ])
        await expect(read()).rejects.toBeInstanceOf(NodeBehind);
    });
  });
});
