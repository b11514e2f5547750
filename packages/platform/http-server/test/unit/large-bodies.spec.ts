import { once } from 'node:events';
import { createServer, request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@sotto/kernel';
import { Metrics } from '@sotto/telemetry';
import * as z from 'zod';
import {
  InFlight,
  LargeBodies,
  createApp,
  implement,
  type RouteDefinition,
} from '../../src/index.js';

const KIB = 1_024;
const BLOCK = 64 * KIB;
const LIMIT = 4 * BLOCK;

const upload = {
  method: 'post',
  path: '/uploads',
  operationId: 'upload',
  summary: 'An upload',
  tag: 'things',
  limitedAs: 'writes',
  body: {
    schema: z.strictObject({ text: z.string() }),
    limitBytes: LIMIT,
    isLarge: true,
    examples: {},
  },
  replies: { 200: { description: 'Its length', schema: z.object({ length: z.int() }) } },
} as const satisfies RouteDefinition;

interface World {
  readonly url: URL;
  readonly bodies: LargeBodies;
  /** Lengths of the texts that the handler has received. */
  readonly handled: number[];
  /** Ends the wait of all handlers. */
  readonly release: () => void;
}

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/**
 * Starts a server behind a proxy.
 * @param blocks budget in blocks of 64 KiB
 * @param waits true if handlers wait until the test releases them
 */
async function started(blocks: number, waits = false): Promise<World> {
  const bodies = new LargeBodies(blocks * BLOCK);
  const handled: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!waits) resolve();
  const route = implement(upload, async ({ body: { text } }) => {
    handled.push(text.length);
    await promise;
    return { status: 200, body: { length: text.length } };
  });
  const app = createApp({
    routes: [route],
    clock: systemClock,
    logger: silentLogger,
    trustedProxies: 1,
    corsOrigins: [],
    rateLimits: { perMinute: { reads: 1_000, writes: 1_000 }, maxClients: 1_000 },
    guards: {},
    closedPaths: /^\/closed/,
    inFlight: new InFlight({ inAll: 1_000, perClient: 1_000 }),
    boundedGroup: 'writes',
    refusedAs: 'reads',
    metrics: new Metrics(false),
    codesOf: () => undefined,
    headersOf: () => ({}),
    stopping: new AbortController().signal,
    largeBodies: bodies,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: new URL(`http://127.0.0.1:${address.port}/uploads`),
    bodies,
    handled,
    release: resolve,
  };
}

interface Sent {
  readonly request: ClientRequest;
  readonly answer: Promise<{ readonly status: number; readonly code: string | undefined }>;
}

/** Begins a request, whose body the test writes. */
function begin(
  { url }: World,
  from: string,
  headers: Readonly<Record<string, string | number>> = {},
): Sent {
  const request = send(url, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from, ...headers },
  });
  request.on('error', () => {});
  endings.push(() => request.destroy());
  const answer = once(request, 'response').then(async ([response]: readonly IncomingMessage[]) => {
    if (response === undefined) throw new Error('there is no response');
    let text = '';
    for await (const part of response) text += String(part);
    return { status: response.statusCode ?? 0, code: Object(JSON.parse(text)).code };
  });
  answer.catch(() => {});
  return { request, answer };
}

/** Returns a JSON body of this size in bytes. */
function bodyOf(bytes: number): Buffer {
  return Buffer.from(JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) }));
}

/** Sends a body of known size. */
function post(world: World, from: string, body: Buffer, headers: object = {}): Sent {
  const sent = begin(world, from, { 'Content-Length': body.length, ...headers });
  sent.request.end(body);
  return sent;
}

/** Begins a body of known size, of which only the first byte arrives. */
function stall(world: World, from: string, bytes: number): Sent {
  const sent = begin(world, from, { 'Content-Length': bytes });
  sent.request.write('{');
  return sent;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let polls = 0; polls < 400; polls += 1) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the condition never held');
}

const REFUSED = { status: 429, code: 'TOO_MANY_IN_FLIGHT' };
const OVERLOADED = { status: 503, code: 'OVERLOADED' };
const TOO_LARGE = { status: 413, code: 'BODY_TOO_LARGE' };
const OK = { status: 200, code: undefined };

describe('LargeBodies', () => {
  it.each([
    ['uncompressed', (body: Buffer) => body, {}],
    ['gzip', (body: Buffer) => gzipSync(body), { 'Content-Encoding': 'gzip' }],
    ['deflate', (body: Buffer) => deflateSync(body), { 'Content-Encoding': 'deflate' }],
    ['br', (body: Buffer) => brotliCompressSync(body), { 'Content-Encoding': 'br' }],
  ])('reads a body up to the limit of its route: %s', async (_name, encode, headers) => {
    const world = await started(100);
    const { answer } = post(world, '203.0.113.1', encode(bodyOf(LIMIT)), headers);
    expect(await answer).toEqual(OK);
    expect(world.handled).toEqual([LIMIT - '{"text":""}'.length]);
  });

  it('rejects an announced body above the limit before any byte of it arrives', async () => {
    const world = await started(100);
    const { request, answer } = begin(world, '203.0.113.1', { 'Content-Length': LIMIT + 1 });
    request.flushHeaders();
    expect(await answer).toEqual(TOO_LARGE);
    expect(world.bodies.heldBytes).toBe(0);
  });

  it('rejects a body of unknown size at the first byte above the limit', async () => {
    const world = await started(100);
    const { request, answer } = begin(world, '203.0.113.1');
    request.write(bodyOf(LIMIT + 1));
    expect(await answer).toEqual(TOO_LARGE);
    expect(world.handled).toEqual([]);
    await until(() => world.bodies.heldBytes === 0);
  });

  it('rejects a compressed body whose content is above the limit', async () => {
    const world = await started(100);
    const bomb = gzipSync(Buffer.alloc(100 * LIMIT, ' '));
    expect(bomb.length).toBeLessThan(LIMIT);
    const { answer } = post(world, '203.0.113.1', bomb, { 'Content-Encoding': 'gzip' });
    expect(await answer).toEqual(TOO_LARGE);
    await until(() => world.bodies.heldBytes === 0);
  });

  it.each([
    ['text that is no JSON', Buffer.from('{ no JSON'), {}, 'INVALID_JSON'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'INVALID_JSON'],
    ['an empty body', Buffer.alloc(0), {}, 'INVALID_JSON'],
    ['a broken compression', bodyOf(100), { 'Content-Encoding': 'gzip' }, 'INVALID_JSON'],
    [
      'an unknown compression',
      bodyOf(100),
      { 'Content-Encoding': 'x' },
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    ['a text body', bodyOf(100), { 'Content-Type': 'text/plain' }, 'UNSUPPORTED_CONTENT_TYPE'],
    [
      'another character set',
      bodyOf(100),
      { 'Content-Type': 'application/json; charset=utf-16' },
      'UNSUPPORTED_CONTENT_TYPE',
    ],
  ])('rejects a body that is unreadable: %s', async (_name, body, headers, code) => {
    const world = await started(100);
    expect(await post(world, '203.0.113.1', body, headers).answer).toEqual({ status: 400, code });
    await until(() => world.bodies.heldBytes === 0);
  });

  it('reserves the bytes of a body until its response closes', async () => {
    const world = await started(100, true);
    const { answer } = post(world, '203.0.113.1', bodyOf(3 * BLOCK));
    await until(() => world.handled.length === 1);
    expect(world.bodies.heldBytes).toBe(3 * BLOCK);
    world.release();
    expect(await answer).toEqual(OK);
    await until(() => world.bodies.heldBytes === 0);
  });

  it('reserves only the bytes that have arrived if the size is unknown', async () => {
    const world = await started(100);
    const { request, answer } = begin(world, '203.0.113.1');
    request.write('{"text":"');
    await until(() => world.bodies.heldBytes === BLOCK);
    request.write('x'.repeat(2 * BLOCK));
    await until(() => world.bodies.heldBytes === 3 * BLOCK);
    request.end('"}');
    expect(await answer).toEqual(OK);
  });

  it('lets one address use at most a quarter of the budget', async () => {
    const world = await started(16, true);
    const first = post(world, '203.0.113.1', bodyOf(LIMIT));
    await until(() => world.handled.length === 1);
    expect(await post(world, '203.0.113.1', bodyOf(100)).answer).toEqual(REFUSED);
    const other = post(world, '203.0.113.2', bodyOf(100));
    await until(() => world.handled.length === 2);
    world.release();
    expect([await first.answer, await other.answer]).toEqual([OK, OK]);
  });

  it('lets many addresses of one network use at most half of the budget', async () => {
    const world = await started(16, true);
    for (let host = 1; host <= 2; host += 1) post(world, `203.0.113.${host}`, bodyOf(LIMIT));
    await until(() => world.handled.length === 2);
    const refused = await Promise.all(
      Array.from(
        { length: 20 },
        (_, host) => post(world, `203.0.113.${100 + host}`, bodyOf(LIMIT)).answer,
      ),
    );
    expect(refused).toEqual(refused.map(() => REFUSED));
    const honest = post(world, '198.51.100.7', bodyOf(LIMIT));
    await until(() => world.handled.length === 3);
    world.release();
    expect(await honest.answer).toEqual(OK);
  });

  it('rejects further bodies without reading them if complete bodies use up the budget', async () => {
    const world = await started(16, true);
    for (let network = 1; network <= 4; network += 1)
      post(world, `203.0.${network}.1`, bodyOf(LIMIT));
    await until(() => world.handled.length === 4);
    const { request, answer } = begin(world, '198.51.100.7', { 'Content-Length': LIMIT });
    request.flushHeaders();
    expect(await answer).toEqual(OVERLOADED);
    expect(world.bodies.heldBytes).toBe(16 * BLOCK);
  });

  it('evicts the oldest incomplete body of the network with the largest reservation', async () => {
    const world = await started(16);
    const slow: Sent[] = [];
    for (const [index, from] of ['203.0.1.1', '203.0.2.1', '203.0.3.1', '203.0.4.1'].entries()) {
      slow.push(stall(world, from, LIMIT));
      await until(() => world.bodies.heldBytes === (index + 1) * LIMIT);
    }
    expect(await post(world, '198.51.100.7', bodyOf(LIMIT)).answer).toEqual(OK);
    expect(await slow[0]?.answer).toEqual(OVERLOADED);
    await until(() => world.bodies.heldBytes === 3 * LIMIT);
  });

  it('evicts incomplete bodies of the same network if the network is at its limit', async () => {
    const world = await started(16);
    const other = stall(world, '198.51.100.7', BLOCK);
    await until(() => world.bodies.heldBytes === BLOCK);
    const first = stall(world, '203.0.113.1', LIMIT);
    await until(() => world.bodies.heldBytes === BLOCK + LIMIT);
    stall(world, '203.0.113.2', LIMIT);
    await until(() => world.bodies.heldBytes === BLOCK + 2 * LIMIT);
    expect(await post(world, '203.0.113.3', bodyOf(LIMIT)).answer).toEqual(OK);
    expect(await first.answer).toEqual(OVERLOADED);
    expect(await Promise.race([other.answer, Promise.resolve('open')])).toBe('open');
  });

  it('releases the bytes of callers who disconnect while their bodies are decompressed', async () => {
    const world = await started(100);
    const body = gzipSync(bodyOf(LIMIT));
    for (let round = 0; round < 30; round += 1) {
      const { request } = post(world, `203.0.${round}.1`, body, { 'Content-Encoding': 'gzip' });
      await once(request, 'finish');
      await new Promise((resolve) => setTimeout(resolve, round % 5));
      request.destroy();
    }
    await until(() => world.bodies.heldBytes === 0);
    expect(await post(world, '198.51.100.7', body, { 'Content-Encoding': 'gzip' }).answer).toEqual(
      OK,
    );
    await until(() => world.bodies.heldBytes === 0);
  });

  it('releases the bytes of a caller who disconnects before the body is complete', async () => {
    const world = await started(16);
    const { request } = stall(world, '203.0.113.1', LIMIT);
    await until(() => world.bodies.heldBytes === LIMIT);
    request.destroy();
    await until(() => world.bodies.heldBytes === 0);
    expect(world.handled).toEqual([]);
  });
});
