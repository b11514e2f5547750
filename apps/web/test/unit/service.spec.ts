import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { readService } from '../../src/service.js';

it('a service that accepts connections but does not respond is reported as unavailable', async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const failure = { message: 'the service does not answer', code: null };
  try {
    expect(await readService(`http://127.0.0.1:${port}`, 50)).toMatchObject({
      status: { failure },
      pools: { failure },
      fees: { failure },
    });
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
