import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';
import type { DocsOf } from './error-handler.js';
import { refuseConnection } from './refuse-connection.js';

export interface ListeningServer {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Takes no more connections. Requests under way have `graceMs` to end by themselves; then `hurry`
   * is called, and what has not ended soon after that is cut off.
   */
  close(graceMs: number, hurry: () => void): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Looks at each connection before anything is read from it. @default takes all */
  readonly onConnection?: (socket: Socket) => void;
  /**
   * Looks at each request whose head is complete; false if it has answered the request.
   * @default serves all
   */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** @default {@link ARRIVAL} */
  readonly arrival?: typeof ARRIVAL;
  /** Of what is refused before there is a request. @default failures without a link */
  readonly docsOf?: DocsOf | undefined;
}

/**
 * Slow senders: on any line worth serving headers take no second, and a body of 256 KiB not so
 * many. Looked at every second.
 */
const ARRIVAL = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
};
/**
 * Idle connections stay open for longer than load balancers keep them (60 s, mostly): the side that
 * sends requests must close first, or a request meets a connection that is just being closed.
 */
const KEEP_ALIVE_MS = 65_000;
/** After `hurry`, answers only have to be written. */
const LAST_ANSWERS_MS = 2_000;

/** Listens on host and port; port 0 takes a free one. Rejects when the port can't be had. */
export async function listen(
  app: RequestListener,
  { host, port, onConnection, onRequest, arrival = ARRIVAL, docsOf }: ServerOptions,
): Promise<ListeningServer> {
  const server = createServer(
    { ...arrival, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      if (onRequest?.(request, response) !== false) app(request, response);
    },
  );
  if (onConnection !== undefined) server.on('connection', onConnection);
  let closing = false;
  server.on('clientError', refuseConnection(docsOf));
  server.on('request', (_request, response) => {
    response.once('close', () => {
      // A kept-alive connection becomes idle just after its answer; nothing else would end it for
      // some seconds.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async close(graceMs, hurry) {
      closing = true;
      const closed = once(server, 'close');
      server.close();
      const timers = [
        setTimeout(hurry, graceMs),
        setTimeout(() => server.closeAllConnections(), graceMs + LAST_ANSWERS_MS),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ListenerSettings extends Address, Pick<ServerOptions, 'docsOf'> {
  /** Of the listener whose callers all share one address; null without such a listener. */
  readonly shared: Address | null;
}

export interface Listeners extends ListeningServer {
  /** URL of the listener whose callers all share one address; null without such a listener. */
  readonly sharedUrl: string | null;
}

/**
 * Listens where the settings say; both listeners serve the same and are closed together. Rejects
 * when a port can't be had, and holds none then.
 */
export async function listenOnAll(
  app: RequestListener,
  { host, port, shared, docsOf }: ListenerSettings,
  { admit, admitShared, onRequest }: Pick<Connections, 'admit' | 'admitShared' | 'onRequest'>,
): Promise<Listeners> {
  const first = await listen(app, { host, port, docsOf, onRequest, onConnection: admit });
  if (shared === null) return { ...first, sharedUrl: null };
  const second = await listen(app, {
    ...shared,
    docsOf,
    onRequest,
    onConnection: admitShared,
  }).catch(async (error: unknown) => {
    await first.close(0, () => {});
    throw error;
  });
  return {
    url: first.url,
    sharedUrl: second.url,
    async close(graceMs, hurry) {
      await Promise.all([first.close(graceMs, hurry), second.close(graceMs, hurry)]);
    },
  };
}
