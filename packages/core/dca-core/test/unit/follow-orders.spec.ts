import { beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable, NodeBehind } from '@sotto/submission-core';
import type { FollowOrders } from '../../src/index.js';
import { AMOUNT, PurchaseWorld, USDC } from '../support/world.js';

const SAFE_DEPTH = 10;

describe('FollowOrders', () => {
  let world: PurchaseWorld;
  let follower: FollowOrders;
  beforeEach(() => {
    world = new PurchaseWorld();
    follower = world.aFollower();
  });
  const open = () => world.store.open(world.contract.address, null, 1_000);
  const progress = () => world.store.progress(world.contract.address);

  it('the first run finds the purchase orders of all blocks, and each later run finds new orders', async () => {
    const orders = [world.create(), world.create()];
    expect(await follower.round()).toMatchObject({ opened: 2, hasMore: false });
    expect(await open()).toEqual(orders);
    const third = world.create();
    await follower.round();
    expect(await open()).toEqual([...orders, third]);
  });

  it('the search for purchase orders reads only blocks again that a rollback could still remove', async () => {
    const first = world.create();
    world.chain.mine(50);
    await follower.round();
    const { number } = world.chain.head;
    expect((await progress())?.nextBlock).toBe(number - SAFE_DEPTH + 1);
    const second = world.create();
    expect(await world.aFollower().round()).toMatchObject({ opened: 1 });
    expect(await open()).toEqual([first, second]);
  });

  it('does not check for ended purchase orders while every block could still be rolled back', async () => {
    const order = world.create();
    const before = world.chain.reads;
    expect(await follower.round()).toMatchObject({ opened: 1, ended: 0 });
    expect([world.chain.reads, await open()]).toEqual([before, [order]]);
  });

  it('finds an order that was created after a short rollback in a new block at an already read height', async () => {
    world.chain.mine(30);
    await follower.round();
    world.chain.rollback(SAFE_DEPTH - 1);
    const order = world.create();
    // The new chain has the same height as the old one, so the height alone does not reveal the
    // reorg.
    world.chain.mine(SAFE_DEPTH - 2);
    await follower.round();
    expect(await open()).toEqual([order]);
  });

  it('reads all order events again after a rollback of blocks that were assumed safe', async () => {
    const first = world.create();
    world.chain.mine(20);
    world.create();
    world.chain.mine(20);
    await follower.round();
    world.chain.rollback(30);
    const other = world.create({ amount: 5n });
    world.chain.mine(60);
    await follower.round();
    expect(await open()).toEqual([first, other]);
    expect(world.chain.order(other).amount).toBe(5n);
  });

  it('reading orders fails with NodeBehind while the node’s head is below the last block that was read', async () => {
    const order = world.create();
    world.chain.mine(30);
    await follower.round();
    const before = await progress();
    world.chain.lag(20);
    await expect(follower.round()).rejects.toBeInstanceOf(NodeBehind);
    expect(await progress()).toEqual(before);
    expect(await open()).toEqual([order]);
  });

  it('reads a limited number of order events in each run, and finds all purchase orders in several runs', async () => {
    world.chain.pageSize = 2;
    const orders = Array.from({ length: 7 }, () => world.create());
    world.chain.mine(SAFE_DEPTH);
    const first = await follower.round();
    expect(first).toMatchObject({ opened: 2, hasMore: true });
    expect(await open()).toEqual(orders.slice(0, 2));
    let rounds = 1;
    for (let hasMore = first.hasMore; hasMore; rounds += 1) ({ hasMore } = await follower.round());
    expect(rounds).toBeLessThanOrEqual(5);
    expect(await open()).toEqual(orders);
  });

  it('removes an ended order once the block in which it ended is safe from rollbacks', async () => {
    const [cancelled, done, going] = [world.create(), world.create({ total: 1n }), world.create()];
    world.chain.mine(SAFE_DEPTH);
    await follower.round();
    world.chain.change(cancelled, { isCancelled: true });
    world.chain.execute(done);
    world.chain.mine();
    await follower.round();
    expect(await open()).toEqual([cancelled, done, going]);
    world.chain.mine(SAFE_DEPTH);
    expect(await follower.round()).toMatchObject({ ended: 2 });
    expect(await open()).toEqual([going]);
  });

  it('an order remains in the list if a rollback of blocks removes its cancellation', async () => {
    const order = world.create();
    world.chain.mine(SAFE_DEPTH);
    world.chain.change(order, { isCancelled: true });
    world.chain.mine();
    await follower.round();
    world.chain.rollback(1);
    world.chain.mine(2 * SAFE_DEPTH);
    await follower.round();
    expect(await open()).toEqual([order]);
  });

  it('checks only a limited number of purchase orders for their end in each run', async () => {
    const orders = Array.from({ length: 8 }, () => world.create());
    for (const orderId of orders) world.chain.change(orderId, { isCancelled: true });
    world.chain.mine(SAFE_DEPTH + 1);
    expect(await follower.round()).toMatchObject({ ended: 3 });
    expect(await follower.round()).toMatchObject({ ended: 3 });
    expect(await follower.round()).toMatchObject({ ended: 2 });
    expect(await open()).toEqual([]);
  });

  it('reads no order events until the contract’s first block exists', async () => {
    const early = new PurchaseWorld({
      contract: { ...world.contract, firstBlock: 3 },
    });
    early.chain.rollback(2);
    expect(early.chain.head.number).toBeLessThan(3);
    expect(await early.aFollower().round()).toMatchObject({ opened: 0, hasMore: false });
    early.chain.mine(5);
    const order = early.create();
    await early.aFollower().round();
    expect(await early.store.open(early.contract.address, null, 10)).toEqual([order]);
  });

  it('finds all orders in a later run if a read or a write fails', async () => {
    const order = world.create();
    world.chain.fail();
    await expect(follower.round()).rejects.toBeInstanceOf(NodeBehind);
    world.chain.fail(null);
    world.store.fail();
    await expect(follower.round()).rejects.toBeInstanceOf(LedgerUnavailable);
    world.store.fail(null);
    expect(await progress()).toBeNull();
    await follower.round();
    expect(await open()).toEqual([order]);
  });

  it('two instances can read the orders concurrently', async () => {
    const orders = [world.create(), world.create()];
    await Promise.all([follower.round(), world.aFollower().round(), follower.round()]);
    expect(await open()).toEqual(orders);
  });

  it('an unreadable order is not removed from the list', async () => {
    const order = world.chain.create({ sellToken: USDC.address, amount: AMOUNT, frequency: 0n });
    world.chain.mine(SAFE_DEPTH + 1);
    await follower.round();
    expect(await open()).toEqual([order]);
  });
});
