import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { claimPort, PortTaken } from '../../src/stack/claim-port.js';

const HOST = '127.0.0.1';

describe('claimPort', () => {
  it('finds a free port that can be listened on afterwards', async () => {
    const port = await claimPort(0, HOST);
    expect(port).toBeGreaterThan(0);
    expect(await claimPort(port, HOST)).toBe(port);
  });

  it('says which port is taken, and what to do', async () => {
    const holder = createServer();
    holder.listen(0, HOST);
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await expect(claimPort(port, HOST)).rejects.toThrow(PortTaken);
      await expect(claimPort(port, HOST)).rejects.toThrow(`port ${port} is in use`);
    } finally {
      holder.close();
      await once(holder, 'close');
    }
  });
});
