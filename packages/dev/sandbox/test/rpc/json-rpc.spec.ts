import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../support/harness.js';
import { postJson } from '../support/rpc.js';

const version = { jsonrpc: '2.0', id: 1, method: 'starknet_specVersion' };

const padded = (bytes: number): string => JSON.stringify(version).padEnd(bytes, ' ');

describe('JSON-RPC over HTTP', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  const post = async (body: unknown, path = '/'): Promise<unknown> =>
    (await postJson(`${node.url}${path}`, body)).json();

  it('the sandbox serves JSON-RPC on / and /rpc, and each reply has the request’s id', async () => {
    for (const path of ['/', '/rpc']) {
      for (const id of [0, 'a', null])
        expect(await post({ ...version, id }, path)).toEqual({
          jsonrpc: '2.0',
          id,
          result: '0.10.2',
        });
    }
  });

  it('a failed call of a JSON-RPC batch does not affect the other calls of the batch', async () => {
    const batch = [
      version,
      { ...version, id: 'x', method: 'starknet_nothing' },
      { id: 3 },
      { ...version, id: 4, method: 'starknet_blockNumber' },
    ];
    expect(await post(batch)).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0.10.2' },
      { jsonrpc: '2.0', id: 'x', error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } },
      { jsonrpc: '2.0', id: 4, result: 0 },
    ]);
  });

  it('the sandbox returns the JSON-RPC error code of a malformed body', async () => {
    expect(await post('{"jsonrpc":')).toMatchObject({ id: null, error: { code: -32700 } });
    for (const body of [
      '[]',
      '1',
      '"text"',
      'null',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"m"}',
      '{"jsonrpc":"2.0","id":1,"method":"m","params":7}',
    ]) {
      expect(await post(body)).toMatchObject({ id: null, error: { code: -32600 } });
    }
  });

  it('the sandbox sends no reply to JSON-RPC notifications', async () => {
    const { jsonrpc, method } = version;
    const response = await postJson(node.url, { jsonrpc, method });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await post([{ jsonrpc, method }, version])).toHaveLength(1);
  });

  it('the sandbox responds to HTTP requests that are not JSON-RPC with the matching HTTP status', async () => {
    expect((await fetch(`${node.url}/is_alive`)).status).toBe(200);
    expect((await fetch(node.url)).status).toBe(405);
    expect((await postJson(`${node.url}/elsewhere`, version)).status).toBe(404);
  });

  it('I4: web pages of any origin can send requests to the sandbox, and can read error responses', async () => {
    const origin = 'https://wallet.example';
    for (const path of ['/', '/rpc']) {
      const { status, headers } = await fetch(`${node.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-methods')).toBe('POST');
      expect(headers.get('access-control-allow-headers')).toBe('*');
    }
    node.control.addFault({ method: '*', fault: { kind: 'rate-limited', retryAfterSeconds: 1 } });
    for (const status of [429, 200]) {
      const answer = await postJson(node.url, version);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        status,
        '*',
      ]);
    }
  });

  it('web pages cannot read responses of the sandbox’s control interface', async () => {
    const preflight = await fetch(`${node.url}/control`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([405, 'POST']);
    const moved = await postJson(`${node.url}/control`, { action: 'mine' });
    for (const { headers } of [preflight, moved])
      expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('the sandbox accepts request bodies up to 10 MiB and rejects larger bodies', async () => {
    expect((await postJson(node.url, padded(10 * 1024 * 1024))).status).toBe(200);
    expect((await postJson(node.url, padded(10 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('the sandbox keeps HTTP connections alive', async () => {
    const response = await postJson(node.url, version);
    expect(response.headers.get('connection')).toBe('keep-alive');
  });
});
