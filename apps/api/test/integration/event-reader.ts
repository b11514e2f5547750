import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SentEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: unknown;
}

const PATH = '/api/operator/events';

/** Reads server-sent events from an app. */
export class EventReader {
  readonly headers: IncomingMessage['headers'];
  /** Resolves when the stream has ended. */
  readonly ended: Promise<unknown>;
  readonly #events: SentEvent[] = [];
  #text = '';
  #arrived = (): void => {};

  private constructor(
    response: IncomingMessage,
    readonly close: () => Promise<void>,
  ) {
    this.headers = response.headers;
    this.ended = once(response, 'end');
    response.setEncoding('utf8');
    response.on('data', (part: string) => this.#read(part));
  }

  static async open(app: RequestListener, headers: Record<string, string>): Promise<EventReader> {
    const server = createServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // CAST: a server that listens on a port has the address of one.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: PATH, headers }, resolve).once('error', reject);
    });
    return new EventReader(response, async () => {
      response.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
  }

  /** Returns the next event of this name. Skips events of other names before it. */
  async next(name: string): Promise<SentEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event?.name === name) return event;
      if (event === undefined)
        await new Promise<void>((resolve) => {
          this.#arrived = resolve;
        });
    }
  }

  #read(part: string): void {
    this.#text += part;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string | undefined =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const [name, data] = [field('event'), field('data')];
      if (name !== undefined && data !== undefined)
        this.#events.push({ id: field('id'), name, data: JSON.parse(data) });
    }
    this.#arrived();
  }
}
