import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSottoClient, type SottoClient } from '@sotto/client';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { addressText } from './support/notes.js';
import { Stack } from './support/stack.js';

const ORIGIN = 'https://wallet.example';
const pool = addressText(sandboxWorld.pools.sentinel_1x);
const READS = 30;
const QUOTES = 2;
const SUBMISSIONS = 3;
const CONNECTIONS_PER_CLIENT = 8;

/** Opens a connection from this local address and sends this text and nothing else. */
async function connected(
  url: string,
  localAddress: string,
  written: string,
): Promise<{ readonly socket: Socket; readonly received: () => string }> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(written);
  return { socket, received: () => received };
}

const postOf = (body: string, length = body.length): string =>
  `POST /api/relayer/deploy-batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe('the HTTP interface for pages and crowds', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    const env = {
      CORS_ORIGINS: ORIGIN,
      RATE_LIMIT_READS_PER_MINUTE: String(READS),
      RATE_LIMIT_QUOTES_PER_MINUTE: String(QUOTES),
      RATE_LIMIT_SUBMISSIONS_PER_MINUTE: String(SUBMISSIONS),
      MAX_REQUESTS_IN_FLIGHT: '12',
      MAX_REQUESTS_IN_FLIGHT_PER_CLIENT: String(SUBMISSIONS),
      MAX_CONNECTIONS: '200',
      MAX_CONNECTIONS_PER_CLIENT: String(CONNECTIONS_PER_CLIENT),
    };
    stack = await Stack.start({ whole: true, env });
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
  });
  afterAll(() => stack.stop());

  it('the page /docs describes the HTTP interface and loads files only from this service', async () => {
    const page = await stack.service.get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const files = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);
    expect(files).toContainEqual(expect.stringMatching(/^\/assets\/.*\.js$/));
    for (const file of files) {
      const { status, text } = await stack.service.get(file);
      expect([file, status]).toEqual([file, 200]);
      expect(text.length).toBeGreaterThan(50);
    }
  });

  it('S10 the service serves other callers while ten addresses send slowly and another address leaves connections open', async () => {
    const { url } = stack.service;
    const attackers: Socket[] = [];
    try {
      for (let address = 1; address <= 10; address += 1) {
        for (let sent = 0; sent < SUBMISSIONS; sent += 1) {
          attackers.push((await connected(url, `127.0.2.${address}`, postOf('{', 1_000))).socket);
        }
      }
      const idle: Socket[] = [];
      for (let opened = 0; opened < 50; opened += 1)
        idle.push((await connected(url, '127.0.3.1', '')).socket);
      attackers.push(...idle);
      await eventually(
        'all but its share to be closed',
        () => idle.filter(({ destroyed }) => !destroyed).length === CONNECTIONS_PER_CLIENT,
      );

      for (let address = 1; address <= 3; address += 1) {
        const honest = await connected(
          url,
          `127.0.4.${address}`,
          postOf(JSON.stringify({ poolAddress: pool, count: 4 })),
        );
        attackers.push(honest.socket);
        const answer = await eventually(
          'an answer',
          () => honest.received().includes('requestId') && honest.received(),
        );
        expect(answer).toContain('BATCH_COUNT_INVALID');
      }
      expect((await stack.service.get('/health/live')).status).toBe(200);
    } finally {
      for (const socket of attackers) socket.destroy();
    }
  });

  it('the served OpenAPI document equals the document in the repository', async () => {
    const written = readFileSync(
      new URL('../../../../docs/reference/openapi.json', import.meta.url),
      'utf8',
    );
    const { body } = await stack.service.get('/openapi.json');
    expect(pathsOf(body)).toEqual(pathsOf(JSON.parse(written)));
    // The comparison gives a boolean, so that a failed test does not print both documents.
    expect(JSON.stringify(body) === JSON.stringify(JSON.parse(written))).toBe(true);
  });

  it('web pages of the configured origins can read responses, errors and the response headers that clients need', async () => {
    for (const path of ['/api/relayer/pools', '/api/relayer/submissions/unknown']) {
      const { headers } = await stack.service.get(path, { origin: ORIGIN });
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-expose-headers')?.split(',')).toEqual(
        expect.arrayContaining(['Location', 'Retry-After']),
      );
      expect(headers.get('vary')).toMatch(/\borigin\b/i);
    }
    const preflight = await stack.service.request('/api/relayer/withdraw', {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,prefer',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      ORIGIN,
    ]);
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toBe(
      'content-type,prefer,sotto-notify,x-paymaster-api-key',
    );

    const { headers } = await stack.service.get('/api/relayer/pools', {
      origin: 'https://wallet.example.evil',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('limits reads, quotes and submissions separately', async () => {
    const submissions: (string | undefined)[] = [];
    for (let sent = 0; sent <= SUBMISSIONS; sent += 1) {
      const { error } = await sotto.POST('/api/relayer/deploy-batch', {
        body: { poolAddress: pool, count: 4 },
      });
      submissions.push(error?.code);
    }
    expect(submissions).toEqual([
      ...Array.from({ length: SUBMISSIONS }, () => 'BATCH_COUNT_INVALID'),
      'RATE_LIMITED',
    ]);
    const swap = await stack.service.post('/api/relayer/private-swap', {});
    expect([swap.status, swap.body]).toEqual([
      429,
      expect.objectContaining({ code: 'RATE_LIMITED', leafIndex: -1 }),
    ]);

    for (let sent = 0; sent < QUOTES; sent += 1) {
      expect(
        (await sotto.POST('/api/relayer/quote', { body: { poolAddress: pool } })).response.status,
      ).toBe(200);
    }
    const quote = await sotto.POST('/api/relayer/quote', { body: { poolAddress: pool } });
    expect([quote.response.status, quote.error]).toEqual([
      429,
      {
        error: expect.any(String),
        code: 'RATE_LIMITED',
        retry: 'same',
        requestId: expect.any(String),
        docs: '/docs/errors#RATE_LIMITED',
        retryAt: expect.any(Number),
      },
    ]);
    const seconds = Number(quote.response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);

    const reads: number[] = [];
    for (let sent = 0; sent <= READS; sent += 1)
      reads.push((await sotto.GET('/api/relayer/fee-estimate')).response.status);
    expect(reads[0]).toBe(200);
    expect(reads.at(-1)).toBe(429);
    expect((await stack.service.get('/health/live')).status).toBe(200);
  });
});

function pathsOf(document: unknown): readonly string[] {
  return Object.keys(Object(document).paths);
}
