import { holdFreePort, holdPort, release, type HeldPort } from '@sotto/process-kit/free-port';
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
 * @throws PortTaken; DevError for a port that is asked for twice
 */
export async function claimPorts(
  ports: readonly number[],
  host: string,
): Promise<readonly number[]> {
  const twice = ports.find((port, index) => port !== 0 && ports.indexOf(port) !== index);
  if (twice !== undefined) throw new DevError(`port ${twice} is asked for twice`);
  const held: HeldPort[] = [];
  try {
    for (const port of ports) held.push(await heldAt(port, host));
    return held.map(({ port }) => port);
  } finally {
    await Promise.all(held.map(({ server }) => release(server)));
  }
}

async function heldAt(port: number, host: string): Promise<HeldPort> {
  if (port === 0) return holdFreePort(host);
  const server = await holdPort(port, host);
  if (server === null) throw new PortTaken(port);
  return { port, server };
}
