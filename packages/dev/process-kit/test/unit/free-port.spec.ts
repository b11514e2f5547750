import { describe, expect, it } from '@jest/globals';
import { freePort, holdFreePort, holdPort, release } from '../../src/free-port.js';

const HOST = '127.0.0.1';

describe('free ports', () => {
  it('free ports are outside the ephemeral range of the operating system', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
    const server = await holdPort(port, HOST);
    expect(server).not.toBeNull();
    if (server !== null) await release(server);
  });

  it('holdFreePort binds a port, which is free again after its release', async () => {
    const { port, server } = await holdFreePort(HOST);
    expect(await holdPort(port, HOST)).toBeNull();
    await release(server);
    const next = await holdPort(port, HOST);
    expect(next).not.toBeNull();
    if (next !== null) await release(next);
  });

  it('holdPort rejects with every bind error except the error for a port in use', async () => {
    await expect(holdPort(1, '192.0.2.1')).rejects.toThrow(/EADDRNOTAVAIL|EACCES/u);
  });
});
