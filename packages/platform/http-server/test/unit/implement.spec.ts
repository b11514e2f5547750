import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import express from 'express';
import * as z from 'zod';
import { implement, type RouteDefinition } from '../../src/index.js';
import { requestObservation } from '../../src/observed-requests.js';
import { beginRequest } from '../../src/request-context.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const definition = {
  method: 'post',
  path: '/things',
  operationId: 'makeThing',
  summary: 'Things',
  tag: 'things',
  limitedAs: 'reads',
  body: {
    limitBytes: 1_000,
    schema: z.object({ texts: z.array(z.string()) }),
    examples: {},
  },
  replies: { 200: { description: 'Made', schema: z.object({ count: z.number() }) } },
} as const satisfies RouteDefinition;

describe('a route with a body', () => {
  let server: Server;
  let sent: WeakRef<object> | null;
  let taken: PromiseWithResolvers<WeakRef<object>>;
  let waiting: PromiseWithResolvers<void>;

  beforeEach(async () => {
    sent = null;
    taken = Promise.withResolvers();
    waiting = Promise.withResolvers();
    const route = implement(definition, ({ body }) => {
      taken.resolve(new WeakRef(body.texts));
      const count = body.texts.length;
      return (async () => {
        await waiting.promise;
        return { status: 200, body: { count } } as const;
      })();
    });
    const app = express()
      .use(
        beginRequest({
          callerOf: () => ({ name: 'one', networks: [] }),
          stopping: new AbortController().signal,
          closing: new AbortController().signal,
          observe: requestObservation([]),
        }),
      )
      .use(express.json())
      .use((request, _response, next) => {
        sent = new WeakRef(request.body.texts);
        next();
      })
      .post('/things', route.serve({ clock: new ManualClock(), logger: silentLogger }).handler);
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
  });

  it('the request and its parsed body can be garbage-collected while the handler’s promise is pending', async () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const headers = { 'Content-Type': 'application/json' };
    const request = httpRequest({ port, path: '/things', method: 'POST', headers });
    const response = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
    request.end(JSON.stringify({ texts: ['a', 'b'] }));
    const read = await taken.promise;
    await nextTurn();
    collectGarbage();
    expect([sent?.deref(), read.deref()]).toEqual([undefined, undefined]);
    waiting.resolve();
    expect(JSON.parse((await (await response).toArray()).join(''))).toEqual({ count: 2 });
  });
});
