import { once } from 'node:events';
import { createServer } from 'node:net';

/** Another process listens on the port. */
export class PortTaken extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is in use; end what listens there, or choose another: PORT=3001 npm start`);
  }
}

/**
 * Makes sure that a port can be listened on, before anything is started for it.
 * @param port 0 for any free one
 * @returns the port
 * @throws PortTaken
 */
export async function claimPort(port: number, host: string): Promise<number> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw isInUse(error) ? new PortTaken(port) : error;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}

function isInUse(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE'
  );
}
