import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ArrivingBodies } from '@sotto/http-server';
import { InFlight } from '@sotto/http-server';
import { Connections } from '@sotto/http-server';
import { listen, type ListeningServer, type ServerOptions } from '@sotto/http-server';
import { listenOnAll } from '@sotto/http-server';
import { testApp, type TestAppOptions } from './test-app.js';

const PATH = '/api/relayer/withdraw';
const WITHDRAWAL = { poolAddress: '0xaa1', calldata: ['1'] };

const sockets: Socket[] = [];
const servers: Pick<ListeningServer, 'close'>[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close(0, () => {})));
});

async function started(
  app: NonNullable<TestAppOptions['app']>,
  options: Partial<ServerOptions> = {},
): Promise<string> {
  const server = await listen((await testApp({ app })).app, {
    host: '127.0.0.1',
    port: 0,
    ...options,
  });
  servers.push(server);
  return server.url;
}

/** Opens a connection and collects the received text until the connection closes. */
async function connected(
  url: string,
  localAddress = '127.0.0.1',
): Promise<{ readonly socket: Socket; readonly answer: Promise<string> }> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  sockets.push(socket);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  const answer = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
  await once(socket, 'connect');
  return { socket, answer };
}

/** Sends a withdrawal whose body begins but never ends. */
async function slowBody(
  url: string,
  from: string,
  bytes = 1_000,
  localAddress = '127.0.0.1',
): Promise<{ readonly answer: Promise<string> }> {
  const { socket, answer } = await connected(url, localAddress);
  const head = [
    `POST ${PATH} HTTP/1.1`,
    'Host: x',
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  return { answer };
}

const withdraw = async (url: string, from: string): Promise<number> =>
  (
    await fetch(`${url}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(WITHDRAWAL),
    })
  ).status;

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < 400; looks += 1) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the condition never held');
}

describe('S10 bodies that arrive slowly', () => {
  it('bodies that arrive slowly use no request slot', async () => {
    const inFlight = new InFlight({ inAll: 4, perClient: 2 });
    const arriving = new ArrivingBodies({ inAll: 8, perClient: 4 });
    const url = await started({ inFlight, arriving, trustedProxies: 1 });
    for (let body = 0; body < 8; body += 1) await slowBody(url, `203.0.${body}.1`);
    await until(() => arriving.held === 8);
    expect(inFlight.counts()).toMatchObject({ requests: 0, refused: 0 });
    for (let tries = 0; tries < 5; tries += 1)
      expect(await withdraw(url, '198.51.100.7')).toBe(200);
  });

  it('the oldest slow body is rejected if a new slow body exceeds the limit', async () => {
    const arriving = new ArrivingBodies({ inAll: 2, perClient: 2 });
    const url = await started({ arriving, trustedProxies: 1 });
    const { answer: first } = await slowBody(url, '203.0.113.1');
    await until(() => arriving.held === 1);
    await slowBody(url, '203.0.114.1');
    await until(() => arriving.held === 2);
    expect(await withdraw(url, '198.51.100.7')).toBe(200);
    expect(await first).toMatch(/^HTTP\/1\.1 503 [\s\S]*Connection: close[\s\S]*OVERLOADED/);
    expect(arriving.held).toBe(1);
  });

  it('slow bodies have a limit of their total bytes', async () => {
    const arriving = new ArrivingBodies({ inAll: 100, perClient: 100, bytes: 250_000 });
    const url = await started({ arriving, trustedProxies: 1 });
    const { answer: first } = await slowBody(url, '203.0.113.1', 200_000);
    await until(() => arriving.held === 1);
    await slowBody(url, '203.0.114.1', 100_000);
    expect(await first).toContain('OVERLOADED');
    expect(arriving.held).toBe(1);
  });

  it('slow bodies of one network use at most half of the byte limit', async () => {
    const arriving = new ArrivingBodies({ inAll: 100, perClient: 100, bytes: 200_000 });
    const url = await started({ arriving, trustedProxies: 1 });
    const other = await slowBody(url, '198.51.100.7', 90_000);
    await until(() => arriving.held === 1);
    const { answer: first } = await slowBody(url, '203.0.113.1', 60_000);
    await until(() => arriving.held === 2);
    await slowBody(url, '203.0.113.2', 60_000);
    expect(await first).toContain('OVERLOADED');
    await slowBody(url, '203.0.113.3', 60_000);
    await until(() => arriving.held === 2);
    const seen = await Promise.race([other.answer, Promise.resolve('open')]);
    expect(seen).toBe('open');
  });

  it('each caller has a separate limit for slow bodies', async () => {
    const arriving = new ArrivingBodies({ inAll: 100, perClient: 2 });
    const url = await started({ arriving, trustedProxies: 1 });
    for (let body = 0; body < 2; body += 1) await slowBody(url, '203.0.113.1');
    await until(() => arriving.held === 2);
    expect([await withdraw(url, '203.0.113.1'), await withdraw(url, '203.0.113.2')]).toEqual([
      429, 200,
    ]);
  });

  it('slow bodies of one network use at most half of all slots for slow bodies, even if each address is below its limit', async () => {
    const arriving = new ArrivingBodies({ inAll: 8, perClient: 100 });
    const url = await started({ arriving, trustedProxies: 1 });
    for (let host = 1; host <= 4; host += 1) await slowBody(url, `203.0.113.${host}`);
    await until(() => arriving.held === 4);
    expect([await withdraw(url, '203.0.113.99'), await withdraw(url, '198.51.100.7')]).toEqual([
      429, 200,
    ]);
    expect(arriving.held).toBe(4);
  });

  it('a slow body releases its slot when its caller disconnects before the body has arrived', async () => {
    const arriving = new ArrivingBodies({ inAll: 100, perClient: 2 });
    const url = await started({ arriving, trustedProxies: 1 });
    for (let body = 0; body < 2; body += 1) await slowBody(url, '203.0.113.1');
    await until(() => arriving.held === 2);
    for (const socket of sockets) socket.destroy();
    await until(() => arriving.held === 0);
    expect(await withdraw(url, '203.0.113.1')).toBe(200);
  });

  it('a request whose body or headers arrive too slowly is answered 408', async () => {
    const url = await started(
      {},
      { arrival: { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50 } },
    );
    const [silent, slow] = [await connected(url), await slowBody(url, '203.0.113.1')];
    const answers = await Promise.all([silent.answer, slow.answer]);
    for (const answer of answers)
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*REQUEST_TIMED_OUT/);
  });
});

/** Returns true if a request over a connection from this address is answered. */
async function isOpen(url: string, from: string): Promise<boolean> {
  const { socket, answer } = await connected(url, from);
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return (await answer).startsWith('HTTP/1.1 200');
}

describe('S10 idle connections', () => {
  it('a connection over the limit of an address replaces the oldest connection of this address', async () => {
    const connections = new Connections({ inAll: 100, perClient: 3 }, false);
    const url = await started({}, { onConnection: connections.admit });
    for (let idle = 0; idle < 3; idle += 1) await connected(url, '127.0.0.2');
    await until(() => connections.counts().open === 3);
    expect([await isOpen(url, '127.0.0.2'), await isOpen(url, '127.0.1.2')]).toEqual([true, true]);
    // The connection that replaced an idle connection has ended, so two of the three idle
    // connections remain.
    expect(connections.counts()).toEqual({ open: 2, refused: 1 });
  });

  it('connections over the limit of a network are refused while many connections are open', async () => {
    const connections = new Connections({ inAll: 16, perClient: 2 }, false);
    const url = await started({}, { onConnection: connections.admit });
    for (let idle = 0; idle < 12; idle += 1) await connected(url, `127.0.0.${10 + idle}`);
    await until(() => connections.counts().open + connections.counts().refused === 12);
    // Eight connections are half of the total limit of 16.
    expect(connections.counts().open).toBe(8);
    expect(await isOpen(url, '127.0.1.2')).toBe(true);
  });

  it('connections of one network use at most half of the total limit, even if each address is below its limit', async () => {
    const connections = new Connections({ inAll: 8, perClient: 100 }, false);
    const url = await started({}, { onConnection: connections.admit });
    for (let host = 1; host <= 20; host += 1) await connected(url, `127.0.0.${host}`);
    await until(() => connections.counts().open + connections.counts().refused === 20);
    expect(connections.counts()).toEqual({ open: 4, refused: 16 });
    expect(await isOpen(url, '127.0.1.2')).toBe(true);
    expect(connections.counts().refused).toBe(16);
  });

  it('connections of a configured proxy have only the total limit, and no limit per address', async () => {
    const connections = new Connections({ inAll: 4, perClient: 1 }, true);
    const url = await started({}, { onConnection: connections.admit });
    for (let idle = 0; idle < 4; idle += 1) await connected(url);
    await until(() => connections.counts().open === 4);
    expect(await isOpen(url, '127.0.0.1')).toBe(true);
    expect(connections.counts()).toEqual({ open: 3, refused: 1 });
  });
});

/** Opens connections that each send an incomplete request head, each from a different network. */
async function halfHeads(url: string, count: number): Promise<readonly Promise<string>[]> {
  const answers: Promise<string>[] = [];
  for (let index = 0; index < count; index += 1) {
    const { socket, answer } = await connected(url, `127.0.${index + 1}.1`);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n');
    answers.push(answer);
  }
  return answers;
}

const limited = async (inAll: number, app: NonNullable<TestAppOptions['app']> = {}) => {
  const connections = new Connections({ inAll, perClient: inAll }, false);
  const { admit: onConnection, onRequest } = connections;
  return { connections, url: await started(app, { onConnection, onRequest }) };
};

describe('connections without a complete request', () => {
  it('T14: at the connection limit, a new connection replaces the oldest connection without a complete request', async () => {
    const { connections, url } = await limited(18);
    const answers = await halfHeads(url, 18);
    await until(() => connections.counts().open === 18);
    for (let index = 0; index < 6; index += 1)
      expect(await isOpen(url, `127.0.${100 + index}.1`)).toBe(true);
    expect(await answers[0]).toBe('');
    // Each complete request closes its connection after the response, which frees a slot.
    expect(connections.counts()).toEqual({ open: 17, refused: 1 });
  });

  it('T14: the network with the most connections without a complete request loses connections first', async () => {
    const { connections, url } = await limited(8);
    const networks = [1, 1, 1, 1, 2, 2, 3, 3];
    for (const [index, network] of networks.entries())
      await connected(url, `127.0.${network}.${index + 1}`);
    await until(() => connections.counts().open === 8);
    const { socket, answer } = await connected(url, '127.0.9.1');
    await until(() => connections.counts().refused === 1);
    for (const host of [20, 21, 22, 23]) await connected(url, `127.0.${host}.1`);
    await until(() => connections.counts().refused === 5);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 200/);
  });

  it('T14: if a network has no free slot, a new address replaces a connection of an address with many connections', async () => {
    const connections = new Connections({ inAll: 16, perClient: 8 }, false);
    const { admit: onConnection, onRequest } = connections;
    const url = await started({}, { onConnection, onRequest });
    // This network uses more than a quarter of the slots, because no other network needs them yet.
    for (let index = 0; index < 8; index += 1)
      await connected(url, `127.0.1.${index % 2 === 0 ? 1 : 2}`);
    for (let index = 0; index < 5; index += 1) await connected(url, `127.0.${index + 2}.1`);
    await until(() => connections.counts().open === 13);
    const { socket, answer } = await connected(url, '127.0.1.9');
    // If the attacker opens more connections, they replace earlier connections of the attacker, not
    // those of the neighbour.
    for (let index = 0; index < 6; index += 1) await connected(url, '127.0.1.1');
    await until(() => connections.counts().refused === 7);
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 200/);
  });

  it('T14: health probes can still connect while every unreserved connection has a request', async () => {
    const inFlight = new InFlight({ inAll: 100, perClient: 100 });
    const arriving = new ArrivingBodies({ inAll: 100, perClient: 100 });
    const { connections, url } = await limited(4, { inFlight, arriving });
    for (let index = 0; index < 4; index += 1)
      await slowBody(url, '203.0.113.1', 1_000, `127.0.${index + 1}.1`);
    await until(() => arriving.held === 4);
    expect(await isOpen(url, '127.0.9.1')).toBe(true);
    const { socket, answer } = await connected(url, '127.0.9.1');
    socket.write('GET /api/relayer/pools HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*OVERLOADED/);
    // A health probe can connect too: it replaces a connection with an incomplete request head in
    // the reserve.
    void (await halfHeads(url, 40));
    expect(await isOpen(url, '127.0.9.1')).toBe(true);
    expect(connections.counts().open).toBe(4);
  });
});

/** Starts a long response to a caller at each address. No caller reads the response. */
async function unread(addresses: readonly string[]): Promise<{
  readonly connections: Connections;
  readonly url: string;
}> {
  const connections = new Connections({ inAll: 4, perClient: 4 }, false);
  const { admit: onConnection, onRequest } = connections;
  // The response is larger than the buffers of a connection.
  const long = Buffer.alloc(64 * 1024 * 1024);
  const server = await listen(
    (request, response) => response.end(request.url === '/long' ? long : 'short'),
    { host: '127.0.0.1', port: 0, onConnection, onRequest },
  );
  servers.push(server);
  for (const address of addresses) {
    const { socket } = await connected(server.url, address);
    const begun = once(socket, 'readable');
    socket.removeAllListeners('data');
    socket.pause();
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
  }
  return { connections, url: server.url };
}
const GET_SHORT = 'GET /short HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('unread answers', () => {
  it('T14: if every connection has a request, a new connection replaces a connection with an unread response', async () => {
    const { connections, url } = await unread(['127.0.1.1', '127.0.2.1', '127.0.3.1', '127.0.4.1']);
    for (let index = 0; index < 3; index += 1) {
      const { socket, answer } = await connected(url, `127.0.${20 + index}.1`);
      socket.write(GET_SHORT);
      expect(await answer).toMatch(/^HTTP\/1\.1 200/);
    }
    expect(connections.counts()).toEqual({ open: 3, refused: 1 });
  });

  it('T14: connections with unread responses are closed before the only connection of another network', async () => {
    const { connections, url } = await unread(['127.0.1.1', '127.0.1.2', '127.0.2.1']);
    const { socket, answer } = await connected(url, '127.0.9.1');
    await until(() => connections.counts().open === 4);
    for (const host of [20, 21]) await connected(url, `127.0.${host}.1`);
    await until(() => connections.counts().refused === 2);
    socket.write(GET_SHORT);
    expect(await answer).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('the shared listener', () => {
  it('the shared listener does not use up the rate limits of the main listener', async () => {
    const perMinute = { reads: 1, quotes: 1, submissions: 1 };
    const { app } = await testApp({ app: { rateLimits: { perMinute, maxClients: 10 } } });
    const connections = new Connections({ inAll: 100, perClient: 2 }, false);
    const both = await listenOnAll(
      app,
      { host: '127.0.0.1', port: 0, shared: { host: '127.0.0.1', port: 0 } },
      connections,
    );
    servers.push(both);
    const statuses: number[] = [];
    for (let reads = 0; reads < 17; reads += 1) {
      statuses.push(
        (
          await fetch(`${both.sharedUrl}/status`, {
            headers: { 'x-forwarded-for': `203.0.113.${reads}` },
          })
        ).status,
      );
    }
    expect(statuses).toEqual([...Array.from({ length: 16 }, () => 200), 429]);
    expect([
      (await fetch(`${both.url}/status`)).status,
      (await fetch(`${both.url}/status`)).status,
    ]).toEqual([200, 429]);
  });
});
