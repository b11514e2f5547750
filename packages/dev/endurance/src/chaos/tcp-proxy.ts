import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Treatment of bytes by the proxy. `mute-requests` and `mute-answers` simulate half-open
 * connections: one side continues to send, but its bytes never arrive. `reset` breaks open and new
 * connections.
 */
export type Passage = 'pass' | 'mute-requests' | 'mute-answers' | 'reset';

interface Place {
  readonly host: string;
  readonly port: number;
}

/** TCP proxy between the service and a server. */
export class TcpProxy {
  #passage: Passage = 'pass';
  #mostClients = Number.POSITIVE_INFINITY;
  readonly #clients = new Set<Socket>();
  readonly #open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private target: Place,
  ) {
    server.on('connection', (client: Socket) => this.#join(client));
  }

  static async start(target: Place): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    return new TcpProxy(server, address.port, target);
  }

  /** Starts a proxy. Also returns the URL with the proxy's host and port. */
  static async before(url: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const parsed = new URL(url);
    const proxy = await TcpProxy.start({ host: parsed.hostname, port: Number(parsed.port) });
    return { proxy, url: proxy.through(url) };
  }

  /** Returns the URL of a server with this proxy's host and port. */
  through(url: string): string {
    const parsed = new URL(url);
    parsed.hostname = '127.0.0.1';
    parsed.port = String(this.port);
    return parsed.href;
  }

  /** Sets the treatment of bytes for open and new connections. */
  set(passage: Passage): void {
    this.#passage = passage;
    if (passage === 'reset') this.#breakAll();
  }

  /**
   * Limits the number of connections. Breaks the open connections, and any later connection above
   * the limit.
   */
  limitTo(mostClients: number): void {
    this.#mostClients = mostClients;
    this.#breakAll();
  }

  /** Redirects new connections to the server of this URL, and breaks open connections. */
  pointTo(url: string): void {
    const { hostname, port } = new URL(url);
    this.target = { host: hostname, port: Number(port) };
    this.#breakAll();
  }

  async stop(): Promise<void> {
    this.#breakAll();
    this.server.close();
    await once(this.server, 'close');
  }

  #join(client: Socket): void {
    if (this.#passage === 'reset' || this.#clients.size >= this.#mostClients) {
      client.resetAndDestroy();
      return;
    }
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    const server = connect({ ...this.target, allowHalfOpen: true });
    this.#carry(client, server, 'mute-requests');
    this.#carry(server, client, 'mute-answers');
  }

  #carry(from: Socket, to: Socket, muted: Passage): void {
    this.#open.add(from);
    from.on('data', (bytes) => {
      if (this.#passage !== muted) to.write(bytes);
    });
    from.on('end', () => {
      if (this.#passage !== muted) to.end();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#open.delete(from);
      to.destroy();
    });
  }

  #breakAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
