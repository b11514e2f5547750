import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@sotto/kernel';
import { Metrics } from '@sotto/telemetry';
import * as z from 'zod';
import { InFlight, createApp, implement, type RouteDefinition } from '../../src/index.js';

const MIB = 2 ** 20;
const upload = {
  method: 'post',
  path: '/uploads',
  operationId: 'upload',
  summary: 'An upload',
  tag: 'things',
  limitedAs: 'writes',
  body: { schema: z.unknown(), limitBytes: 4 * MIB, isLarge: true, examples: {} },
  replies: { 200: { description: 'Done', schema: z.object({}) } },
} as const satisfies RouteDefinition;

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** Starts a server. Returns a function that posts bodies over one connection, as a proxy does. */
async function started() {
  const app = createApp({
    routes: [implement(upload, async () => ({ status: 200, body: {} }))],
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
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  endings.push(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return async (body: Buffer, headers: object = {}) => {
    const request = send(`http://127.0.0.1:${address.port}/uploads`, {
      method: 'POST',
      agent,
      headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers },
    });
    request.end(body);
    const [response]: readonly IncomingMessage[] = await once(request, 'response');
    let text = '';
    for await (const part of response ?? []) text += String(part);
    return { status: response?.statusCode, code: Object(JSON.parse(text)).code };
  };
}

const OK = { status: 200, code: undefined };
const INVALID = { status: 400, code: 'INVALID_REQUEST' };

describe('LargeBodies against strangers', () => {
  it.each([
    ['a bomb', gzipSync(Buffer.alloc(400 * MIB, ' ')), 'BODY_TOO_LARGE'],
    ['incompressible bytes', gzipSync(randomBytes(8 * MIB)), 'BODY_TOO_LARGE'],
    ['bytes that are no gzip', randomBytes(2 * MIB), 'INVALID_JSON'],
  ])(
    'a compressed body that is refused does not block its connection: %s',
    async (_what, body, code) => {
      const post = await started();
      const refused = await post(body, { 'Content-Encoding': 'gzip' });
      expect(refused.code).toBe(code);
      expect(await post(Buffer.from('{}'))).toEqual(OK);
    },
  );

  it.each([
    ['levels', Buffer.from('['.repeat(2 * MIB) + ']'.repeat(2 * MIB))],
    ['unclosed levels', Buffer.from('['.repeat(4 * MIB))],
    ['numbers', Buffer.from(JSON.stringify(Array.from({ length: 50_001 }, () => 1)))],
    ['objects', Buffer.from(`[${'{},'.repeat(60_000)}{}]`)],
    ['keys', Buffer.from(`{${'"a":1,'.repeat(30_000)}"b":1}`)],
  ])('a body of too many %s is rejected', async (_what, body) => {
    const post = await started();
    expect(await post(body)).toEqual(INVALID);
  });

  it.each([
    ['a long text', { text: 'x'.repeat(3 * MIB) }],
    ['a text of quotes, backslashes and brackets', { text: '\\"[{,:'.repeat(100_000) }],
    ['backslashes before the end', { text: '\\'.repeat(100_001), other: [1] }],
    ['as many felts as actions may have', { felts: Array.from({ length: 10_000 }, () => '0x1') }],
    ['32 levels', JSON.parse(`${'['.repeat(32)}${']'.repeat(32)}`)],
  ])('a body of %s is accepted', async (_what, value) => {
    const post = await started();
    expect(await post(Buffer.from(JSON.stringify(value)))).toEqual(OK);
  });
});
