import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';

const Request = z.object({ id: z.int(), method: z.string(), params: z.unknown() });
type Request = z.output<typeof Request>;

const SUBSCRIPTIONS: Readonly<Record<string, string>> = {
  starknet_subscribeNewHeads: 'heads',
  starknet_subscribeNewTransactionReceipts: 'receipts',
};

/**
 * WebSocket server on the loopback interface with scripted behaviour, which may violate the
 * protocol.
 */
export class ScriptedPusher {
  /** Requests of all connections, oldest first. */
  readonly requests: Request[] = [];
  /**
   * Returns the members of the response to one request; undefined if the server does not respond.
   */
  answer: (method: string) => object | undefined = (method) => ({
    result: SUBSCRIPTIONS[method] ?? '0x534e5f54455354',
  });
  /** Number of accepted connections. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;

  private constructor(server: Server, autoPong: boolean) {
    this.#server = server;
    this.#sockets = new WebSocketServer({ server, autoPong });
    this.#sockets.on('connection', (socket) => {
      this.connections += 1;
      socket.on('error', () => {});
      socket.on('message', (data) => {
        const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
        const request = Request.parse(JSON.parse(text));
        this.requests.push(request);
        const members = this.answer(request.method);
        if (members !== undefined)
          socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...members }));
      });
    });
  }

  /** @param autoPong false for a server that responds to no ping */
  static async start({ autoPong = true } = {}): Promise<ScriptedPusher> {
    const server = createServer((_request, response) => response.writeHead(404).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedPusher(server, autoPong);
  }

  /** URL with an access key, which must never be revealed. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `ws://127.0.0.1:${address.port}/ws/marker-access-key`;
  }

  /** Sends data to every connection. */
  send(data: string | Buffer): void {
    for (const socket of this.#sockets.clients) socket.send(data);
  }

  push(method: string, subscription: unknown, result: unknown = {}): void {
    this.send(
      JSON.stringify({ jsonrpc: '2.0', method, params: { subscription_id: subscription, result } }),
    );
  }

  each<T>(act: (socket: WebSocket) => T): readonly T[] {
    return [...this.#sockets.clients].map(act);
  }

  async stop(): Promise<void> {
    this.each((socket) => socket.terminate());
    this.#sockets.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
