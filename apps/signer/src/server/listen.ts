import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createConnection, type Socket } from 'node:net';
import { causeCodeOf } from '@sotto/kernel';
import { CannotStart } from '../cannot-start.js';

/**
 * Address at which the signer listens: a Unix socket, whose file mode controls access, or TLS with
 * certificates of both ends.
 */
export type Place =
  | { readonly kind: 'unix'; readonly path: string; readonly mode: number }
  | {
      readonly kind: 'https';
      readonly host: string;
      readonly port: number;
      /**
       * PEM texts: the signer's certificate and private key, and the certificate authority of the
       * callers.
       */
      readonly tls: { readonly cert: string; readonly key: string; readonly clientCa: string };
    };

const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
};
const MAX_CONNECTIONS = 64;
/**
 * Maximum number of open connections that have presented no certificate. When a further such
 * connection is opened, the oldest of them is closed.
 */
const MAX_UNKNOWN = 64;
const HANDSHAKE_MS = 5_000;
const ALL_RIGHTS = 0o777;

/**
 * Starts to listen.
 * @throws CannotStart if another signer listens at this address, or if the path belongs to a file
 *   that is not a socket
 */
export async function listen(place: Place, handler: RequestListener): Promise<Server> {
  const server =
    place.kind === 'unix'
      ? createServer(LIMITS, handler)
      : createSecureServer(
          {
            ...LIMITS,
            cert: place.tls.cert,
            key: place.tls.key,
            ca: place.tls.clientCa,
            requestCert: true,
            rejectUnauthorized: true,
            minVersion: 'TLSv1.3',
            handshakeTimeout: HANDSHAKE_MS,
          },
          handler,
        );
  if (place.kind === 'unix') await removeLeftSocket(place.path);
  else limitUnknown(server);
  try {
    if (place.kind === 'unix') await listenOnSocket(server, place);
    else await once(server.listen(place.port, place.host), 'listening');
  } catch (error) {
    throw new CannotStart(
      `SIGNER_LISTEN: cannot listen there (${causeCodeOf(error) ?? 'no cause'})`,
    );
  }
  return server;
}

/**
 * Limits the connections that have presented no certificate. Any host of the network can open such
 * connections. The signer counts them separately, so they do not use up connections of callers with
 * a certificate.
 */
function limitUnknown(server: Server): void {
  const unknown = new Map<string, Socket>();
  const known = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    unknown.set(name, socket);
    socket.once('close', () => {
      if (unknown.get(name) === socket) unknown.delete(name);
    });
    const [oldest] = unknown.values();
    if (unknown.size > MAX_UNKNOWN) oldest?.destroy();
  });
  server.on('secureConnection', (socket: Socket) => {
    unknown.delete(nameOf(socket));
    known.add(socket);
    socket.once('close', () => known.delete(socket));
    if (known.size > MAX_CONNECTIONS) socket.destroy();
  });
}

/**
 * Returns a name of a connection: its remote address and port. The TLS layer over a connection is
 * another socket object with the same remote address and port.
 */
const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`;

async function listenOnSocket(
  server: Server,
  { path, mode }: Extract<Place, { kind: 'unix' }>,
): Promise<void> {
  server.maxConnections = MAX_CONNECTIONS;
  const listening = once(server, 'listening');
  // The umask makes the server create the socket with its mode. A later chmod could change a file
  // that has replaced the socket.
  const before = process.umask(ALL_RIGHTS & ~mode);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await listening;
}

/**
 * Removes the socket file of a killed signer, because the file would prevent a new signer from
 * listening.
 */
async function removeLeftSocket(path: string): Promise<void> {
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left === undefined) return;
  if (!left.isSocket()) throw new CannotStart('SIGNER_LISTEN: names a file that is no socket');
  const code = await connectionError(path);
  if (code === 'ENOENT') return;
  // Any error other than a refused connection may come from a running signer, so the file is not
  // removed.
  if (code !== 'ECONNREFUSED')
    throw new CannotStart(
      `SIGNER_LISTEN: another signer listens there${code === null ? '' : ` (${code})`}`,
    );
  rmSync(path, { force: true });
}

/** @returns code of the error; null if a connection succeeds */
function connectionError(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      resolve(null);
      probe.destroy();
    });
    probe.once('error', (error) => resolve(causeCodeOf(error) ?? 'no cause'));
  });
}
