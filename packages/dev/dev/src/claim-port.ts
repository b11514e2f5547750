import { holdFreePort, holdPort, release, type HeldPort } from '@sotto/process-kit/free-port';
import { DevError } from './dev-error.js';

/** Error if another process already listens on the requested port. */
export class PortTaken extends DevError {
  constructor(readonly port: number) {
    super(`port ${port} is in use; end the process that listens there, or choose another port`);
  }
}

/**
 * Checks that ports are free before any process is started for them.
 * @param ports port numbers; 0 requests any free port
 * @returns the ports, in order, all different
 * @throws PortTaken; DevError if a port is requested twice
 */
export async function claimPorts(
  ports: readonly number[],
  host: string,
): Promise<readonly number[]> {
  const twice = ports.find((port, index) => port !== 0 && ports.indexOf(port) !== index);
  if (twice !== undefined) throw new DevError(`port ${twice} is requested twice`);
  const held: HeldPort[] = [];
  try {
    // Bind the requested port numbers first. Otherwise a free port that was chosen here could equal
    // one of them.
    for (const port of ports) if (port !== 0) held.push(await holdNamed(port, host));
    const claimed: number[] = [];
    for (const port of ports) claimed.push(port === 0 ? await free() : port);
    return claimed;
  } finally {
    await Promise.all(held.map(({ server }) => release(server)));
  }

  async function free(): Promise<number> {
    const one = await holdFreePort(host);
    held.push(one);
    return one.port;
  }
}

async function holdNamed(port: number, host: string): Promise<HeldPort> {
  const server = await holdPort(port, host);
  if (server === null) throw new PortTaken(port);
  return { port, server };
}
