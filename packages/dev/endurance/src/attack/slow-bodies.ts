import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const ANNOUNCED_BYTES = 60_000;
const SENT = '{"poolAddress":"0x';

/**
 * Requests whose bodies never end. Each request uses its connection until the service closes it.
 */
export class SlowBodies {
  readonly #sockets = new Set<Socket>();

  constructor(private readonly url: URL) {}

  /** Number of connections that the service has not closed yet. */
  get open(): number {
    return this.#sockets.size;
  }

  /** @param from address of the caller, as a trusted proxy reports it */
  async begin(from: string): Promise<void> {
    const socket = connect(Number(this.url.port), this.url.hostname);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
    this.#sockets.add(socket);
    const head = [
      'POST /api/relayer/withdraw HTTP/1.1',
      `Host: ${this.url.host}`,
      `X-Forwarded-For: ${from}`,
      'Content-Type: application/json',
      `Content-Length: ${ANNOUNCED_BYTES}`,
    ];
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    socket.write(`${head.join('\r\n')}\r\n\r\n${SENT}`);
    socket.resume();
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
