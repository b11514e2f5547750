import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, silentLogger, toFelt } from '@sotto/kernel';
import { executionCalldata } from '../../src/domain/execution.js';
import { PurchaseCalls, type FollowOrders, type PurchaseCallsPolicy } from '../../src/index.js';
import { OTHER_CONTRACT } from '../support/contracts.js';
import { CHAIN_ID, PurchaseWorld } from '../support/world.js';

const HOUR = 3_600;
const LIMITS = { l2Gas: 60_000_000n, l1Gas: 256n, l1DataGas: 20_480n, priceMultiplier: 3n };

describe('PurchaseCalls', () => {
  let world: PurchaseWorld;
  beforeEach(() => {
    world = new PurchaseWorld();
  });

  const unlearned = (
    follow: Pick<FollowOrders, 'round'> = world.aFollower(),
    policy: Partial<PurchaseCallsPolicy> = {},
  ): PurchaseCalls =>
    new PurchaseCalls(
      {
        orders: world.chain,
        snapshots: world.chain,
        store: world.store,
        follow,
        logger: silentLogger,
      },
      {
        chainId: CHAIN_ID,
        contract: world.contract,
        limits: LIMITS,
        maxOrders: 100,
        ordersPerRead: 2,
        newId: () => 'read-back',
        ...policy,
      },
    );
  const aReader = async (): Promise<PurchaseCalls> => {
    const reader = unlearned();
    await reader.learn();
    return reader;
  };
  const target = () => ({
    to: world.contract.address,
    entrypoint: world.contract.layout.entrypoints.execute,
  });
  const calldata = (orderId: bigint) =>
    executionCalldata(world.contract.layout.execution, {
      orderId,
      minimumSats: 990_000n,
      routes: Felts.of([1n, 2n, 3n]),
    });
  const keyOf = (orderId: bigint, number: number): string =>
    `${CHAIN_ID}|dca|${world.contract.address}|${orderId}|${number}`;

  it('a call on chain is read as the contract’s latest counted execution', async () => {
    const order = world.create();
    for (let count = 0; count < 3; count += 1) {
      world.chain.execute(order);
      world.pass(2 * HOUR);
    }
    const reader = await aReader();
    expect(reader.submissionOf(target(), calldata(order))).toMatchObject({
      key: keyOf(order, 2),
      id: 'read-back',
      kind: 'execute_order',
      subject: world.contract.address,
      memo: `${order}|2`,
      role: 'keeper',
      replayProtected: false,
      terms: null,
    });
  });

  it('a call on chain is read as the first execution if its order is new or unknown', async () => {
    const order = world.create();
    const reader = await aReader();
    for (const orderId of [order, 77n])
      expect(reader.submissionOf(target(), calldata(orderId))?.key).toBe(keyOf(orderId, 0));
  });

  it('reads the execution counts of all orders that have not ended in batched requests', async () => {
    const orders = Array.from({ length: 7 }, () => world.create());
    for (const order of orders) {
      world.chain.execute(order);
      world.pass(2 * HOUR);
      world.chain.execute(order);
      world.pass(2 * HOUR);
    }
    const reader = await aReader();
    for (const order of orders)
      expect(reader.submissionOf(target(), calldata(order))?.key).toBe(keyOf(order, 1));
  });

  it('a call of another contract or method, or with other felts, is not read as an execution', async () => {
    const order = world.create();
    const reader = await aReader();
    const felts = calldata(order);
    expect(reader.submissionOf({ ...target(), to: toFelt('0x1') }, felts)).toBeNull();
    expect(reader.submissionOf({ ...target(), entrypoint: 'cancel_order' }, felts)).toBeNull();
    expect(reader.submissionOf(target(), felts.slice(0, 3))).toBeNull();
    expect(reader.submissionOf(target(), Felts.of([2n ** 70n, 1n, 0n, 1n]))).toBeNull();
  });

  it('decodes execution calls by the argument order in the profile’s layout', async () => {
    world = new PurchaseWorld({ contract: OTHER_CONTRACT });
    const order = world.create();
    const reader = await aReader();
    expect(reader.submissionOf(target(), calldata(order))?.key).toBe(keyOf(order, 0));
  });

  describe('learn() before the engine starts', () => {
    it('a failing node does not remove execution counts that were read earlier', async () => {
      const order = world.create();
      for (let count = 0; count < 2; count += 1) {
        world.chain.execute(order);
        world.pass(2 * HOUR);
      }
      const reader = unlearned();
      world.chain.fail();
      await reader.learn();
      expect(reader.submissionOf(target(), calldata(order))?.key).toBe(keyOf(order, 0));
      world.chain.fail(null);
      await reader.learn();
      world.chain.fail();
      await reader.learn();
      expect(reader.submissionOf(target(), calldata(order))?.key).toBe(keyOf(order, 1));
    });

    it('learn() reads order events only once, even if further events are available', async () => {
      world.create();
      let rounds = 0;
      const endless = {
        round: async () => {
          rounds += 1;
          return { throughBlock: rounds, hasMore: true, opened: 0, ended: 0 };
        },
      };
      await unlearned(endless).learn();
      expect(rounds).toBe(1);
    });

    it('learn() reads only the first orders, up to the configured maximum', async () => {
      const orders = Array.from({ length: 7 }, () => world.create());
      for (const order of orders) world.chain.execute(order);
      world.pass(2 * HOUR);
      for (const order of orders) world.chain.execute(order);
      world.pass(2 * HOUR);
      const reader = unlearned(world.aFollower(), { maxOrders: 4 });
      await reader.learn();
      expect(orders.map((order) => reader.submissionOf(target(), calldata(order))?.key)).toEqual(
        orders.map((order, index) => keyOf(order, index < 4 ? 1 : 0)),
      );
    });

    it('an adopted call with an unknown execution count causes no second execution', async () => {
      const order = world.create();
      world.chain.execute(order);
      world.pass(2 * HOUR);
      // A copy of the second execution is in flight. The ledger does not contain this call.
      world.chain.execute(order);
      world.chain.mine();
      const reader = unlearned();
      world.chain.fail();
      await reader.learn();
      world.chain.fail(null);
      const read = reader.submissionOf(target(), calldata(order));
      if (read === null) throw new Error('the call was not read');
      await world.land((await world.submit(read)).attempt);
      expect((await world.round()).get(String(order))).toMatchObject({ reason: 'NOT_DUE' });
      expect(world.simulated).toEqual([]);
    });
  });

  it('a keeper with a new ledger adopts the last execution from the chain', async () => {
    const order = world.create();
    world.chain.execute(order);
    world.pass(2 * HOUR);
    const read = (await aReader()).submissionOf(target(), calldata(order));
    if (read === null) throw new Error('the call was not read');
    // A call that was planned before the loss of the ledger may still be in flight, and may be
    // executed as the next execution.
    const { attempt } = await world.submit(read);
    expect((await world.round()).get(String(order))).toMatchObject({ reason: 'IN_FLIGHT' });
    await world.expire(attempt);
    expect((await world.round()).get(String(order))).toMatchObject({
      outcome: 'acted',
      details: { executed: 1 },
    });
  });
});
