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
  /** Address on which it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Accepts no more connections. Requests in flight have `graceMs` to finish; then `hurry` is
   * called, and requests that have not finished soon after are aborted.
   */
  close(graceMs: number, hurry: () => void): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Called for each connection before anything is read from it. @default accepts all */
  readonly onConnection?: (socket: Socket) => void;
  /**
   * Called for each request whose head is complete. Returns false if it has answered the request.
   * @default serves all
   */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** @default {@link ARRIVAL} */
  readonly arrival?: typeof ARRIVAL;
  /**
   * Link to the page of a code, for requests refused before they are parsed. @default failures
   * without a link
   */
  readonly docsOf?: DocsOf | undefined;
}

/**
 * Timeouts for slow headers and bodies in ms, checked every second. On an ordinary line headers
 * need less than a second, and a body of 256 KiB a few seconds.
 */
const ARRIVAL = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
};
/**
 * Timeout of idle connections in ms, longer than that of load balancers (mostly 60 s). The side
 * that sends requests must close first, or a request may meet a connection that is being closed.
 */
const KEEP_ALIVE_MS = 65_000;
/** Time in ms for writing replies after `hurry`. */
const LAST_ANSWERS_MS = 2_000;

/** Listens on host and port; port 0 selects a free one. Rejects if the port is not available. */
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
      // A kept-alive connection becomes idle just after its response. Close it now, or it stays
      // open for several seconds.
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
  /** Address of the listener whose callers all share one address; null without such a listener. */
  readonly shared: Address | null;
}

export interface Listeners extends ListeningServer {
  /** URL of the listener whose callers all share one address; null without such a listener. */
  readonly sharedUrl: string | null;
}

/**
 * Listens on the configured addresses. Both listeners serve the same routes and are closed
 * together. Rejects if a port is not available, and then holds none.
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
