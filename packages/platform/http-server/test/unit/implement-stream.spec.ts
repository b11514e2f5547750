import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import express, { type RequestHandler } from 'express';
import * as z from 'zod';
import { implementStream, type RouteDefinition } from '../../src/index.js';
import { requestObservation } from '../../src/observed-requests.js';
import { beginRequest } from '../../src/request-context.js';

const definition = {
  method: 'get',
  path: '/lines',
  operationId: 'getLines',
  summary: 'Lines',
  tag: 'things',
  limitedAs: 'reads',
  replies: { 200: { description: 'Lines', schema: z.string(), contentType: 'text/plain' } },
} as const satisfies RouteDefinition;

/** Text with more characters than the buffers of two sockets can store. */
const LARGE = 'x'.repeat(1_000_000);

describe('a route that streams', () => {
  let clock: ManualClock;
  let server: Server;
  let signal: AbortSignal | null;
  let hasEnded: boolean;
  let written: number;
  let onRequest: RequestHandler;

  async function* parts(): AsyncGenerator<string> {
    try {
      for (let index = 0; index < 100; index += 1) {
        written += 1;
        yield LARGE;
      }
    } finally {
      hasEnded = true;
    }
  }

  beforeEach(async () => {
    clock = new ManualClock();
    signal = null;
    hasEnded = false;
    written = 0;
    onRequest = (_request, _response, next) => next();
    const caller = { name: 'one', networks: [] };
    const route = implementStream(definition, (input) => {
      ({ signal } = input);
      return { parts: parts() };
    });
    const app = express()
      .use(
        beginRequest({
          callerOf: () => caller,
          stopping: new AbortController().signal,
          closing: new AbortController().signal,
          observe: requestObservation([]),
        }),
      )
      .use((request, response, next) => onRequest(request, response, next))
      .get('/lines', route.serve({ clock, logger: silentLogger }).handler);
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    await until(() => hasEnded);
    server.close();
    await once(server, 'close');
  });

  const open = async (): Promise<IncomingMessage> => {
    const [response] = await once(get({ ...addressOf(server), path: '/lines' }), 'response');
    return response;
  };
  it('a streaming route writes no faster than the caller reads', async () => {
    const response = await open();
    await until(() => clock.sleeping === 1);
    const before = written;
    expect(before).toBeLessThan(50);
    response.resume();
    await until(() => written > before);
    response.destroy();
  });

  it('a streaming route disconnects a caller that reads no data for thirty seconds', async () => {
    const response = await open();
    response.on('error', () => {});
    await until(() => clock.sleeping === 1);
    clock.advance(29_999);
    expect(signal?.aborted).toBe(false);
    clock.advance(1);
    await until(() => hasEnded);
    expect(signal?.aborted).toBe(true);
    expect(clock.sleeping).toBe(0);
    response.resume();
    await until(() => response.closed);
    expect(response.complete).toBe(false);
  });

  it('a streaming route that waits for a slow caller ends when the caller disconnects', async () => {
    const response = await open();
    response.on('error', () => {});
    await until(() => clock.sleeping === 1);
    response.destroy();
    await until(() => hasEnded);
    expect(clock.sleeping).toBe(0);
  });

  it('a streaming route detects a caller that disconnected before the handler ran', async () => {
    onRequest = (_request, response, next) => void response.once('close', () => next());
    const requested = get({ ...addressOf(server), path: '/lines' });
    requested.on('error', () => {});
    await once(server, 'request');
    requested.destroy();
    await until(() => signal !== null);
    expect(signal?.aborted).toBe(true);
    await until(() => hasEnded);
    expect(written).toBeLessThanOrEqual(1);
  });
});

function addressOf(server: Server): { readonly host: string; readonly port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return { host: address.address, port: address.port };
}

async function until(holds: () => boolean): Promise<void> {
  for (let looks = 0; looks < 600 && !holds(); looks += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(holds()).toBe(true);
}
