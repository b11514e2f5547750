import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';

/** Certificate with its private key, in PEM. */
interface Certified {
  readonly key: Buffer;
  readonly cert: Buffer;
}

const VALID_DAYS = 2;

/**
 * TLS proxy in front of a plain HTTP server. A test can replace the valid certificate of the proxy
 * by an expired certificate.
 */
export class TlsProxy {
  readonly #open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Path of the certificate authority's certificate, which clients must trust. */
    readonly caFile: string,
    private readonly valid: Certified,
    private readonly expired: Certified,
  ) {}

  /** @param folder folder for certificates and keys */
  static async before(url: string, folder: string): Promise<TlsProxy> {
    const { hostname, port, pathname } = new URL(url);
    const authority = join(folder, 'authority');
    openssl('req', '-x509', ...NEW_KEY, '-days', String(VALID_DAYS), ...filesOf(authority));
    const valid = issue(folder, 'valid', VALID_DAYS);
    const expired = issue(folder, 'expired', 0);
    const server = createServer(valid, (client) => {
      const upstream = connect(Number(port), hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    const proxyUrl = `https://127.0.0.1:${address.port}${pathname}`;
    const proxy = new TlsProxy(server, proxyUrl, `${authority}.crt`, valid, expired);
    server.on('secureConnection', (socket) => {
      proxy.#open.add(socket);
      socket.on('close', () => proxy.#open.delete(socket));
    });
    return proxy;
  }

  /** Uses an expired certificate from now on, and closes open connections. */
  expire(): void {
    this.#present(this.expired);
  }

  renew(): void {
    this.#present(this.valid);
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.#open) socket.destroy();
    await once(this.server, 'close');
  }

  #present(certified: Certified): void {
    this.server.setSecureContext(certified);
    for (const socket of this.#open) socket.destroy();
  }
}

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=chaos'.split(' ');

const filesOf = (path: string): readonly string[] => [
  '-keyout',
  `${path}.key`,
  '-out',
  `${path}.crt`,
];

function issue(folder: string, name: string, days: number): Certified {
  const path = join(folder, name);
  const authority = join(folder, 'authority');
  const extensions = `${path}.ext`;
  writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1');
  openssl('req', ...NEW_KEY, '-keyout', `${path}.key`, '-out', `${path}.csr`);
  const signing = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
  const request = ['-in', `${path}.csr`, '-days', String(days), '-extfile', extensions];
  openssl('x509', '-req', ...request, ...signing, '-out', `${path}.crt`);
  return { key: readFileSync(`${path}.key`), cert: readFileSync(`${path}.crt`) };
}

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
}
