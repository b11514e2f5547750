import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that an operating system gives to connections of its own, and to listeners that
 * ask for any: between the look and the use it gives none of these away.
 */
const [LOWEST_PORT, ABOVE_PORTS] = [20_000, 32_000];
const MOST_TRIES = 100;

/** A port that nothing listens on now. @throws Error where all are taken */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const { port, server } = await holdFreePort(host);
  await release(server);
  return port;
}

/** The same, taken until its server is closed. @throws Error where all are taken */
export async function holdFreePort(host: string): Promise<HeldPort> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(LOWEST_PORT, ABOVE_PORTS);
    const server = await holdPort(port, host);
    if (server !== null) return { port, server };
  }
  throw new Error(`${MOST_TRIES} ports between ${LOWEST_PORT} and ${ABOVE_PORTS} are in use`);
}

/** A port, and the server that keeps others from it. */
export interface HeldPort {
  readonly port: number;
  readonly server: Server;
}

/** Null when something listens there. @throws what else is wrong with the port */
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
