import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  UpstreamAnswerTooLarge,
  UpstreamAnswered,
  UpstreamTimedOut,
  UpstreamUnreachable,
  createHttpClient,
  type HttpClient,
  type PostRequest,
} from '@sotto/http-client';
import { LoopbackUpstream, type Handler } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';

const SECRET = 'marker-secret';
const LIMIT = 1_000;

/** Returns the URL with a key in every part, because providers issue such URLs. */
function withSecret(url: string): string {
  const { host } = new URL(url);
  return `http://user:${SECRET}@${host}/${SECRET}?key=${SECRET}`;
}

describe('createHttpClient', () => {
  let upstream: LoopbackUpstream;
  let url: string;
  let client: HttpClient;
  const request: PostRequest = {
    body: new TextEncoder().encode(`{"a":"${SECRET}"}`),
    contentType: 'application/json',
  };

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    url = withSecret(upstream.url);
    client = createHttpClient({
      name: 'node',
      baseUrl: url,
      timeoutMs: 1_000,
      maxResponseBytes: LIMIT,
      headers: { 'X-Api-Key': SECRET },
    });
  });
  afterEach(async () => {
    client.close();
    await upstream.stop();
  });

  it('the HTTP client sends the exact bytes of the request, and does not parse the response', async () => {
    upstream.handler = (response) => response.end(' {"not": parsed} ');
    const text = await client.post(request);
    expect(text).toBe(' {"not": parsed} ');
    expect(upstream.requests).toEqual([
      {
        method: 'POST',
        url: `/${SECRET}?key=${SECRET}`,
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'x-api-key': SECRET,
        }),
        body: `{"a":"${SECRET}"}`,
      },
    ]);
  });

  it('the HTTP client sends only the bytes of a typed-array view, not the whole underlying buffer', async () => {
    const whole = new TextEncoder().encode('xxbodyxx');
    await client.post({ ...request, body: whole.subarray(2, 6) });
    expect(upstream.requests[0]?.body).toBe('body');
  });

  it('the HTTP client reuses its connection for the next request', async () => {
    await client.post(request);
    await client.post(request);
    expect(upstream.sockets.size).toBe(1);
  });

  it('the HTTP client does not follow a redirect', async () => {
    const target = await LoopbackUpstream.start();
    const location = target.url;
    upstream.handler = (response) => response.writeHead(307, { Location: location }).end();
    const error = await failure(client.post({ ...request, idempotent: true }));
    expect(error).toBeInstanceOf(UpstreamAnswered);
    expect(error).toMatchObject({ status: 307, kind: 'upstream_failed' });
    expect(target.requests).toHaveLength(0);
    await target.stop();
  });

  it('the HTTP client does not use a proxy from the environment', async () => {
    const proxy = await LoopbackUpstream.start();
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = proxy.url;
    try {
      await client.post(request);
    } finally {
      if (before === undefined) delete process.env['http_proxy'];
      else process.env['http_proxy'] = before;
      await proxy.stop();
    }
    expect(proxy.requests).toHaveLength(0);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    [400, undefined, undefined],
    [429, '7', 7],
    [503, 'soon', undefined],
    [503, '-1', undefined],
    [503, '999999999', 3_600],
    [500, 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])(
    'the HTTP client reports status %d with Retry-After %s as an error without the response body',
    async (status, header, retryAfterSeconds) => {
      upstream.handler = (response) => {
        if (header !== undefined) response.setHeader('Retry-After', header);
        response.writeHead(status).end(`<html>${SECRET}</html>`);
      };
      const error = await failure(client.post(request));
      expect(error).toBeInstanceOf(UpstreamAnswered);
      const causeCode = `HTTP_${status}`;
      expect(error).toMatchObject({ status, retryAfterSeconds, details: { status }, causeCode });
      expect(upstream.requests).toHaveLength(1);
    },
  );

  it('an HTTP call ends at its deadline if no response arrives', async () => {
    upstream.handler = () => {};
    expect(await failure(client.post(request))).toBeInstanceOf(UpstreamTimedOut);
  });

  it('an HTTP call ends at its deadline if the response body arrives byte by byte', async () => {
    upstream.handler = (response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    expect(await failure(client.post(request))).toBeInstanceOf(UpstreamTimedOut);
  });

  it('the HTTP client accepts a different deadline for a single request', async () => {
    upstream.handler = (response) => setTimeout(() => response.end('late'), 400);
    expect(await client.post({ ...request, timeoutMs: 5_000 })).toBe('late');
  });

  it('the HTTP client stops reading a response at the size limit', async () => {
    upstream.handler = (response) => response.end('x'.repeat(LIMIT));
    expect(await client.post(request)).toHaveLength(LIMIT);
    upstream.handler = (response) => response.end('x'.repeat(LIMIT + 1));
    expect(await failure(client.post(request))).toBeInstanceOf(UpstreamAnswerTooLarge);
  });

  it('the size limit of the HTTP client applies to decompressed bytes', async () => {
    upstream.handler = (response) => {
      response.setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync('x'.repeat(LIMIT * 100)));
    };
    expect(await failure(client.post(request))).toBeInstanceOf(UpstreamAnswerTooLarge);
  });

  it('the HTTP client treats a truncated response body as a broken connection', async () => {
    upstream.handler = (response) => {
      response.setHeader('Content-Length', '500');
      response.write('{"half":');
      setTimeout(() => response.destroy(), 10);
    };
    expect(await failure(client.post(request))).toBeInstanceOf(UpstreamUnreachable);
  });

  it('the HTTP client reports the socket’s error code if no server listens', async () => {
    await upstream.stop();
    const error = await failure(client.post(request));
    expect(error).toBeInstanceOf(UpstreamUnreachable);
    expect(error).toMatchObject({ kind: 'unavailable', details: { reason: 'ECONNREFUSED' } });
  });

  it('the HTTP client repeats a request after a broken connection only if the request is idempotent', async () => {
    upstream.handler = (_response, received) => received.socket.destroy();
    const patient = { ...request, timeoutMs: 20_000 };
    expect(await failure(client.post(patient))).toBeInstanceOf(UpstreamUnreachable);
    expect(upstream.requests).toHaveLength(1);
    expect(await failure(client.post({ ...patient, idempotent: true }))).toBeInstanceOf(
      UpstreamUnreachable,
    );
    expect(upstream.requests).toHaveLength(3);
  });

  it('the HTTP client returns the response to the second try if the first try failed', async () => {
    upstream.handler = (_response, received) => {
      upstream.handler = (response) => response.end('second');
      received.socket.destroy();
    };
    expect(await client.post({ ...request, idempotent: true })).toBe('second');
  });

  it('the HTTP client by default does not repeat a request after a response or a timeout', async () => {
    upstream.handler = (response) => response.writeHead(503).end();
    await failure(client.post({ ...request, idempotent: true }));
    expect(upstream.requests).toHaveLength(1);
    upstream.handler = () => {};
    await failure(client.post({ ...request, idempotent: true }));
    expect(upstream.requests).toHaveLength(2);
  });

  it('errors of the HTTP client contain no part of the URL, headers or bodies', async () => {
    const handlers: Handler[] = [
      (response) => response.writeHead(500, { 'X-Echo': SECRET }).end(SECRET),
      (response) => response.end(SECRET.repeat(LIMIT)),
      (_response, received) => received.socket.destroy(),
      () => {},
    ];
    for (const handler of handlers) {
      upstream.handler = handler;
      const error = await failure(client.post(request));
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
    }
    await upstream.stop();
    const error = await failure(client.post(request));
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
  });
});
