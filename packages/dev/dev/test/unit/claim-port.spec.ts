/** @isolated Replaces a module. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import * as freePorts from '@sotto/process-kit/free-port';
import { claimPorts, PortTaken } from '../../src/claim-port.js';

async function claimPort(port: number, host: string): Promise<number> {
  const [claimed = 0] = await claimPorts([port], host);
  return claimed;
}

const HOST = '127.0.0.1';

describe('claimPorts', () => {
  it('claimPorts finds a free port that can be bound afterwards', async () => {
    const port = await claimPort(0, HOST);
    expect(port).toBeGreaterThan(0);
    expect(await claimPort(port, HOST)).toBe(port);
  });

  it('claimPorts finds the requested number of distinct ports', async () => {
    const ports = await claimPorts([0, 0, 0, 0], HOST);
    expect(new Set(ports).size).toBe(4);
  });

  it('claimPorts never returns a port that the caller also requests by its number', async () => {
    const named = await claimPort(0, HOST);
    jest.unstable_mockModule('@sotto/process-kit/free-port', () => ({
      ...freePorts,
      holdFreePort: async (host: string) => {
        const server = await freePorts.holdPort(named, host);
        return server === null ? freePorts.holdFreePort(host) : { port: named, server };
      },
    }));
    jest.resetModules();
    const claiming = await import('../../src/claim-port.js');
    const [free, second] = await claiming.claimPorts([0, named], HOST);
    expect(free).not.toBe(named);
    expect(second).toBe(named);
  });

  it('claimPorts rejects a port that is requested twice', async () => {
    const port = await claimPort(0, HOST);
    await expect(claimPorts([port, 0, port], HOST)).rejects.toThrow(
      `port ${port} is requested twice`,
    );
  });

  it('the error of claimPorts names the port that is in use and a remedy', async () => {
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
