import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '../../src/index.js';
import { startHarness, type Harness } from '../support/harness.js';
import { postJson } from '../support/rpc.js';
import { ALICE, COUNTER_1 } from '../support/world.js';
import { wireInvoke } from '../support/wire-invoke.js';

const ADD = 'starknet_addInvokeTransaction';
const { hash, body } = wireInvoke({
  account: ALICE,
  calls: [{ to: COUNTER_1, entrypoint: 'increase' }],
});
const add = { jsonrpc: '2.0', id: 1, method: ADD, params: [body] };
const query = { jsonrpc: '2.0', id: 2, method: 'starknet_blockNumber', params: [] };

describe('injected faults', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  const order = (fault: Fault, method = ADD): void => {
    node.control.addFault({ method, fault });
  };
  const isWaiting = (): boolean => node.control.waiting().length === 1;

  it('`drop-before` breaks the connection without executing the request', async () => {
    order({ kind: 'drop-before' });
    await expect(postJson(node.url, add)).rejects.toThrow('fetch failed');
    expect(isWaiting()).toBe(false);
    expect((await postJson(node.url, add)).status).toBe(200);
  });

  it('`accept-and-drop-answer` executes the request and drops the response', async () => {
    order({ kind: 'accept-and-drop-answer' });
    await expect(postJson(node.url, add)).rejects.toThrow('fetch failed');
    expect(isWaiting()).toBe(true);
    expect(await node.error(ADD, [body])).toMatchObject({ code: 59 });
  });

  it('`answer-late` executes the request immediately and delays the response', async () => {
    order({ kind: 'answer-late', delayMs: 150 });
    const started = Date.now();
    const answer = postJson(node.url, add);
    // The response to this second request arrives first. The delayed request has already added its
    // transaction.
    await node.result('starknet_chainId');
    expect(isWaiting()).toBe(true);
    expect(await (await answer).json()).toMatchObject({ result: { transaction_hash: hash } });
    expect(Date.now() - started).toBeGreaterThanOrEqual(140);
  });

  it('`arrive-late` executes the request after the delay', async () => {
    order({ kind: 'arrive-late', delayMs: 150 });
    const answer = postJson(node.url, add);
    await node.result('starknet_chainId');
    expect(isWaiting()).toBe(false);
    expect(await (await answer).json()).toMatchObject({ result: { transaction_hash: hash } });
    expect(isWaiting()).toBe(true);
  });

  it('`refuse` returns any error code, with the specification’s message or a given message', async () => {
    order({ kind: 'refuse', code: 53 });
    expect(await node.error(ADD, [body])).toEqual({
      code: 53,
      message: "The transaction's resources don't cover validation or the minimal transaction fee",
    });
    order({ kind: 'refuse', code: 63, data: 'StarknetErrorCode.GAS_PRICE_TOO_LOW: too low' });
    expect(await node.error(ADD, [body])).toEqual({
      code: 63,
      message: 'An unexpected error occurred',
      data: 'StarknetErrorCode.GAS_PRICE_TOO_LOW: too low',
    });
    order({ kind: 'refuse', code: -32099, message: 'gone fishing' });
    expect(await node.error(ADD, [body])).toEqual({ code: -32099, message: 'gone fishing' });
    expect(isWaiting()).toBe(false);
  });

  it('`refuse` rejects only one call of a batch', async () => {
    order({ kind: 'refuse', code: 55, data: 'no' });
    const replies = await (await postJson(node.url, [query, add])).json();
    expect(replies).toEqual([
      { jsonrpc: '2.0', id: 2, result: 0 },
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: 55, message: 'Account validation failed', data: 'no' },
      },
    ]);
  });

  it('`html` returns status 502 with an HTML page', async () => {
    order({ kind: 'html' });
    const response = await postJson(node.url, add);
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toContain('<html>');
    expect(isWaiting()).toBe(false);
  });

  it('`rate-limited` returns status 429, with or without Retry-After', async () => {
    order({ kind: 'rate-limited' });
    order({ kind: 'rate-limited', retryAfterSeconds: 7 });
    const [first, second] = [await postJson(node.url, add), await postJson(node.url, add)];
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, null]);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '7']);
    expect(isWaiting()).toBe(false);
  });

  it('injected faults apply in the order in which they were added', async () => {
    node.control.addFault({ method: ADD, fault: { kind: 'refuse', code: 1 }, times: 2 });
    node.control.addFault({ method: ADD, fault: { kind: 'refuse', code: 2 } });
    expect(await node.result('starknet_blockNumber')).toBe(0);
    const codes = [];
    for (let index = 0; index < 3; index += 1) codes.push((await node.error(ADD, [body]))?.code);
    expect(codes).toEqual([1, 1, 2]);
    expect(await node.result(ADD, [body])).toEqual({ transaction_hash: hash });
  });

  it('an injected fault for `*` applies to any method until the faults are cleared', async () => {
    order({ kind: 'refuse', code: 1 }, '*');
    order({ kind: 'refuse', code: 1 }, '*');
    expect(await node.error('starknet_chainId')).toMatchObject({ code: 1 });
    node.control.clearFaults();
    expect(await node.result('starknet_chainId')).toBe('0x534e5f54455354');
  });

  it('the sandbox counts requests, calls and deliveries, including those with faults', async () => {
    order({ kind: 'drop-before' });
    order({ kind: 'refuse', code: 63 });
    await expect(postJson(node.url, add)).rejects.toThrow('fetch failed');
    await node.error(ADD, [body]);
    await node.result(ADD, [body]);
    await postJson(node.url, [
      query,
      query,
      { ...add, params: { invoke_transaction: { ...body, nonce: 'broken' } } },
    ]);
    expect(node.control.counters()).toEqual({
      httpRequests: 4,
      calls: { [ADD]: 4, starknet_blockNumber: 2 },
      httpRequestsByMethod: { [ADD]: 4, starknet_blockNumber: 1 },
      httpRequestsByContent: { [ADD]: 3, [`${ADD} + starknet_blockNumber`]: 1 },
      deliveries: { [hash]: 3 },
    });
    node.control.resetCounters();
    expect(node.control.counters()).toEqual({
      httpRequests: 0,
      calls: {},
      httpRequestsByMethod: {},
      httpRequestsByContent: {},
      deliveries: {},
    });
  });
});
