import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** TCP relay in front of a server. A test can break the relay's connections. */
export class CuttableRelay {
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param url URL of the server, with any protocol */
  static async before(url: string): Promise<CuttableRelay> {
    const target = new URL(url);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    const own = new URL(url);
    own.port = String(address.port);
    const relay = new CuttableRelay(server, own.href);
    server.on('connection', (client) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const socket of [client, upstream]) {
        relay.#sockets.add(socket);
        socket.on('close', () => relay.#sockets.delete(socket));
        socket.on('error', () => {});
      }
      client.pipe(upstream).pipe(client);
    });
    return relay;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.cut();
    await once(this.server, 'close');
  }
}
