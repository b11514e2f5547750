import { describe, expect, it } from '@jest/globals';
import { freePort } from '@sotto/process-kit/free-port';
import { getJson } from '../../src/json-request.js';

describe('a request of the demonstration that gets no answer', () => {
  it('S15 a request of the demonstration without a response fails with the URL and the reason', async () => {
    const port = await freePort();
    await expect(getJson(`http://127.0.0.1:${port}/api/staking`)).rejects.toThrow(
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/api/staking could not be reached: ECONNREFUSED`),
    );
  });
});
