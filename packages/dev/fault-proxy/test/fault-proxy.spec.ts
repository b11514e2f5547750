import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startFaultProxy, type Fault, type FaultProxy } from '../src/index.js';
import { ScriptedNode } from './support/scripted-node.js';

let node: ScriptedNode;
let proxy: FaultProxy;
beforeEach(async () => {
  node = await ScriptedNode.start();
  proxy = await startFaultProxy({ target: node.url });
});
afterEach(async () => {
  await proxy.stop();
  await node.stop();
});

const SEND = 'starknet_addInvokeTransaction';
const call = (method: string, params: unknown = [], id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const post = (
  body: unknown,
  url = proxy.url,
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
const query = async (body: unknown): Promise<unknown> => (await post(body)).json();
const result = async (method: string, params: unknown = []): Promise<unknown> =>
  Object(await query(call(method, params))).result;
const delivered = async (): Promise<void> => {
  while (node.bodies.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
};
const received = async (): Promise<void> => {
  while (proxy.counters().httpRequests === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
};
const order = (fault: Fault, method = '*', times: number | 'always' = 1): void =>
  proxy.addFault({ method, fault, times });

describe('without a fault', () => {
  it('the fault proxy forwards requests and responses unchanged if no fault is set', async () => {
    const odd = '{ "jsonrpc":"2.0","id":"x", "method":"starknet_call","params":{"n":1e3} }';
    node.respond = (response) => response.writeHead(418, { 'x-node': 'yes' }).end('no JSON at all');
    for (let index = 0; index < 3; index += 1) {
      const answer = await fetch(`${proxy.url}/below?key=1`, {
        method: 'POST',
        headers: { 'x-api-key': 'k' },
        body: odd,
      });
      expect([answer.status, answer.headers.get('x-node'), await answer.text()]).toEqual([
        418,
        'yes',
        'no JSON at all',
      ]);
    }
    expect(node.requests.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual(
      [1, 2, 3].map(() => ['/below?key=1', 'k']),
    );
    expect(node.connections).toBe(1);
  });

  it('the fault proxy appends the path of a request to the path of its target URL', async () => {
    const deeper = await startFaultProxy({ target: `${node.url}/rpc/v0_10` });
    try {
      await post(call('starknet_chainId'), deeper.url);
      await post(call('starknet_chainId'), `${deeper.url}/more`);
      expect(node.requests.map(({ url }) => url)).toEqual(['/rpc/v0_10', '/rpc/v0_10/more']);
    } finally {
      await deeper.stop();
    }
  });

  it('the fault proxy forwards bodies that are not JSON-RPC, even if a fault is queued', async () => {
    order({ kind: 'drop-before' });
    node.respond = (response) => response.end('fine');
    expect(await (await fetch(`${proxy.url}/is_alive`)).text()).toBe('fine');
    expect(await (await post(['what', 7])).text()).toBe('fine');
    expect(proxy.counters()).toMatchObject({ httpRequests: 0, struck: {} });
  });

  it('the fault proxy returns 502 with the error if its target is unreachable', async () => {
    await node.stop();
    const answer = await post(call('starknet_chainId'));
    expect([answer.status, await answer.text()]).toEqual([
      502,
      expect.stringMatching(/^fault proxy: .*ECONNREFUSED/),
    ]);
    node = await ScriptedNode.start();
  });
});

describe('a fault', () => {
  it('the fault proxy applies the oldest fault first, and only to this fault’s RPC method', async () => {
    order({ kind: 'refuse', code: 63, message: 'first', data: 'why' }, SEND, 2);
    order({ kind: 'refuse', code: 24 }, SEND);
    expect(await result('starknet_chainId')).toBe('0x534e5f5345504f4c4941');
    const heard = [];
    for (let index = 0; index < 4; index += 1) heard.push(await query(call(SEND)));
    expect(heard).toMatchObject([
      { id: 1, error: { code: 63, message: 'first', data: 'why' } },
      { error: { code: 63 } },
      { error: { code: 24 } },
      { result: { transaction_hash: '0xabc' } },
    ]);
  });

  it('a fault with times `always` applies until the faults are cleared', async () => {
    order({ kind: 'refuse', code: 1 }, '*', 'always');
    for (let index = 0; index < 3; index += 1)
      expect(await query(call('starknet_chainId'))).toMatchObject({ error: { code: 1 } });
    proxy.clearFaults();
    expect(await result('starknet_chainId')).toBe('0x534e5f5345504f4c4941');
  });

  it('a refusal applies only to the matching call of a JSON-RPC batch', async () => {
    const batch = [
      call('starknet_chainId', [], 1),
      call('starknet_getNonce', [], 2),
      call('starknet_chainId', [], 3),
    ];
    order({ kind: 'refuse', code: 20 }, 'starknet_getNonce');
    expect(await query(batch)).toMatchObject([
      { id: 1, result: '0x534e5f5345504f4c4941' },
      { id: 2, error: { code: 20 } },
      { id: 3, result: '0x534e5f5345504f4c4941' },
    ]);
    expect(node.bodies).toEqual([[batch[0], batch[2]]]);
    order({ kind: 'html' }, 'starknet_getNonce');
    expect((await post(batch)).status).toBe(502);
  });

  it('a fault with a felt applies only to calls that contain this felt, in any notation', async () => {
    proxy.addFault({
      method: '*',
      naming: '0xA1',
      fault: { kind: 'refuse', code: -32_603 },
      times: 'always',
    });
    const batch = [
      call('starknet_getNonce', { block_id: 'latest', contract_address: '0x00a1' }, 1),
      call('starknet_getNonce', { block_id: 'latest', contract_address: '0xa2' }, 2),
      call('starknet_call', [{ contract_address: '0x1', calldata: ['0xa1'] }, 'latest'], 3),
      call('starknet_chainId', [], 4),
    ];
    const replies = await query(batch);
    expect(replies).toMatchObject([
      { error: { code: -32_603 } },
      { id: 2 },
      { error: { code: -32_603 } },
      { id: 4 },
    ]);
    expect(node.bodies).toEqual([[batch[1], batch[3]]]);
    proxy.clearFaults();
    expect(await query(batch[0])).not.toHaveProperty('error');
    proxy.addFault({
      method: '*',
      naming: ['0xa1', '0x1'],
      fault: { kind: 'refuse', code: -32_603 },
      times: 'always',
    });
    expect(await query(batch.slice(0, 3))).toMatchObject([
      { id: 1 },
      { id: 2 },
      { error: { code: -32_603 } },
    ]);
  });

  it('the fault proxy rejects the order of a fault if the order is invalid', () => {
    // @ts-expect-error: what callers without types may write
    expect(() => proxy.addFault({ method: '*', fault: { kind: 'explode' } })).toThrow(
      'Invalid discriminator',
    );
    expect(() => proxy.addFault({ method: '*', fault: { kind: 'html' }, times: 0 })).toThrow(
      'Too small',
    );
  });

  it('`drop-before` breaks the connection before the request is delivered', async () => {
    order({ kind: 'drop-before' });
    await expect(post(call(SEND))).rejects.toThrow('fetch failed');
    expect(node.bodies).toEqual([]);
    expect(proxy.counters()).toMatchObject({
      calls: { [SEND]: 1 },
      delivered: {},
      takenTransactions: {},
      struck: { 'drop-before': 1 },
    });
  });

  it('`accept-and-drop-answer` delivers the request and breaks the connection before the response', async () => {
    order({ kind: 'accept-and-drop-answer' });
    await expect(post(call(SEND))).rejects.toThrow('fetch failed');
    expect(node.bodies).toHaveLength(1);
    expect(proxy.counters()).toMatchObject({
      delivered: { [SEND]: 1 },
      takenTransactions: { '0xabc': 1 },
    });
  });

  it('`accept-and-hang` delivers the request and never responds', async () => {
    order({ kind: 'accept-and-hang' });
    const patience = new AbortController();
    const heard = post(call(SEND), proxy.url, patience.signal);
    await delivered();
    // A second request receives its response while the first request still waits.
    expect(await result('starknet_chainId')).toBe('0x534e5f5345504f4c4941');
    patience.abort(new Error('no patience'));
    await expect(heard).rejects.toThrow('no patience');
  });

  it('`cut-answer` breaks the connection in the middle of a response', async () => {
    order({ kind: 'cut-answer' });
    const answer = await post(call('starknet_chainId'));
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
    expect(node.bodies).toHaveLength(1);
  });

  it('`answer-late` delivers the request immediately and delays the response', async () => {
    order({ kind: 'answer-late', delayMs: 300 });
    let isAnswered = false;
    const heard = post(call('starknet_chainId')).then(() => (isAnswered = true));
    await delivered();
    expect(isAnswered).toBe(false);
    expect(await heard).toBe(true);
  });

  it('`arrive-late` delays the delivery of the request to the node', async () => {
    order({ kind: 'arrive-late', delayMs: 300 });
    const heard = result('starknet_chainId');
    await received();
    expect(node.bodies).toEqual([]);
    expect(await heard).toBe('0x534e5f5345504f4c4941');
  });

  it('`arrive-late` delivers the request after the delay even if the client has disconnected', async () => {
    order({ kind: 'arrive-late', delayMs: 300 });
    const patience = new AbortController();
    const heard = post(call(SEND), proxy.url, patience.signal);
    await received();
    patience.abort(new Error('no patience'));
    await expect(heard).rejects.toThrow('no patience');
    await delivered();
    expect(node.bodies).toEqual([call(SEND)]);
  });

  it('a stopped proxy does not deliver a delayed request', async () => {
    const short = await startFaultProxy({ target: node.url });
    short.addFault({ method: '*', fault: { kind: 'arrive-late', delayMs: 300 } });
    const heard = post(call(SEND), short.url).catch(() => 'no answer');
    while (short.counters().httpRequests === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await short.stop();
    expect(await heard).toBe('no answer');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([node.bodies, short.counters().delivered]).toEqual([[], {}]);
  });

  it('the faults for HTML pages and HTTP 429 respond without delivering the request', async () => {
    const heard = [];
    order({ kind: 'html' });
    order({ kind: 'html', status: 200 });
    order({ kind: 'rate-limited' });
    order({ kind: 'rate-limited', retryAfterSeconds: 7 });
    for (let index = 0; index < 4; index += 1) {
      const { status, headers } = await post(call(SEND));
      heard.push([status, headers.get('content-type'), headers.get('retry-after')]);
    }
    expect(heard).toEqual([
      [502, 'text/html', null],
      [200, 'text/html', null],
      [429, 'application/json', null],
      [429, 'application/json', '7'],
    ]);
    expect(node.bodies).toEqual([]);
  });
});

describe('a fault of the content', () => {
  it('`wrong-chain-id` returns the given chain id once', async () => {
    order({ kind: 'wrong-chain-id', chainId: '0x534e5f4d41494e' });
    expect(await result('starknet_blockNumber')).toBe(10);
    expect(await result('starknet_chainId')).toBe('0x534e5f4d41494e');
    expect(await result('starknet_chainId')).toBe('0x534e5f5345504f4c4941');
  });

  it('`old-nonce` returns a nonce that is lower than the real nonce by the given number', async () => {
    order({ kind: 'old-nonce' });
    order({ kind: 'old-nonce', behind: 9 });
    expect([
      await result('starknet_getNonce'),
      await result('starknet_getNonce'),
      await result('starknet_getNonce'),
    ]).toEqual(['0x4', '0x0', '0x5']);
  });

  it('a fault that changes results does not change an RPC error', async () => {
    node.answer = () => ({ error: { code: 20, message: 'Contract not found' } });
    order({ kind: 'old-nonce' });
    expect(await query(call('starknet_getNonce'))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 20, message: 'Contract not found' },
    });
  });

  it.each([
    ['starknet_getNonce', ['latest', '0x1'], [{ block_number: 7 }, '0x1']],
    [
      'starknet_call',
      { request: { calldata: [] }, block_id: 'pre_confirmed' },
      { request: { calldata: [] }, block_id: { block_number: 7 } },
    ],
    ['starknet_call', [{ calldata: [] }, 'latest'], [{ calldata: [] }, { block_number: 7 }]],
    ['starknet_getNonce', ['pre_confirmed', '0x1'], [{ block_number: 7 }, '0x1']],
    [
      'starknet_getEvents',
      [{ from_block: { block_number: 1 }, to_block: 'latest' }],
      [{ from_block: { block_number: 1 }, to_block: { block_number: 7 } }],
    ],
    [
      'starknet_getEvents',
      { filter: { to_block: 'latest' } },
      { filter: { to_block: { block_number: 7 } } },
    ],
    ['starknet_getBlockWithTxs', ['l1_accepted'], ['l1_accepted']],
    ['starknet_getTransactionStatus', ['0xabc'], ['0xabc']],
  ])(
    '`stale` executes %s with parameters %j at an older block',
    async (method, params, requested) => {
      order({ kind: 'stale', blocksBehind: 3 }, method);
      await query(call(method, params));
      expect(node.bodies.at(-1)).toEqual(call(method, requested));
    },
  );

  it('`stale` returns an older block when the newest block is requested', async () => {
    order({ kind: 'stale', blocksBehind: 3 }, '*', 2);
    expect(await result(SEND)).toEqual({ transaction_hash: '0xabc' });
    expect(await query([call('starknet_blockNumber', [], 4)])).toEqual([
      { jsonrpc: '2.0', id: 4, result: 7 },
    ]);
    expect(await result('starknet_blockHashAndNumber')).toEqual({
      block_hash: '0x77',
      block_number: 7,
    });
  });

  it.each(['first', 'second'] as const)(
    '`deliver-twice` delivers a transaction twice and returns the %s reply of the node',
    async (answer) => {
      let times = 0;
      node.answer = () => {
        times += 1;
        return times === 1
          ? { result: { transaction_hash: '0xabc' } }
          : { error: { code: 59, message: 'already there' } };
      };
      order({ kind: 'deliver-twice', answer });
      const heard = Object(
        await query({ ...call(SEND, { invoke_transaction: { nonce: '0x1' } }), id: 'mine' }),
      );
      expect(heard.id).toBe('mine');
      expect('error' in heard).toBe(answer === 'second');
      expect(node.bodies).toMatchObject([
        { method: SEND, params: { invoke_transaction: { nonce: '0x1' } } },
        { method: SEND, params: { invoke_transaction: { nonce: '0x1' } } },
      ]);
      expect(proxy.counters()).toMatchObject({
        calls: { [SEND]: 1 },
        delivered: { [SEND]: 2 },
        takenTransactions: { '0xabc': 1 },
      });
    },
  );
});

describe('control over HTTP', () => {
  it('the control interface over HTTP supports every method', async () => {
    const act = (body: unknown): Promise<Response> => post(body, proxy.controlUrl);
    expect(
      await (
        await act({
          action: 'addFault',
          method: SEND,
          fault: { kind: 'html', status: 503 },
          times: 'always',
        })
      ).json(),
    ).toEqual({
      result: null,
    });
    expect((await post(call(SEND))).status).toBe(503);
    expect(await (await act({ action: 'counters' })).json()).toMatchObject({
      result: { httpRequests: 1, struck: { html: 1 } },
    });
    await act({ action: 'clearFaults' });
    expect((await post(call(SEND))).status).toBe(200);
    await act({ action: 'resetCounters' });
    expect(proxy.counters()).toEqual({
      httpRequests: 0,
      calls: {},
      delivered: {},
      takenTransactions: {},
      struck: {},
    });
  });

  it('the control interface over HTTP returns 400 with the error if the order of a fault is invalid', async () => {
    for (const body of [
      { action: 'addFault', method: '*', fault: { kind: 'late' } },
      { action: 'dance' },
      { action: 'clearFaults', more: 1 },
    ]) {
      const answer = await post(body, proxy.controlUrl);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: expect.stringContaining('✖') });
    }
    const nonsense = await fetch(proxy.controlUrl, { method: 'POST', body: '{' });
    expect([nonsense.status, await nonsense.json()]).toEqual([
      400,
      { error: 'the body is no JSON' },
    ]);
  });
});
