import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@sotto/telemetry';
import express from 'express';
import request from 'supertest';
import { errorHandler } from '../../src/error-handler.js';
import { BodyTooLarge, RouteNotFound } from '../../src/errors.js';
import { requestObservation } from '../../src/observed-requests.js';
import { beginRequest, tagRoute } from '../../src/request-context.js';

describe('an error that the route does not declare', () => {
  it('an error that its route does not declare is still returned to the caller, and is logged', async () => {
    const logged: string[] = [];
    const app = express();
    app.use(
      beginRequest({
        callerOf: () => ({ name: 'caller', networks: [] }),
        stopping: new AbortController().signal,
        closing: new AbortController().signal,
        observe: requestObservation([]),
      }),
    );
    app.get('/declared', tagRoute('/declared', { codes: [BodyTooLarge.code] }), () => {
      throw new BodyTooLarge();
    });
    app.get('/undeclared', tagRoute('/undeclared', { codes: [BodyTooLarge.code] }), () => {
      throw new RouteNotFound();
    });
    const destination = { write: (line: string) => void logged.push(line) };
    app.use(errorHandler(createLogger({ level: 'debug', destination }), () => ({})));

    expect((await request(app).get('/declared')).body.code).toBe('BODY_TOO_LARGE');
    expect(logged).toEqual([]);
    expect((await request(app).get('/undeclared')).body.code).toBe('ROUTE_NOT_FOUND');
    expect(logged.join('')).toContain('the route does not declare this error');
    expect(logged.join('')).toContain('ROUTE_NOT_FOUND');
  });
});
