import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of bytes. `mute-requests` and `mute-answers` are half-open connections: one side
 * goes on sending and nothing of it arrives; `reset` breaks what is open and what is begun.
 */
export type Passage = 'pass' | 'mute-requests' | 'mute-answers' | 'reset';

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Stands between the service and a server that it speaks TCP with. */
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

  /** The URL with this proxy in the place of its host and port. */
  static async before(url: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const parsed = new URL(url);
    const proxy = await TcpProxy.start({ host: parsed.hostname, port: Number(parsed.port) });
    return { proxy, url: proxy.through(url) };
  }

  /** The URL of a server, by way of this proxy. */
  through(url: string): string {
    const parsed = new URL(url);
    parsed.hostname = '127.0.0.1';
    parsed.port = String(this.port);
    return parsed.href;
  }

  /** Of what is open, too. */
  set(passage: Passage): void {
    this.#passage = passage;
    if (passage === 'reset') this.#breakAll();
  }

  /** Breaks every connection above this many, and those that are open now. */
  limitTo(mostClients: number): void {
    this.#mostClients = mostClients;
    this.#breakAll();
  }

  /** New connections go there, and those to the old place break. */
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
