import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@sotto/kernel';
import { requestLog } from '../../src/request-log.js';

describe('requestLog', () => {
  it('O2: the request log writes a line for each request, but no line for a health probe', () => {
    const routes: unknown[] = [];
    const log = requestLog({ ...silentLogger, info: ({ route }) => void routes.push(route) });
    const ended = {
      requestId: 'a',
      method: 'GET',
      status: 503,
      durationMs: 1,
      code: undefined,
      holder: undefined,
      callerLeft: false,
      noted: {},
    };
    for (const route of ['/health/live', '/health/ready', '/health/serving', '/status'])
      log({ ...ended, route });
    expect(routes).toEqual(['/status']);
  });

  it('O9: the request log writes a debug line for a successful poll, with the fields that the route added', () => {
    const lines: unknown[] = [];
    const log = requestLog({
      ...silentLogger,
      debug: ({ route, status, submission }) =>
        void lines.push(['debug', route, status, submission]),
      info: ({ route, status }) => void lines.push(['info', route, status]),
    });
    const ended = {
      requestId: 'a',
      method: 'GET',
      status: 200,
      durationMs: 1,
      code: undefined,
      holder: undefined,
      callerLeft: false,
      noted: { submission: 's1' },
    };
    log({ ...ended, route: '/status' });
    log({ ...ended, route: '/api/relayer/submissions/:id' });
    log({ ...ended, route: '/api/relayer/submissions/:id', status: 404 });
    log({ ...ended, route: '/api/relayer/pools' });
    expect(lines).toEqual([
      ['debug', '/status', 200, 's1'],
      ['debug', '/api/relayer/submissions/:id', 200, 's1'],
      ['info', '/api/relayer/submissions/:id', 404],
      ['info', '/api/relayer/pools', 200],
    ]);
  });

  it('O2: the request log writes at most ten lines per second for requests without a route', () => {
    const lines: unknown[] = [];
    const waiting: (() => void)[] = [];
    const log = requestLog(
      {
        ...silentLogger,
        info: (fields, message) =>
          void lines.push(message === 'request' ? fields['code'] : { fields, message }),
      },
      (run) => void waiting.push(run),
    );
    const ended = {
      requestId: 'a',
      method: 'GET',
      route: 'unmatched',
      status: 404,
      durationMs: 1,
      code: 'ROUTE_NOT_FOUND',
      holder: undefined,
      callerLeft: false,
      noted: {},
    };
    const limited = { ...ended, route: '/api/a', status: 429, code: 'RATE_LIMITED' };
    for (let sent = 0; sent < 9; sent += 1) log(ended);
    for (let sent = 0; sent < 3; sent += 1) log(limited);
    for (let sent = 0; sent < 4; sent += 1) log(ended);
    log({ ...ended, method: 'OPTIONS', status: 204, code: undefined });
    log({ ...ended, method: 'DELETE', route: '/api/a', status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(lines.splice(0)).toEqual([...Array(9).fill('ROUTE_NOT_FOUND'), 'RATE_LIMITED']);
    // A request that a route accepted has a log line even while other callers flood the service.
    log({ ...ended, route: '/api/a', status: 200, code: 'OWN' });
    expect(lines.splice(0)).toEqual(['OWN']);
    for (const end of waiting.splice(0)) end();
    expect(lines.splice(0)).toEqual([
      {
        fields: { RATE_LIMITED: 2, ROUTE_NOT_FOUND: 4, status204: 1, METHOD_NOT_ALLOWED: 1 },
        message: 'requests without a line',
      },
    ]);
    log(ended);
    for (const end of waiting.splice(0)) end();
    expect(lines).toEqual(['ROUTE_NOT_FOUND']);
    expect(waiting).toEqual([]);
  });
});
