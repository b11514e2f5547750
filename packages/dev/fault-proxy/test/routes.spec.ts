import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startFaultProxy, type FaultProxy, type Route } from '../src/index.js';
import { ScriptedNode } from './support/scripted-node.js';

const call = (method: string): object => ({ jsonrpc: '2.0', id: 1, method });

describe('a proxy before two replicas', () => {
  let nodes: readonly [ScriptedNode, ScriptedNode];
  let proxy: FaultProxy;
  beforeEach(async () => {
    nodes = [await ScriptedNode.start(), await ScriptedNode.start()];
    for (const [index, node] of nodes.entries()) node.answer = () => ({ result: index });
    const [first, second] = nodes;
    proxy = await startFaultProxy({ target: first.url });
    proxy.addReplica(second.url);
  });
  afterEach(async () => {
    await proxy.stop();
    for (const node of nodes) await node.stop();
  });

  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${proxy.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const answeredBy = async (method = 'starknet_chainId'): Promise<unknown> =>
    Object(await post('/', call(method))).result;
  const inTurn = async (count: number): Promise<readonly unknown[]> => {
    const answers: unknown[] = [];
    for (let index = 0; index < count; index += 1) answers.push(await answeredBy());
    return answers;
  };

  it('the fault proxy sends all requests to the first replica until a route is set', async () => {
    expect(await inTurn(3)).toEqual([0, 0, 0]);
    proxy.route({ kind: 'fixed', target: 1 });
    expect(await inTurn(2)).toEqual([1, 1]);
  });

  it('the route `alternate` alternates between the replicas, and sends a whole batch to one replica', async () => {
    proxy.route({ kind: 'alternate' });
    expect(await inTurn(3)).toEqual([0, 1, 0]);
    const batch = ['starknet_chainId', 'starknet_blockNumber'].map(call);
    expect(await post('/', batch)).toMatchObject([{ result: 1 }, { result: 1 }]);
    expect(await answeredBy()).toBe(0);
  });

  it('the route `random` selects replicas in the same sequence for the same seed', async () => {
    const route: Route = { kind: 'random', seed: 7 };
    proxy.route(route);
    const first = await inTurn(12);
    expect(new Set(first)).toEqual(new Set([0, 1]));
    proxy.route(route);
    expect(await inTurn(12)).toEqual(first);
    proxy.route({ ...route, seed: 8 });
    expect(await inTurn(12)).not.toEqual(first);
  });

  it('the route `by-method` selects the replica by the RPC methods of a request', async () => {
    const method = ['starknet_getNonce', 'starknet_call'];
    proxy.route({ kind: 'by-method', method, target: 1, otherwise: 0 });
    expect([await answeredBy('starknet_getNonce'), await answeredBy()]).toEqual([1, 0]);
  });

  it('the control interface adds replicas and sets routes over HTTP, and rejects an unknown target', async () => {
    const [first] = nodes;
    const added = { action: 'addReplica', target: first.url };
    expect(await post('/control', added)).toEqual({ result: 2 });
    const order = { action: 'route', route: { kind: 'fixed', target: 1 } };
    expect(await post('/control', order)).toEqual({ result: null });
    expect(await answeredBy()).toBe(1);
    const wrong = { action: 'route', route: { kind: 'fixed', target: 3 } };
    expect(await post('/control', wrong)).toEqual({ error: 'there is no target 3' });
    expect(await answeredBy()).toBe(1);
  });

  it('a fault that replaces a result also applies to the replica that the route selects', async () => {
    proxy.addFault({
      method: 'starknet_getNonce',
      fault: { kind: 'answer', result: ['no', 'nonce'] },
    });
    expect(await answeredBy('starknet_getNonce')).toEqual(['no', 'nonce']);
    expect(await answeredBy('starknet_getNonce')).toBe(0);
  });
});
