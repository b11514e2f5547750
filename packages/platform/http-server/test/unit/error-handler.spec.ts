import { describe, expect, it } from '@jest/globals';
import { Overloaded, silentLogger } from '@sotto/kernel';
import express from 'express';
import request from 'supertest';
import { errorHandler } from '../../src/error-handler.js';
import { requestObservation } from '../../src/observed-requests.js';
import { beginRequest } from '../../src/request-context.js';

describe('warnings of requests that were not served', () => {
  it('O2: the log contains at most ten warnings per second about unserved requests', async () => {
    const warned: unknown[] = [];
    const waiting: (() => void)[] = [];
    const warn = (fields: object, message: string) =>
      void warned.push(message === 'request not served' ? message : { fields, message });
    const app = express();
    app.use(
      beginRequest({
        callerOf: () => ({ name: 'caller', networks: [] }),
        stopping: new AbortController().signal,
        closing: new AbortController().signal,
        observe: requestObservation([]),
      }),
    );
    app.use(() => {
      throw new Overloaded({ retryAfterSeconds: 1 });
    });
    app.use(
      errorHandler(
        { ...silentLogger, warn },
        () => ({}),
        undefined,
        (run) => void waiting.push(run),
      ),
    );
    for (let sent = 0; sent < 13; sent += 1)
      expect((await request(app).get('/things')).status).toBe(503);
    expect(warned.splice(0)).toEqual(Array(10).fill('request not served'));
    for (const end of waiting.splice(0)) end();
    expect(warned.splice(0)).toEqual([
      { fields: { OVERLOADED: 3 }, message: 'requests not served without a line' },
    ]);
    await request(app).get('/things');
    expect(warned).toEqual(['request not served']);
  });
});
