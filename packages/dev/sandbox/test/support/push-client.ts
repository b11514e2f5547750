import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';

const Message = z.union([
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.int().nullable(),
    result: z.unknown().optional(),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional(),
  }),
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    method: z.string(),
    params: z.object({ subscription_id: z.string(), result: z.unknown() }),
  }),
]);
type Reply = Extract<z.output<typeof Message>, { id: unknown }>;
type Pushed = Exclude<z.output<typeof Message>, Reply>;

/** Client of the node's WebSocket interface, which stores all received messages. */
export class PushClient {
  readonly pushed: Pushed[] = [];
  readonly #replies = new Map<number | null, Reply>();
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
      const message = Message.parse(JSON.parse(text));
      if ('method' in message) this.pushed.push(message);
      else this.#replies.set(message.id, message);
      for (const poll of this.#waiting) poll();
    });
  }

  static async connect(url: string): Promise<PushClient> {
    const socket = new WebSocket(url.replace('http', 'ws'));
    await once(socket, 'open');
    return new PushClient(socket);
  }

  async query(method: string, params: unknown = {}): Promise<Reply> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.sendText(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.reply(id);
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  reply(id: number | null): Promise<Reply> {
    return this.#until(() => this.#replies.get(id));
  }

  /** Resolves with all pushed messages as soon as at least `count` have arrived. */
  async until(count: number): Promise<readonly Pushed[]> {
    return this.#until(() => (this.pushed.length >= count ? this.pushed : undefined));
  }

  /** Resolves when the node has closed the connection. */
  async closed(): Promise<void> {
    if (this.socket.readyState !== WebSocket.CLOSED) await once(this.socket, 'close');
  }

  close(): void {
    this.socket.terminate();
  }

  #until<T>(read: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const poll = (): void => {
        const value = read();
        if (value === undefined) return;
        this.#waiting.delete(poll);
        resolve(value);
      };
      this.#waiting.add(poll);
      poll();
    });
  }
}
