import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { parseJson, type JsonObject } from '../json.js';
import { dispatch, errorReply, RpcRequest } from '../rpc/dispatch.js';
import type { MethodContext } from '../rpc/method.js';
import { ChainChanges, type ChainChange } from './chain-changes.js';
import { Subscriber } from './subscriber.js';

/**
 * Push mode of the node: it works normally, sends no messages on open connections, or rejects
 * connections.
 */
export type PushMode = 'serve' | 'mute' | 'refuse';

/** Maximum size of a WebSocket message that nodes accept. */
const MESSAGE_LIMIT_BYTES = 1024 * 1024;

/** JSON-RPC server with subscriptions over WebSocket, at `/ws` of the node's HTTP server. */
export class PushServer {
  readonly #sockets: WebSocketServer;
  readonly #subscribers = new Map<WebSocket, Subscriber>();
  readonly #changes: ChainChanges;
  #mode: PushMode = 'serve';
  #subscriptions = 0;

  /**
   * Serves the node's methods and subscriptions. @param wayMs returns the one-way delay to a
   * client, in ms
   */
  constructor(
    private readonly context: MethodContext,
    private readonly wayMs: () => number,
  ) {
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MESSAGE_LIMIT_BYTES,
      perMessageDeflate: false,
    });
    this.#changes = new ChainChanges(context.chain);
    context.chain.onChange(() => {
      for (const change of this.#changes.read()) this.#report(change);
    });
  }

  serve(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const isRefused = this.#mode === 'refuse' || request.url?.split('?', 1)[0] !== '/ws';
      if (isRefused) socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
      else this.#sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client));
    });
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#subscribers.size;
  }

  setMode(mode: PushMode): void {
    this.#mode = mode;
    if (mode === 'refuse') this.cut();
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.#subscribers.keys()) socket.terminate();
  }

  /**
   * Pushes a false message that the account's first waiting transaction succeeded and is accepted.
   * @throws RangeError if no transaction of the account waits
   */
  pretend(sender: bigint): void {
    const { pool, open, latest } = this.context.chain;
    const transaction = [...pool.all(), ...open.candidates].find(
      ({ fields }) => fields.sender === sender,
    );
    if (transaction === undefined) throw new RangeError('no transaction of the account waits');
    const used = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 1n };
    this.#report({
      kind: 'receipt',
      inclusion: { transaction, revertReason: undefined, used, feeFri: 1n, events: [] },
      finality: 'ACCEPTED_ON_L2',
      block: { number: latest.number + 1, hash: transaction.hash },
    });
  }

  stop(): void {
    this.cut();
    this.#sockets.close();
  }

  #accept(socket: WebSocket): void {
    const send = (message: JsonObject): void => this.#send(socket, message);
    const subscriber = new Subscriber(this.context, () => this.#nextId(), send);
    this.#subscribers.set(socket, subscriber);
    socket.on('close', () => this.#subscribers.delete(socket));
    // After an error, the connection's close event follows. The close event removes the subscriber.
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const request = RpcRequest.safeParse(
        parseJson(Buffer.isBuffer(data) ? data.toString('utf8') : ''),
      );
      if (!request.success) {
        send(errorReply(null, -32600, 'Invalid Request'));
        return;
      }
      const reply = dispatch(request.data, this.context, subscriber.method(request.data.method));
      if (reply !== undefined) send(reply);
    });
  }

  #report(change: ChainChange): void {
    if (this.#mode !== 'serve') return;
    for (const subscriber of this.#subscribers.values()) subscriber.changed(change);
  }

  #send(socket: WebSocket, message: JsonObject): void {
    const text = JSON.stringify(message);
    const wayMs = this.wayMs();
    if (wayMs === 0) socket.send(text, () => {});
    else setTimeout(() => socket.send(text, () => {}), wayMs).unref();
  }

  #nextId(): string {
    this.#subscriptions += 1;
    return String(this.#subscriptions);
  }
}
