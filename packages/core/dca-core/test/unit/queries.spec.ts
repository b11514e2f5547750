import { beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable, NodeBehind } from '@sotto/submission-core';
import { GetMayerMultiple, ListOrders, dayOf } from '../../src/index.js';
import { AMOUNT, BTC_USD_E8, PurchaseWorld, USDC } from '../support/world.js';
import { toFelt } from '@sotto/kernel';

let world: PurchaseWorld;
beforeEach(() => {
  world = new PurchaseWorld();
});

const query = async () => {
  await world.task.subjects();
  return new GetMayerMultiple(world.mayer, world.chain).execute();
};

describe('GetMayerMultiple', () => {
  it('returns the contract’s Mayer multiple, the keeper’s multiple and the prices for the keeper’s multiple', async () => {
    world.setBtc((BTC_USD_E8 * 3n) / 2n);
    world.chain.setMayerMultiple(1_510_000n);
    world.chain.mine();
    expect(await query()).toEqual({
      blockNumber: world.chain.head.number,
      timestamp: world.chain.head.timestamp,
      contract: { multiple: '1.510000', band: '0.75' },
      own: { multiple: '1.500000', band: '0.75' },
      verdict: 'confirmed',
      spotUsd: '90000.00',
      meanUsd: '60000.00',
      days: { agreed: 200, missing: 0, disputed: 0 },
      bands: ['1.5', '1.25', '1', '0.75', '0.5'],
    });
  });

  it('returns the verdict `disputed` if the Mayer multiples of contract and keeper differ too much', async () => {
    world.chain.setMayerMultiple(1_030_000n);
    world.chain.mine();
    expect(await query()).toMatchObject({ verdict: 'disputed' });
  });

  it('reports the number of days with disputed closing prices if the keeper’s multiple is unknown', async () => {
    const [alpha, beta] = world.closes;
    const today = dayOf(world.chain.head.timestamp);
    for (let day = today - 4; day < today; day += 1) alpha?.set(day, null);
    for (let day = today - 14; day < today - 4; day += 1) beta?.set(day, BTC_USD_E8 * 2n);
    expect(await query()).toMatchObject({
      own: null,
      verdict: 'unknown',
      spotUsd: '60000.00',
      meanUsd: null,
      days: { agreed: 186, missing: 4, disputed: 10 },
    });
  });

  it('returns the mean of the daily closing prices while the spot price is unknown', async () => {
    for (const source of world.sources) source.fail();
    expect(await query()).toMatchObject({
      own: null,
      verdict: 'unknown',
      spotUsd: null,
      meanUsd: '60000.00',
    });
  });

  it('returns the verdict `off` if only one source of daily closing prices is configured', async () => {
    world = new PurchaseWorld({ sources: ['alpha'] });
    expect(await query()).toMatchObject({ own: null, verdict: 'off', days: { missing: 200 } });
  });

  it('GetMayerMultiple rejects while the node or the store is unavailable', async () => {
    world.chain.fail();
    const subject = new GetMayerMultiple(world.mayer, world.chain);
    await expect(subject.execute()).rejects.toBeInstanceOf(NodeBehind);
    world.chain.fail(null);
    world.closesStore.fail();
    await expect(subject.execute()).rejects.toBeInstanceOf(LedgerUnavailable);
  });
});

const aList = () =>
  new ListOrders(
    { orders: world.chain, snapshots: world.chain, store: world.store },
    { contract: world.contract, sellTokens: [USDC], maxPage: 4 },
  );

const list = (after: bigint | null = null, limit = 10) => aList().execute({ after, limit });

describe('ListOrders', () => {
  it('returns each purchase order in its present state on chain, but does not return the order’s owner', async () => {
    const waiting = world.create({ total: 5n, deposited: 5n * AMOUNT });
    world.chain.execute(waiting);
    world.create({ sellToken: toFelt('0xbad'), isSmart: true });
    world.create({ isCancelled: true });
    world.create({ frequency: 0n });
    await world.aFollower().round();
    const { orders, ...reply } = await list();
    const { lastExecution } = world.chain.order(waiting);
    expect(reply).toEqual({
      contract: world.contract.address,
      blockNumber: world.chain.head.number,
      timestamp: world.chain.head.timestamp,
      knownThroughBlock: expect.any(Number),
      next: 4n,
    });
    expect(orders).toMatchObject([
      {
        orderId: 1n,
        state: 'waiting',
        sellToken: USDC.address,
        sellSymbol: 'USDC',
        amount: AMOUNT,
        remaining: 4n * AMOUNT,
        frequencySeconds: 3_600n,
        total: 5,
        executed: 1,
        isSmart: false,
        nextDueAt: lastExecution + 3_600n,
      },
      { orderId: 2n, state: 'due', sellSymbol: null, isSmart: true, nextDueAt: null },
      { orderId: 3n, state: 'ended', nextDueAt: null },
      { orderId: 4n, state: 'unreadable' },
    ]);
    for (const order of orders) expect(Object.keys(order)).not.toContain('owner');
  });

  it('returns a long list of purchase orders in pages of limited size', async () => {
    for (let count = 0; count < 10; count += 1) world.create();
    await world.aFollower().round();
    const seen: bigint[] = [];
    let after: bigint | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(after, 1_000);
      expect(page.orders.length).toBeLessThanOrEqual(4);
      seen.push(...page.orders.map(({ orderId }) => orderId));
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => BigInt(index + 1)));
    expect(pages).toBe(3);
    expect((await list(null, 0)).orders).toHaveLength(1);
  });

  it('ListOrders returns an empty list until order events have been read', async () => {
    world.create();
    const reads = world.chain.reads;
    expect(await list()).toMatchObject({ orders: [], knownThroughBlock: null, next: null });
    expect(world.chain.reads).toBe(reads);
  });

  it('ListOrders rejects while the node or the store is unavailable', async () => {
    world.chain.fail();
    await expect(list()).rejects.toBeInstanceOf(NodeBehind);
    world.chain.fail(null);
    world.store.fail();
    await expect(list()).rejects.toBeInstanceOf(LedgerUnavailable);
  });
});
