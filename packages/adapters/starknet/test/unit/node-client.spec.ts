import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  NodeRefusedCall,
  NodeUnavailable,
  type NodeCall,
  type NodeClient,
} from '@sotto/adapter-starknet';
import { UpstreamTimedOut } from '@sotto/http-client';
import { z } from 'zod';
import { LoopbackNode, failure, type RpcRequest } from '../support/loopback-node.js';

const SECRET = 'marker-secret';
const echo = (value: string): NodeCall<string> => ({
  method: 'echo',
  params: { value },
  result: z.string(),
});
const answerEcho = ({ params }: RpcRequest): { result: unknown } => ({ result: params['value'] });

async function group(by: NodeClient, ...values: readonly string[]): Promise<unknown> {
  return by.together(values.map((value) => echo(value)));
}

describe('NodeClient', () => {
  let node: LoopbackNode;
  let client: NodeClient;
  beforeEach(async () => {
    node = await LoopbackNode.start();
    node.answer = answerEcho;
    client = node.client();
  });
  afterEach(async () => node.stop());

  describe('call', () => {
    it('the node client sends a single call as a plain JSON object instead of an array', async () => {
      expect(await client.call(echo('a'))).toBe('a');
      expect(node.bodies.map((body): unknown => JSON.parse(body))).toEqual([
        { jsonrpc: '2.0', id: expect.any(Number), method: 'echo', params: { value: 'a' } },
      ]);
    });

    it('the node client sends all calls of one event loop tick in one batch', async () => {
      expect(
        await Promise.all(['a', 'b', 'c'].map(async (value) => client.call(echo(value)))),
      ).toEqual(['a', 'b', 'c']);
      expect(node.bodies).toHaveLength(1);
      await client.call(echo('d'));
      expect(node.bodies).toHaveLength(2);
    });

    it('the node client’s batch also includes calls from promise callbacks of the same event loop tick', async () => {
      const behind = async (): Promise<string> => {
        for (let step = 0; step < 20; step += 1) await Promise.resolve();
        return client.call(echo('behind'));
      };
      await Promise.all([client.call(echo('at once')), behind()]);
      expect(node.bodies).toHaveLength(1);
    });

    it('splits a batch whose number of calls exceeds the maximum', async () => {
      const small = node.client({ maxBatch: 2 });
      expect(
        await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (value) => small.call(echo(value)))),
      ).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(node.bodies).toHaveLength(3);
    });

    it('matches the responses of a batch to its calls by id, in any order', async () => {
      node.respond = (response, body) => {
        const calls = z
          .array(z.object({ id: z.int(), params: z.object({ value: z.string() }) }))
          .parse(JSON.parse(body));
        response.end(
          JSON.stringify(
            calls
              .toReversed()
              .map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params.value })),
          ),
        );
      };
      expect(await Promise.all([client.call(echo('a')), client.call(echo('b'))])).toEqual([
        'a',
        'b',
      ]);
    });

    it('a rejected call of a batch fails, and the other calls of the batch succeed', async () => {
      node.answer = (request) =>
        request.params['value'] === 'bad'
          ? { error: { code: 20, message: 'Contract not found', data: SECRET } }
          : answerEcho(request);
      const [good, bad] = await Promise.allSettled([
        client.call(echo('good')),
        client.call(echo('bad')),
      ]);
      expect(good).toEqual({ status: 'fulfilled', value: 'good' });
      expect(bad).toMatchObject({
        status: 'rejected',
        reason: { code: 'NODE_REFUSED_CALL', rpcCode: 20, data: SECRET },
      });
      expect(inspect(bad, { depth: 20 })).not.toContain(SECRET);
    });

    it.each([
      ['no answer to one', (ids: readonly number[]) => [{ id: ids[0], result: 'a' }]],
      [
        'an answer with another id',
        (ids: readonly number[]) => [
          { id: ids[0], result: 'a' },
          { id: 999_999, result: 'b' },
        ],
      ],
      [
        'an answer with the id as text',
        (ids: readonly number[]) => [
          { id: ids[0], result: 'a' },
          { id: String(ids[1]), result: 'b' },
        ],
      ],
      [
        'an answer that is no object',
        (ids: readonly number[]) => [{ id: ids[0], result: 'a' }, 'b'],
      ],
      [
        'two answers to one',
        (ids: readonly number[]) => [
          { id: ids[0], result: 'a' },
          { id: ids[1], result: 'b' },
          { id: ids[1], result: 'c' },
        ],
      ],
      [
        'an answer with result and error',
        (ids: readonly number[]) => [
          { id: ids[0], result: 'a' },
          { id: ids[1], result: 'b', error: { code: 1, message: '' } },
        ],
      ],
      [
        'an answer with neither',
        (ids: readonly number[]) => [{ id: ids[0], result: 'a' }, { id: ids[1] }],
      ],
    ])('returns the valid responses of a batch that contains %s', async (_what, reply) => {
      node.respond = (response, body) => {
        const ids = z
          .array(z.object({ id: z.int() }))
          .parse(JSON.parse(body))
          .map(({ id }) => id);
        response.end(JSON.stringify(reply(ids)));
      };
      const [first, second] = await Promise.allSettled([
        client.call(echo('a')),
        client.call(echo('b')),
      ]);
      expect(first).toEqual({ status: 'fulfilled', value: 'a' });
      expect(second).toMatchObject({
        status: 'rejected',
        reason: { code: 'NODE_MALFORMED_ANSWER' },
      });
    });

    it.each([
      ['an object', '{"jsonrpc":"2.0","id":1,"result":[]}', NodeMalformedAnswer],
      [
        'one error for all',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"slow down"}}',
        NodeUnavailable,
      ],
      ['a page', '<html></html>', NodeMalformedAnswer],
      ['JSON that ends too early', '[{"id":1,"result":', NodeMalformedAnswer],
      ['nothing', '', NodeMalformedAnswer],
    ])(
      'rejects every call of a batch if the response body is %s',
      async (_what, body, errorClass) => {
        node.respond = (response) => response.end(body);
        const settled = await Promise.allSettled([client.call(echo('a')), client.call(echo('b'))]);
        for (const each of settled)
          expect(each).toMatchObject({ status: 'rejected', reason: expect.any(errorClass) });
      },
    );

    it.each([
      ['a wrong id', '{"jsonrpc":"2.0","id":"1","result":"a"}'],
      ['an array', '[]'],
      ['a page', '<html></html>'],
    ])('rejects a response with %s to a single call', async (_what, body) => {
      node.respond = (response) => response.end(body);
      expect(await failure(client.call(echo('a')))).toBeInstanceOf(NodeMalformedAnswer);
    });

    it('rejects a result that violates its schema, and reports the path but not the value', async () => {
      node.answer = () => ({ result: { list: ['fine', SECRET] } });
      const error = await failure(
        client.call({
          method: 'echo',
          params: {},
          result: z.object({ list: z.array(z.literal('fine')) }),
        }),
      );
      expect(error).toBeInstanceOf(NodeMalformedAnswer);
      expect(error).toMatchObject({ details: { method: 'echo', at: 'list.1' } });
      expect(inspect(error, { depth: 20 })).not.toContain(SECRET);
    });

    it('returns the node’s Retry-After time if the node rejects requests', async () => {
      node.respond = (response) => response.writeHead(429, { 'Retry-After': '11' }).end();
      const error = await failure(client.call(echo('a')));
      expect(error).toBeInstanceOf(NodeUnavailable);
      expect(error).toMatchObject({
        kind: 'unavailable',
        retryAfterSeconds: 11,
        details: { status: 429 },
      });
    });

    it('a read times out at the timeout for reads', async () => {
      node.respond = () => {};
      const hasty = node.client({ readTimeoutMs: 50, sendTimeoutMs: 60_000 });
      expect(await failure(hasty.call(echo('a')))).toBeInstanceOf(UpstreamTimedOut);
    });

    it('rejects a response above the maximum size', async () => {
      node.answer = () => ({ result: 'x'.repeat(2_000) });
      expect(
        await failure(node.client({ maxResponseBytes: 1_000 }).call(echo('a'))),
      ).toBeInstanceOf(NodeMalformedAnswer);
    });

    it('T10: only the next group of reads is sent in separate requests after a shared request has failed', async () => {
      const ordinary = node.respond;
      node.respond = (response, body, request) => {
        if (!body.includes('slow')) ordinary(response, body, request);
      };
      const hasty = node.client({ readTimeoutMs: 300 });
      const read = async (value: string): Promise<unknown> =>
        hasty.call(echo(value)).catch((error: unknown) => error);
      const ofThree = async (): Promise<readonly unknown[]> =>
        Promise.all(['a', 'slow', 'b'].map(read));
      const marked = { code: 'UPSTREAM_TIMED_OUT', details: { shared: true } };
      expect(await ofThree()).toMatchObject([marked, marked, marked]);
      expect(await ofThree()).toEqual([
        'a',
        expect.objectContaining({ code: 'UPSTREAM_TIMED_OUT', details: {} }),
        'b',
      ]);
      expect(node.batchSizes()).toEqual([1, 1, 1, 3]);
      await Promise.all([read('c'), read('d')]);
      expect(node.batchSizes()).toEqual([1, 1, 1, 2, 3]);
    });

    it('T10: marks a failure as shared if the response to several reads is too large', async () => {
      node.answer = ({ params }) => ({ result: params['value'] === 'a' ? 'x'.repeat(2_000) : 'y' });
      const small = node.client({ maxResponseBytes: 1_000 });
      const both = async (): Promise<readonly PromiseSettledResult<string>[]> =>
        Promise.allSettled([small.call(echo('a')), small.call(echo('b'))]);
      const marked = { reason: { code: 'NODE_MALFORMED_ANSWER', details: { shared: true } } };
      expect(await both()).toMatchObject([marked, marked]);
      expect(await both()).toMatchObject([{ reason: { details: {} } }, { value: 'y' }]);
    });

    it('repeats a read once if its connection breaks', async () => {
      const respond = node.respond;
      node.respond = (_response, _body, request) => {
        node.respond = respond;
        request.socket.destroy();
      };
      expect(await client.call(echo('a'))).toBe('a');
      expect(node.bodies).toHaveLength(2);
    });

    it.each([
      [-32_603, NodeUnavailable],
      [-32_005, NodeUnavailable],
      [-32_000, NodeUnavailable],
      [24, NodeUnavailable],
      [429, NodeUnavailable],
      [-32_601, NodeRefusedCall],
      [-32_602, NodeRefusedCall],
      [20, NodeRefusedCall],
      [21, NodeRefusedCall],
      [29, NodeRefusedCall],
      [40, NodeRefusedCall],
      [-1, NodeRefusedCall],
    ])('classifies the node error %d by its code and not by its text', async (code, errorClass) => {
      node.answer = () => ({
        error: { code, message: 'Transaction hash not found. Block not found. Internal error.' },
      });
      expect(await failure(client.call(echo('a')))).toBeInstanceOf(errorClass);
    });
  });

  describe('together', () => {
    it('returns the results of a group of calls in order, and sends other calls in the same request', async () => {
      const [single, together] = await Promise.all([
        client.call(echo('a')),
        client.together([echo('b'), echo('c')]),
      ]);
      expect([single, ...together]).toEqual(['a', 'b', 'c']);
      expect(node.calls().map(({ params }) => params['value'])).toEqual(['a', 'b', 'c']);
      expect(node.bodies).toHaveLength(1);
    });

    it('never divides a group of calls between requests, even if the group exceeds the maximum batch size', async () => {
      const small = node.client({ maxBatch: 3 });
      await Promise.all([
        group(small, 'a', 'b'),
        group(small, 'c', 'd'),
        group(small, 'e'),
        group(small, 'f', 'g', 'h', 'i'),
      ]);
      expect(node.batchSizes()).toEqual([2, 3, 4]);
    });

    it('sends no request for an empty group of calls', async () => {
      expect(await group(client)).toEqual([]);
      expect(await client.call(echo('a'))).toBe('a');
      expect(node.bodies).toHaveLength(1);
    });

    it('rejects a group of calls if one of its calls fails', async () => {
      node.answer = (request) =>
        request.params['value'] === 'bad'
          ? { error: { code: 20, message: 'Contract not found' } }
          : answerEcho(request);
      expect(await failure(group(client, 'a', 'bad', 'b'))).toBeInstanceOf(NodeRefusedCall);
      expect(await client.call(echo('c'))).toBe('c');
    });
  });

  describe('sendRaw', () => {
    const bytes = new TextEncoder().encode('{"type" : "INVOKE"}');
    const send = async (by: NodeClient = client): Promise<unknown> =>
      by.sendRaw('send', 'invoke', bytes);

    it('sendRaw sends the given bytes unchanged, in a separate request', async () => {
      node.answer = () => ({ result: 'done' });
      const [sent] = await Promise.all([send(), client.call(echo('a')), client.call(echo('b'))]);
      expect(sent).toEqual({ kind: 'result', result: 'done' });
      expect(node.bodies).toHaveLength(2);
      expect(
        node.bodies.filter((body) => body.includes('"params":{"invoke":{"type" : "INVOKE"}}')),
      ).toHaveLength(1);
    });

    it('sendRaw returns the error object of the node unchanged', async () => {
      node.answer = () => ({ error: { code: 55, message: 'm', data: { deep: ['d'] } } });
      expect(await send()).toEqual({
        kind: 'error',
        error: { code: 55, message: 'm', data: { deep: ['d'] } },
      });
    });

    it.each([
      [
        'a page',
        (response: ServerResponse) => response.end('<html>53</html>'),
        'NODE_MALFORMED_ANSWER',
      ],
      [
        'another id',
        (response: ServerResponse) => response.end('{"id":null,"error":{"code":53,"message":""}}'),
        'NODE_MALFORMED_ANSWER',
      ],
      [
        'a code that is text',
        (response: ServerResponse) => response.end('{"id":1,"error":{"code":"53","message":""}}'),
        'NODE_MALFORMED_ANSWER',
      ],
      [
        '400 with an error',
        (response: ServerResponse) =>
          response.writeHead(400).end('{"id":1,"error":{"code":53,"message":""}}'),
        'UPSTREAM_ANSWERED',
      ],
      ['500', (response: ServerResponse) => response.writeHead(500).end(), 'UPSTREAM_ANSWERED'],
      [
        'a redirect',
        (response: ServerResponse) => response.writeHead(308, { Location: '/elsewhere' }).end(),
        'UPSTREAM_ANSWERED',
      ],
    ] as const)(
      'sendRaw resolves with a failure if the response is %s, and does not repeat the request',
      async (_what, respond, code) => {
        node.respond = respond;
        expect(await send()).toEqual({ kind: 'failed', code });
        expect(node.bodies).toHaveLength(1);
      },
    );

    it('sendRaw resolves with a failure if the connection breaks, and does not repeat the request', async () => {
      node.respond = (_response, _body, request) => request.socket.destroy();
      expect(await send()).toEqual({ kind: 'failed', code: 'UPSTREAM_UNREACHABLE' });
      expect(node.bodies).toHaveLength(1);
    });

    it('sendRaw times out at the timeout for sends, and does not repeat the request', async () => {
      node.respond = () => {};
      expect(await send(node.client({ readTimeoutMs: 60_000, sendTimeoutMs: 300 }))).toEqual({
        kind: 'failed',
        code: 'UPSTREAM_TIMED_OUT',
      });
      expect(node.bodies).toHaveLength(1);
    });
  });
});
