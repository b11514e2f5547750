import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { getJson } from '../../src/json-request.js';

/** A port of this machine on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

describe('a request of the demonstration that gets no answer', () => {
  it('S15 says whom it asked and why it failed', async () => {
    const port = await freePort();
    await expect(getJson(`http://127.0.0.1:${port}/api/staking`)).rejects.toThrow(
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/api/staking could not be asked: ECONNREFUSED`),
    );
  });
});
