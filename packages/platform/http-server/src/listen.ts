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
  /** URL at which the server listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Stops accepting connections. Requests in flight can finish within `graceMs` ms. Then `hurry` is
   * called, and requests that have not finished soon afterwards are aborted.
   */
  close(graceMs: number, hurry: () => void): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Called for each new connection before any data is read. @default accepts every connection */
  readonly onConnection?: (socket: Socket) => void;
  /**
   * Called for each request whose head is complete. Returns false if it has responded to the
   * request itself.
   * @default accepts every request
   */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** @default {@link ARRIVAL} */
  readonly arrival?: typeof ARRIVAL;
  /**
   * Returns a link to the page of an error code, for requests that fail before they are parsed.
   * @default error responses without a link
   */
  readonly docsOf?: DocsOf | undefined;
}

/**
 * Timeouts for slow headers and bodies in ms, checked every second. A usual connection needs less
 * than a second for headers and a few seconds for a body of 256 KiB.
 */
const ARRIVAL = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
};
/**
 * Timeout of idle connections in ms, which must exceed the timeout of load balancers (mostly 60 s).
 * If the service closed an idle connection first, a load balancer could still send a new request
 * over this connection.
 */
const KEEP_ALIVE_MS = 65_000;
/** Time in ms in which responses can still be sent after `hurry` was called. */
const LAST_ANSWERS_MS = 2_000;

/** Listens on host and port. Port 0 selects a free port. Rejects if the port is not available. */
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
      // A kept-alive connection becomes idle just after its response. If the connection is not
      // closed here, it stays open for several seconds.
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
  /**
   * Address of the shared listener, whose callers are counted as one caller. Null without a shared
   * listener.
   */
  readonly shared: Address | null;
}

export interface Listeners extends ListeningServer {
  /**
   * URL of the shared listener, whose callers are counted as one caller. Null without a shared
   * listener.
   */
  readonly sharedUrl: string | null;
}

/**
 * Listens on the configured addresses. Both listeners serve the same routes and are closed
 * together. If one of the ports is not available, the call rejects and leaves no port in use.
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
