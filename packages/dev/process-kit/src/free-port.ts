import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Port range that is below the ports that an operating system assigns to outgoing connections and
 * to listeners on port 0. So the system never assigns one of these ports between the check and the
 * use.
 */
const [LOWEST_PORT, ABOVE_PORTS] = [20_000, 32_000];
const MOST_TRIES = 100;

/** Returns a port that is free now. @throws Error if all tried ports are in use */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const { port, server } = await holdFreePort(host);
  await release(server);
  return port;
}

/**
 * Returns a port that remains bound until its server is closed. @throws Error if all tried ports
 * are in use
 */
export async function holdFreePort(host: string): Promise<HeldPort> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(LOWEST_PORT, ABOVE_PORTS);
    const server = await holdPort(port, host);
    if (server !== null) return { port, server };
  }
  throw new Error(`${MOST_TRIES} ports between ${LOWEST_PORT} and ${ABOVE_PORTS} are in use`);
}

/** Bound port, and the server that keeps it bound. */
export interface HeldPort {
  readonly port: number;
  readonly server: Server;
}

/**
 * Binds a port and returns its server; null if the port is in use. @throws any other error of the
 * bind
 */
export async function holdPort(port: number, host: string): Promise<Server | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (isInUse(error)) return null;
    throw error;
  }
}

export async function release(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

function isInUse(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE'
  );
}
