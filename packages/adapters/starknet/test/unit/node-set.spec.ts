import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeRefusedCall,
  NodeSet,
  NodeUnavailable,
  StarknetBroadcaster,
  StarknetChainReader,
  type NodeCall,
  type NodeSetOptions,
} from '@sotto/adapter-starknet';
import { UpstreamTimedOut } from '@sotto/http-client';
import { DomainError, silentLogger, toFelt, type LogFields } from '@sotto/kernel';
import { isValid } from '@sotto/submission-core';
import { ManualClock, failure } from '@sotto/kernel/testing';
import { z } from 'zod';
import type { RpcRequest, ScriptedAnswer } from '../support/loopback-node.js';
import { CHAIN, ScriptedNode } from '../support/scripted-nodes.js';

const POLL_MS = 10_000;
const echo = (value: string): NodeCall<string> => ({
  method: 'echo',
  params: { value },
  result: z.string(),
});

const inUse = (set: NodeSet) => set.status().find(({ isInUse }) => isInUse)?.name;
const statusOf = (set: NodeSet, name: string) =>
  set.status().find((status) => status.name === name);

/**
 * Builds a responder that returns a transaction status with this finality. The responder ignores
 * queries of other methods.
 */
const status = (finality: string) => (request: RpcRequest) =>
  request.method === 'starknet_getTransactionStatus'
    ? { result: { finality_status: finality } }
    : null;

const noL1 = ({ params }: RpcRequest): ScriptedAnswer | null =>
  params['block_id'] === 'l1_accepted' ? { error: { code: 24, message: 'Block not found' } } : null;

/** Logger that stores messages at the levels that operators read. */
class KeptLog {
  readonly lines: [string, LogFields][] = [];
  readonly logger = {
    ...silentLogger,
    info: (fields: LogFields, message: string) => void this.lines.push([message, fields]),
    warn: (fields: LogFields, message: string) => void this.lines.push([message, fields]),
    error: (fields: LogFields, message: string) => void this.lines.push([message, fields]),
  };
  of(message: string): readonly LogFields[] {
    return this.lines.flatMap(([said, fields]) => (said === message ? [fields] : []));
  }
}

describe('NodeSet', () => {
  let nodes: ScriptedNode[];
  let clock: ManualClock;
  let log: KeptLog;
  const sets: NodeSet[] = [];
  beforeEach(async () => {
    nodes = await Promise.all([ScriptedNode.start(), ScriptedNode.start(), ScriptedNode.start()]);
    clock = new ManualClock();
    log = new KeptLog();
  });
  afterEach(async () => {
    for (const set of sets.splice(0)) set.close();
    await Promise.all(nodes.map(({ server }) => server.stop()));
  });

  const node = (place: number): ScriptedNode => {
    const found = nodes[place];
    if (found === undefined) throw new Error('there is no such node');
    return found;
  };
  const setOf = (
    count: number,
    options: Partial<NodeSetOptions & { readTimeoutMs: number }> = {},
  ): NodeSet => {
    const { readTimeoutMs = 60_000, ...others } = options;
    const endpoints = nodes.slice(0, count).map(({ server }, place) => ({
      name: `n${place}`,
      client: server.client({ readTimeoutMs }),
    }));
    const set = new NodeSet(endpoints, {
      chainId: CHAIN,
      accounts: [toFelt('0xacc')],
      clock,
      logger: log.logger,
      pollIntervalMs: POLL_MS,
      ...others,
    });
    sets.push(set);
    return set;
  };
  /** Waits until the node set has polled its nodes once more. */
  const pollAgain = async (): Promise<void> => {
    await sleeping(clock);
    clock.advance(POLL_MS);
    await sleeping(clock);
  };

  describe('with one node', () => {
    it('a node set with one node sends only the requests of its callers, and no polls', async () => {
      const set = setOf(1);
      expect(await set.call(echo('a'))).toBe('a');
      expect(await set.together([echo('b'), echo('c')])).toEqual(['b', 'c']);
      clock.advance(10 * POLL_MS);
      expect(await set.call(echo('d'))).toBe('d');
      expect(node(0).server.bodies).toHaveLength(3);
      expect(
        node(0)
          .server.calls()
          .map(({ method }) => method),
      ).toEqual(Array(4).fill('echo'));
      expect(clock.sleeping).toBe(0);
    });

    it('a node set reports its node as up while the node responds, and otherwise as down with the cause', async () => {
      const set = setOf(1);
      await set.call(echo('a'));
      expect(set.status()).toMatchObject([{ name: 'n0', up: true, isInUse: true }]);
      node(0).isDown = true;
      expect(await failure(set.call(echo('b')))).toBeInstanceOf(NodeUnavailable);
      expect(set.status()).toMatchObject([{ up: false, score: 0, lastErrorCode: 'ECONNRESET' }]);
      node(0).isDown = false;
      await set.call(echo('c'));
      expect(set.status()).toMatchObject([{ up: true }]);
      expect(log.of('a node does not answer')).toEqual([{ node: 'n0', code: 'ECONNRESET' }]);
    });
  });

  it('a node set reports a node as down after five consecutive failures of single calls', async () => {
    const set = setOf(1);
    await set.call(echo('a'));
    node(0).first = () => ({ error: { code: -32_005, message: 'too many' } });
    for (const value of ['b', 'c', 'd', 'e']) await failure(set.call(echo(value)));
    expect(set.status()).toMatchObject([{ up: true }]);
    await failure(set.call(echo('f')));
    expect(set.status()).toMatchObject([{ up: false }]);
  });

  describe('reading', () => {
    it('a node set reads from the first configured node while all nodes have equal scores', async () => {
      const set = setOf(3);
      await Promise.all([set.call(echo('a')), set.call(echo('b'))]);
      expect(inUse(set)).toBe('n0');
      expect(nodes.map((each) => each.requested('echo'))).toEqual([2, 0, 0]);
    });

    it('reads move to the second node if the first node is unreachable, and stay there', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).isDown = true;
      expect(await set.call(echo('b'))).toBe('b');
      node(0).isDown = false;
      expect(await set.call(echo('c'))).toBe('c');
      expect(inUse(set)).toBe('n1');
      expect(node(1).requested('echo')).toBe(2);
      expect(log.of('reads and sends go to another node')).toEqual([
        { from: 'n0', to: 'n1', code: 'ECONNRESET' },
      ]);
    });

    it('reads move to the second node if the first node does not respond before the read timeout', async () => {
      const set = setOf(2, { readTimeoutMs: 300 });
      await set.call(echo('a'));
      node(0).server.respond = () => {};
      expect(await set.call(echo('b'))).toBe('b');
      expect(statusOf(set, 'n0')).toMatchObject({ up: false, lastErrorCode: 'UPSTREAM_TIMED_OUT' });
    });

    it('T10: a slow shared request does not mark the first node as down', async () => {
      const set = setOf(2, { readTimeoutMs: 300 });
      await set.call(echo('a'));
      const { server } = node(0);
      const ordinary = server.respond;
      server.respond = (response, body, request) => {
        if (!body.includes('slow')) ordinary(response, body, request);
      };
      const read = async (value: string): Promise<string> => set.call(echo(value));
      expect(await Promise.all(['b', 'slow', 'c'].map(read))).toEqual(['b', 'slow', 'c']);
      expect(statusOf(set, 'n0')).toMatchObject({ up: true, isInUse: true, lastErrorCode: null });
      // The read is now sent in a separate request, so its timeout is attributed to the node.
      expect(await read('slow')).toBe('slow');
      expect(statusOf(set, 'n0')).toMatchObject({ up: false, lastErrorCode: 'UPSTREAM_TIMED_OUT' });
    });

    it('sends a group of calls to one node in one request, even after a failover', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).isDown = true;
      const before = node(1).server.bodies.length;
      expect(await set.together([echo('b'), echo('c'), echo('d')])).toEqual(['b', 'c', 'd']);
      expect(node(1).server.bodies).toHaveLength(before + 1);
    });

    it('a read that a node rejects is not repeated on another node', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).first = ({ method }) =>
        method === 'echo' ? { error: { code: 29, message: 'not found' } } : null;
      expect(await failure(set.call(echo('b')))).toBeInstanceOf(NodeRefusedCall);
      node(0).first = ({ method }) =>
        method === 'echo' ? { error: { code: 24, message: 'no block' } } : null;
      expect(await failure(set.call(echo('c')))).toMatchObject({ details: { rpcCode: 24 } });
      expect(node(1).requested('echo')).toBe(0);
      expect(statusOf(set, 'n0')).toMatchObject({ up: true });
    });

    it('a read fails with the last error if no node responds', async () => {
      const set = setOf(2, { readTimeoutMs: 300 });
      await set.call(echo('a'));
      node(0).isDown = true;
      node(1).server.respond = () => {};
      expect(await failure(set.call(echo('b')))).toBeInstanceOf(UpstreamTimedOut);
      node(0).isDown = false;
      expect(await set.call(echo('c'))).toBe('c');
      expect(statusOf(set, 'n0')).toMatchObject({ up: true });
    });

    it('a read fails with the first node’s error if this node rejects the read and no other node responds', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(1).isDown = true;
      node(0).first = ({ params }) =>
        params['value'] === 'b' ? { error: { code: -32_603, message: 'Internal error' } } : null;
      const [unread, read] = await Promise.allSettled([set.call(echo('b')), set.call(echo('c'))]);
      expect(unread).toMatchObject({ reason: { details: { rpcCode: -32_603 } } });
      expect(read).toMatchObject({ value: 'c' });
    });

    it('moves reads to another node only after several failures of single calls', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).first = ({ method }) =>
        method === 'echo' ? { error: { code: -32_005, message: 'too many' } } : null;
      expect(await set.call(echo('b'))).toBe('b');
      expect(inUse(set)).toBe('n0');
      for (const value of ['c', 'd', 'e', 'f']) expect(await set.call(echo(value))).toBe(value);
      expect(inUse(set)).toBe('n1');
      expect(statusOf(set, 'n0')).toMatchObject({ up: true, lastErrorCode: 'RPC_-32005' });
    });
  });

  describe('a node of another chain', () => {
    it('a node set never reads from a node of another chain, even if this node is the first node', async () => {
      node(0).chainId = toFelt('0xbad');
      const set = setOf(2);
      expect(await set.call(echo('a'))).toBe('a');
      await pollAgain();
      node(1).isDown = true;
      expect(await failure(set.call(echo('b')))).toBeInstanceOf(NodeUnavailable);
      expect(node(0).requested('echo')).toBe(0);
      expect(statusOf(set, 'n0')).toMatchObject({ up: false, score: 0, chainOk: false });
      expect(log.of('a node serves another chain: it is not used')).toEqual([{ node: 'n0' }]);
    });

    it('a node set reads from a node of another chain only if the set has no other node', async () => {
      node(0).chainId = toFelt('0xbad');
      node(1).chainId = toFelt('0xbad');
      expect(await setOf(2).call(echo('a'))).toBe('a');
    });
  });

  describe('polling', () => {
    it('a node is marked as up after two consecutive successful polls', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).isDown = true;
      await set.call(echo('b'));
      node(0).isDown = false;
      await pollAgain();
      expect(statusOf(set, 'n0')).toMatchObject({ up: false });
      await pollAgain();
      expect(statusOf(set, 'n0')).toMatchObject({ up: true });
      await set.call(echo('c'));
      expect(inUse(set)).toBe('n1');
    });

    it('a node that often fails between successful polls remains marked as down', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).isDown = true;
      await set.call(echo('b'));
      for (let round = 0; round < 3; round += 1) {
        node(0).isDown = round % 2 === 1;
        await pollAgain();
        expect(statusOf(set, 'n0')).toMatchObject({ up: false });
      }
    });

    it('reads move to another node if the first node is behind by more than the allowed lag', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(1).head = 103;
      await pollAgain();
      expect(inUse(set)).toBe('n0');
      node(1).head = 104;
      await pollAgain();
      expect(inUse(set)).toBe('n1');
      expect(statusOf(set, 'n0')).toMatchObject({ disagreements: ['head'], headBlock: 100 });
    });

    it('logs the start and the end of each disagreement between nodes once', async () => {
      const set = setOf(3);
      await set.call(echo('a'));
      node(2).head = 90;
      await pollAgain();
      await pollAgain();
      expect(statusOf(set, 'n2')).toMatchObject({
        disagreements: ['head'],
        disagreementsBegun: { head: 1, block: 0, nonce: 0 },
      });
      node(2).head = 100;
      await pollAgain();
      expect(statusOf(set, 'n2')).toMatchObject({ disagreements: [] });
      expect(log.of('a node disagrees with the others')).toEqual([
        { node: 'n2', what: 'head', headBlock: 90 },
      ]);
      expect(log.of('a node agrees with the others again')).toHaveLength(1);
    });

    it('detects that nodes have different blocks at the same height', async () => {
      const set = setOf(3);
      await set.call(echo('a'));
      node(1).forkedAbove = 98;
      node(2).nonce = 9n;
      await pollAgain();
      expect(set.status().map(({ disagreements }) => disagreements)).toEqual([
        [],
        ['block'],
        ['nonce'],
      ]);
    });

    it('reads move to another node only if at least two nodes contradict the first node', async () => {
      const three = setOf(3);
      await three.call(echo('a'));
      node(0).forkedAbove = 98;
      await pollAgain();
      expect(inUse(three)).not.toBe('n0');
      const two = setOf(2);
      await two.call(echo('b'));
      expect(inUse(two)).toBe('n0');
      expect(two.status().map(({ disagreements }) => disagreements)).toEqual([[], ['block']]);
    });
  });

  describe('sending', () => {
    const BYTES = Buffer.from('{"nonce":"0x1"}');
    const SEND = 'starknet_addInvokeTransaction';
    const send = (broadcaster: StarknetBroadcaster, name: string) => broadcaster.send(BYTES, name);

    it('a transaction is sent to another working node if the send to the first node fails', async () => {
      const set = setOf(3);
      const broadcaster = new StarknetBroadcaster(set);
      await set.call(echo('a'));
      expect(broadcaster.nodeFor(null)).toBe('n0');
      expect(broadcaster.nodeFor('n1')).toBe('n0');
      expect(broadcaster.nodeFor('n0')).not.toBe('n0');
      node(1).isDown = true;
      node(2).isDown = true;
      await pollAgain();
      expect(broadcaster.nodeFor('n0')).toBe('n0');
    });

    it('a send to a specified node causes exactly one request, regardless of its outcome', async () => {
      const set = setOf(2);
      const broadcaster = new StarknetBroadcaster(set);
      await set.call(echo('a'));
      expect(await send(broadcaster, 'n1')).toEqual({ kind: 'taken' });
      expect(nodes.map((each) => each.requested(SEND))).toEqual([0, 1, 0]);
      node(0).isDown = true;
      expect(await send(broadcaster, 'n0')).toMatchObject({ kind: 'unclear' });
      expect(nodes.map((each) => each.requested(SEND))).toEqual([1, 1, 0]);
    });

    it('a send to a specified node sends nothing if this node is no longer configured', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      expect(await send(new StarknetBroadcaster(set), 'gone')).toEqual({
        kind: 'unclear',
        code: 'NODE_NOT_CONFIGURED',
      });
      expect(nodes.map((each) => each.requested(SEND))).toEqual([0, 0, 0]);
    });
  });

  describe('statuses of sent transactions', () => {
    const HASH = toFelt('0xabc');
    const statusAt = async (set: NodeSet, name: string) => {
      const reader = new StarknetChainReader(set, { otherNode: (other) => set.other(other) });
      return (await reader.transactionStatuses([HASH], new Map([[HASH, name]])))[0]?.kind;
    };

    it('reads the status of a transaction from the node that received the transaction', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(1).first = status('RECEIVED');
      expect(await statusAt(set, 'n1')).toBe('waiting');
      expect(await statusAt(set, 'n0')).toBe('unknown');
    });

    it('the status of a transaction is also read from the node that serves reads', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(0).first = status('RECEIVED');
      expect(await statusAt(set, 'n1')).toBe('waiting');
    });

    it('the status of a transaction is unknown if the node that received it is down or does not respond', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      node(1).isDown = true;
      expect(await statusAt(set, 'n1')).toBe('unknown');
      const requested = node(1).server.bodies.length;
      expect(await statusAt(set, 'n1')).toBe('unknown');
      expect(node(1).server.bodies).toHaveLength(requested);
    });

    it('the status of a transaction is pre-confirmed if only the node that received it has a receipt', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      const accepted = {
        transaction_hash: HASH,
        finality_status: 'ACCEPTED_ON_L2',
        execution_status: 'SUCCEEDED',
        actual_fee: { amount: '0x1', unit: 'FRI' },
        block_number: 99,
        block_hash: '0xb99',
      };
      node(1).first = (request) =>
        request.method === 'starknet_getTransactionReceipt'
          ? { result: accepted }
          : status('ACCEPTED_ON_L2')(request);
      expect(await statusAt(set, 'n1')).toBe('pre_confirmed');
      node(0).first = node(1).first;
      expect(await statusAt(set, 'n1')).toBe('accepted');
    });

    it.each([
      ['behind', (one: ScriptedNode) => void (one.head = 50)],
      ['on a fork that the others have left', (one: ScriptedNode) => void (one.forkedAbove = 90)],
    ])(
      'the status of a transaction is not read from the node that received it if this node is %s',
      async (_what, spoil) => {
        spoil(node(2));
        const set = setOf(3);
        await set.call(echo('a'));
        expect([set.other('n1')?.constructor.name, set.other('n2')]).toEqual(['WatchedNode', null]);
      },
    );

    it('the status of a transaction is unknown if the node that received it is no longer configured', async () => {
      const set = setOf(3);
      await set.call(echo('a'));
      expect(set.other('gone')).toBeNull();
      expect(await statusAt(set, 'gone')).toBe('unknown');
      expect(nodes.map((each) => each.requested('starknet_getTransactionStatus'))).toEqual([
        1, 0, 0,
      ]);
    });

    it('only one status query is sent if the node that received the transaction also serves reads', async () => {
      const set = setOf(2);
      await set.call(echo('a'));
      await statusAt(set, 'n0');
      expect(nodes.map((each) => each.requested('starknet_getTransactionStatus'))).toEqual([
        1, 0, 0,
      ]);
    });
  });

  it('blocks are confirmed by the responses of a single node', async () => {
    const set = setOf(2);
    await set.call(echo('a'));
    node(1).forkedAbove = 90;
    const reader = new StarknetChainReader(set);
    const first = { number: 100, hash: node(0).hashOf(100) };
    // The first node fails in the middle of the batch, so all reads of the batch are repeated on
    // the next node.
    node(1).first = noL1;
    node(0).first = (request) =>
      JSON.stringify(request.params).includes('"block_number":95')
        ? { result: 'nonsense' }
        : noL1(request);
    const evidence = await reader.confirm(first, [80, 95]);
    expect(evidence.blocks).toEqual(
      new Map([80, 95, 100].map((height) => [height, node(1).hashOf(height)])),
    );
    expect(isValid(evidence)).toBe(false);
    node(0).first = noL1;
    expect(isValid(await reader.confirm(first, [80, 95]))).toBe(true);
  });

  it('T4: a node set returns its working nodes, or all nodes while no node works', async () => {
    const set = setOf(3);
    await set.call(echo('a'));
    node(0).isDown = true;
    await set.call(echo('b'));
    const before = nodes.map((each) => each.requested('echo'));
    await Promise.all(set.working().map(async (each) => each.call(echo('c'))));
    expect(nodes.map((each, index) => each.requested('echo') - (before[index] ?? 0))).toEqual([
      0, 1, 1,
    ]);
    node(1).isDown = true;
    node(2).isDown = true;
    await expect(set.call(echo('d'))).rejects.toBeInstanceOf(DomainError);
    expect(set.working()).toHaveLength(3);
  });

  it('status and log messages never reveal a node’s address', async () => {
    const set = setOf(2);
    await set.call(echo('a'));
    node(0).isDown = true;
    await set.call(echo('b'));
    const shown = JSON.stringify([set.status(), log.lines]);
    expect(shown).not.toContain('127.0.0.1');
  });
});

/** Resolves when the current poll has ended and the next poll waits for its interval. */
async function sleeping(clock: ManualClock): Promise<void> {
  while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
