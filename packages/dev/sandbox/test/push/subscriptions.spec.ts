import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import { readSpecification } from '../../src/specification/read-specification.js';
import { startHarness, type Harness } from '../support/harness.js';
import { PushClient } from '../support/push-client.js';
import { ALICE, BOB, COUNTER_1 } from '../support/world.js';

/**
 * Folder with the machine-readable specification 0.10.2, against which pushed messages are checked.
 */
const folder = process.env['STARKNET_SPECS'] ?? '';
const specification = folder === '' ? null : readSpecification(folder);

const HEADS = 'starknet_subscribeNewHeads';
const RECEIPTS = 'starknet_subscribeNewTransactionReceipts';
const increase = { to: COUNTER_1, entrypoint: 'increase', calldata: [5n] };

describe('subscriptions over WebSocket', () => {
  let node: Harness;
  let client: PushClient;
  beforeEach(async () => {
    node = await startHarness();
    client = await PushClient.connect(`${node.url}/ws`);
  });
  afterEach(async () => {
    const problems = client.pushed.map(({ method, params }) =>
      specification?.findNotificationProblem(method, params),
    );
    client.close();
    await node.stop();
    const [problem] = problems.filter((each) => each !== undefined);
    if (problem !== undefined) throw new Error(problem);
  });

  /**
   * Subscribes and returns the subscription's id. Fails the test if the node rejects the
   * subscription.
   */
  const subscribe = async (method: string, params: object = {}): Promise<unknown> => {
    const { result, error } = await client.query(method, params);
    expect(error).toBeUndefined();
    expect(specification?.findResultProblem(method, result)).toBeUndefined();
    return result;
  };
  const rejection = async (method: string, params: object): Promise<number | undefined> => {
    const { error } = await client.query(method, params);
    if (error !== undefined && error.code > 0)
      expect(specification?.findErrorProblem(method, error)).toBeUndefined();
    return error?.code;
  };
  const send = (account: typeof ALICE): Promise<string> =>
    node.send({ account, calls: [increase] });
  const methods = (): readonly string[] => client.pushed.map(({ method }) => method);

  it('a subscription to heads pushes each new head once', async () => {
    const id = await subscribe(HEADS);
    node.control.mine(2);
    expect(await client.until(2)).toMatchObject(
      [1, 2].map((number) => ({
        method: 'starknet_subscriptionNewHeads',
        params: { subscription_id: id, result: { block_number: number } },
      })),
    );
    const [{ params } = { params: null }] = client.pushed;
    expect(params?.result).toEqual(expect.not.objectContaining({ status: expect.anything() }));
  });

  it('a subscription to heads can start at a given block', async () => {
    node.control.mine(3);
    await subscribe(HEADS, { block_id: { block_number: 2 } });
    node.control.mine();
    const pushed = await client.until(3);
    expect(pushed.map(({ params }) => Object(params.result).block_number)).toEqual([2, 3, 4]);
    expect(await rejection(HEADS, { block_id: { block_number: 99 } })).toBe(24);
  });

  it('a subscription is rejected if its start is more than 1024 blocks behind the head', async () => {
    node.control.mine(1_030);
    expect(await rejection(HEADS, { block_id: { block_number: 1 } })).toBe(68);
  });

  it('a subscription to receipts pushes only receipts of the requested senders', async () => {
    await subscribe(RECEIPTS, {
      finality_status: ['PRE_CONFIRMED', 'ACCEPTED_ON_L2'],
      sender_address: [toHex(ALICE.address)],
    });
    await send(BOB);
    const hash = await send(ALICE);
    node.control.mine();
    const pushed = await client.until(2);
    expect(pushed.map(({ params }) => params.result)).toMatchObject([
      { transaction_hash: hash, finality_status: 'PRE_CONFIRMED', block_number: 1 },
      { transaction_hash: hash, finality_status: 'ACCEPTED_ON_L2', block_number: 1 },
    ]);
  });

  it('a subscription to receipts pushes receipts of all senders at ACCEPTED_ON_L2 by default', async () => {
    await subscribe(RECEIPTS);
    const hashes = [await send(ALICE), await send(BOB)];
    node.control.mine();
    const pushed = await client.until(2);
    expect(pushed.map(({ params }) => Object(params.result).transaction_hash)).toEqual(hashes);
  });

  it('a subscription pushes a rollback before the new blocks', async () => {
    const ids = [await subscribe(HEADS), await subscribe(RECEIPTS)];
    await send(ALICE);
    node.control.mine(3);
    await client.until(4);
    node.control.rollback(2);
    node.control.mine();
    const [first, second, head] = (await client.until(7)).slice(4);
    expect([first, second]).toMatchObject(
      ids.map((id) => ({
        method: 'starknet_subscriptionReorg',
        params: {
          subscription_id: id,
          result: { starting_block_number: 2, ending_block_number: 3 },
        },
      })),
    );
    expect(head).toMatchObject({ params: { result: { block_number: 2 } } });
  });

  it('starknet_unsubscribe ends a subscription by its id, and rejects an unknown id', async () => {
    const id = await subscribe(HEADS);
    expect(await client.query('starknet_unsubscribe', { subscription_id: id })).toMatchObject({
      result: true,
    });
    expect(await rejection('starknet_unsubscribe', { subscription_id: id })).toBe(66);
    node.control.mine();
    await client.query('starknet_chainId');
    expect(client.pushed).toEqual([]);
  });

  it('the WebSocket serves all other RPC methods, and rejects malformed messages', async () => {
    expect((await client.query('starknet_blockNumber')).result).toBe(0);
    expect(await rejection('starknet_nothing', {})).toBe(-32_601);
    expect(await rejection(RECEIPTS, { finality_status: ['ACCEPTED_ON_L1'] })).toBe(-32_602);
    const many = Array.from({ length: 1_025 }, () => '0x1');
    expect(await rejection(RECEIPTS, { sender_address: many })).toBe(67);
    client.sendText('{');
    expect((await client.reply(null)).error?.code).toBe(-32_600);
  });

  it('the control interface can break, mute and reject WebSocket connections', async () => {
    await subscribe(RECEIPTS);
    const hash = await send(ALICE);
    node.control.pushFalsely(ALICE.address);
    const [lie] = await client.until(1);
    expect(lie?.params.result).toMatchObject({
      transaction_hash: hash,
      finality_status: 'ACCEPTED_ON_L2',
    });
    expect(await node.status(hash)).toEqual({ finality_status: 'RECEIVED' });
    expect(() => node.control.pushFalsely(BOB.address)).toThrow(RangeError);

    node.control.setPushMode('mute');
    node.control.mine();
    await client.query('starknet_chainId');
    expect(methods()).toHaveLength(1);
    expect(node.control.pushConnections()).toBe(1);
    node.control.cutPush();
    await client.closed();
    node.control.setPushMode('refuse');
    await expect(PushClient.connect(`${node.url}/ws`)).rejects.toThrow('503');
    node.control.setPushMode('serve');
    await expect(PushClient.connect(`${node.url}/elsewhere`)).rejects.toThrow('503');
  });
});
