import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  UpstreamAnswerTooLarge,
  UpstreamAnswered,
  UpstreamTimedOut,
  UpstreamUnreachable,
  createHttpClient,
  type HttpClient,
} from '@sotto/http-client';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';

const SECRET = 'marker-secret';
const LIMIT = 1_000;
let upstream: LoopbackUpstream;
let origin: string;
let clients: HttpClient[];

function client(base: string): HttpClient {
  const made = createHttpClient({
    name: 'shop',
    baseUrl: base,
    timeoutMs: 20_000,
    maxResponseBytes: LIMIT,
    headers: { 'X-Api-Key': SECRET },
  });
  clients.push(made);
  return made;
}

beforeEach(async () => {
  upstream = await LoopbackUpstream.start();
  origin = upstream.url;
  clients = [];
});
afterEach(async () => {
  for (const made of clients) made.close();
  await upstream.stop();
});

describe('get', () => {
  it.each([
    ['', 'swap/v3/quotes', '/swap/v3/quotes'],
    ['/', 'swap/v3/quotes', '/swap/v3/quotes'],
    ['/api', 'quotes', '/api/quotes'],
    ['/api//', 'quotes', '/api/quotes'],
    ['/api?key=k', 'quotes', '/api/quotes?key=k'],
    ['/api', '', '/api'],
  ])('the HTTP client resolves the path against the base URL: %j %j', async (base, path, url) => {
    await client(`${origin}${base}`).get({ path });
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', url, body: '' });
    expect(upstream.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('each value of a query parameter with several values is sent as a separate parameter', async () => {
    const params = { a: '0x1', source: ['one', 'two'], none: [], odd: '&b=2#c ?/../%00ä' };
    await client(`${origin}/api?key=k`).get({ path: 'quotes', params });
    const url = new URL(upstream.requests[0]?.url ?? '', origin);
    expect(url.pathname).toBe('/api/quotes');
    expect([...url.searchParams]).toEqual([
      ['key', 'k'],
      ['a', '0x1'],
      ['source', 'one'],
      ['source', 'two'],
      ['odd', '&b=2#c ?/../%00ä'],
    ]);
  });

  it('the HTTP client sends requests only to the configured origin, for any path', async () => {
    for (const path of [
      '//elsewhere.example/x',
      '../../x',
      'http://elsewhere.example',
      '?x#y',
      '\\\\elsewhere.example',
    ]) {
      expect(await client(origin).get({ path })).toMatchObject({ status: 200 });
    }
    expect(upstream.requests).toHaveLength(5);
  });

  it('GET returns the status, the text and the time of the response', async () => {
    upstream.handler = (response) =>
      response.writeHead(203, { Date: 'Thu, 01 Oct 2026 10:00:01 GMT' }).end('[]');
    expect(await client(origin).get({ path: 'x' })).toEqual({
      status: 203,
      text: '[]',
      dateMs: Date.UTC(2026, 9, 1, 10, 0, 1),
    });
  });

  it.each([undefined, 'soon', '1', '2026-10-01', 'Thu, 99 Foo 2026'])(
    'GET returns no time for the Date header %j',
    async (date) => {
      upstream.handler = (response) => {
        response.sendDate = false;
        if (date !== undefined) response.setHeader('Date', date);
        response.end();
      };
      expect((await client(origin).get({ path: 'x' })).dateMs).toBeUndefined();
    },
  );

  it('GET returns the body of an error response only if the option `answers` lists its status', async () => {
    upstream.handler = (response) => response.writeHead(400).end('{"messages":[]}');
    expect(await client(origin).get({ path: 'x', answers: [400] })).toMatchObject({
      status: 400,
      text: '{"messages":[]}',
    });
    const error = await failure(client(origin).get({ path: 'x', answers: [404] }));
    expect(error).toBeInstanceOf(UpstreamAnswered);
    expect(error).toMatchObject({ status: 400 });
  });

  it('the size limit and the deadline also apply to the bodies of error responses', async () => {
    upstream.handler = (response) => response.writeHead(400).end('x'.repeat(LIMIT + 1));
    expect(await failure(client(origin).get({ path: 'x', answers: [400] }))).toBeInstanceOf(
      UpstreamAnswerTooLarge,
    );
    upstream.handler = (response) => response.writeHead(400).write('x');
    expect(await failure(client(origin).get({ path: 'x', answers: [400] }))).toBeInstanceOf(
      UpstreamTimedOut,
    );
  });

  it('errors of GET contain no part of the URL, parameters or headers', async () => {
    const query = async (base: string): Promise<string> =>
      inspect(await failure(client(base).get({ path: SECRET, params: { token: SECRET } })), {
        depth: 20,
        showHidden: true,
      });
    upstream.handler = (response) => response.writeHead(500).end(SECRET);
    expect(await query(origin)).not.toContain(SECRET);
    expect(await query(`no address of ${SECRET}`)).not.toContain(SECRET);
    await upstream.stop();
    expect(await query(origin)).not.toContain(SECRET);
  });

  it('the HTTP client reports an invalid base URL as unreachable', async () => {
    const error = await failure(client('nowhere').get({ path: 'x' }));
    expect(error).toBeInstanceOf(UpstreamUnreachable);
    expect(error).toMatchObject({ details: { reason: 'ERR_INVALID_URL' } });
  });
});

describe('postJson', () => {
  it('postJson sends the value as JSON to the path', async () => {
    upstream.handler = (response) => response.end('{"ok":1}');
    const answer = await client(`${origin}/api`).postJson({
      path: 'build',
      params: { v: '1' },
      body: { slippage: 0.02, text: 'ä' },
    });
    expect(answer).toMatchObject({ status: 200, text: '{"ok":1}' });
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST',
      url: '/api/build?v=1',
      body: '{"slippage":0.02,"text":"ä"}',
    });
    expect(upstream.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '29',
    });
  });

  it('POST returns the body of an error response only if the option `answers` lists its status', async () => {
    upstream.handler = (response) => response.writeHead(400).end('no');
    expect(await client(origin).postJson({ path: 'x', body: {}, answers: [400] })).toMatchObject({
      status: 400,
      text: 'no',
    });
    expect(await failure(client(origin).postJson({ path: 'x', body: {} }))).toBeInstanceOf(
      UpstreamAnswered,
    );
  });
});
