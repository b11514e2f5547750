import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MainnetRefused, deployStack } from '../../src/index.js';

/** Chain id `SN_MAIN` as a felt. */
const MAINNET = '0x534e5f4d41494e';

describe('mainnet node', () => {
  let server: Server;
  const requested: unknown[] = [];

  beforeEach(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requested.push(JSON.parse(body));
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: MAINNET }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  it('deployStack rejects a mainnet node right after reading its chain id, and sends no transaction', async () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(
      deployStack(`http://127.0.0.1:${port}`, { address: 0xdn, privateKey: 0x5n }),
    ).rejects.toThrow(MainnetRefused);
    expect(requested).toMatchObject([{ method: 'starknet_chainId' }]);
  });
});
