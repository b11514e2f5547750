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
    };
    for (const route of ['/health/live', '/health/ready', '/health/serving', '/status'])
      log({ ...ended, route });
    expect(routes).toEqual(['/status']);
  });
});
