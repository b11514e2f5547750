import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createConnection, type Socket } from 'node:net';
import { causeCodeOf } from '@sotto/kernel';
import { CannotStart } from '../cannot-start.js';

/** A unix socket, whose file says who may connect; or TLS, where both sides show certificates. */
export type Place =
  | { readonly kind: 'unix'; readonly path: string; readonly mode: number }
  | {
      readonly kind: 'https';
      readonly host: string;
      readonly port: number;
      /** PEM texts: the signer's own, and the authority that callers' certificates come from. */
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
/** Of connections whose caller has shown no certificate yet; above it the oldest one is closed. */
const MAX_UNKNOWN = 64;
const HANDSHAKE_MS = 5_000;
const ALL_RIGHTS = 0o777;

/**
 * Listens in one place that is free.
 * @throws CannotStart if another signer answers there, or the path names a file that is no socket
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
 * Anybody on the network can open connections and show nothing. They get places of their own, so
 * that they take none from callers with a certificate.
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

/** The TLS layer over a connection is another socket, of the same two ends. */
const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`;

async function listenOnSocket(
  server: Server,
  { path, mode }: Extract<Place, { kind: 'unix' }>,
): Promise<void> {
  server.maxConnections = MAX_CONNECTIONS;
  const listening = once(server, 'listening');
  // The file is made with its mode: chmod would change whatever stands at the path by then.
  const before = process.umask(ALL_RIGHTS & ~mode);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await listening;
}

/** Removes the socket of a killed signer: another one cannot listen before. */
async function removeLeftSocket(path: string): Promise<void> {
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left === undefined) return;
  if (!left.isSocket()) throw new CannotStart('SIGNER_LISTEN: names a file that is no socket');
  const code = await connectionError(path);
  if (code === 'ENOENT') return;
  // Any other error may be that of a signer that runs.
  if (code !== 'ECONNREFUSED')
    throw new CannotStart(
      `SIGNER_LISTEN: another signer listens there${code === null ? '' : ` (${code})`}`,
    );
  rmSync(path, { force: true });
}

/** @returns null if a connection succeeds */
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
