import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@sotto/kernel';
import { requestLog } from '../../src/request-log.js';

describe('requestLog', () => {
  it('O2 has a line for each request, and none for a probe of health', () => {
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

  it('O9: has a debug line for a poll that succeeds, with what its route has noted', () => {
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
});
