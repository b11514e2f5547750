import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { DevError } from './dev-error.js';

/** Another process listens on the port. */
export class PortTaken extends DevError {
  constructor(readonly port: number) {
    super(`port ${port} is in use; end what listens there, or choose another`);
  }
}

/**
 * Makes sure that ports can be listened on, before anything is started for them.
 * @param ports 0 for any free one
 * @returns the ports, in their order; no two are the same
 * @throws PortTaken
 */
export async function claimPorts(
  ports: readonly number[],
  host: string,
): Promise<readonly number[]> {
  const holders: Server[] = [];
  try {
    for (const port of ports) holders.push(await heldAt(port, host));
    return holders.map(portOf);
  } finally {
    await Promise.all(holders.map(release));
  }
}

async function heldAt(port: number, host: string): Promise<Server> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw isInUse(error) ? new PortTaken(port) : error;
  }
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

function isInUse(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE'
  );
}
