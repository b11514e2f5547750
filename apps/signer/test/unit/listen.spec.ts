import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RemoteKeys } from '@sotto/adapter-starknet';
import { Secret } from '@sotto/settings';
import { Policy } from '../../src/policy/policy.js';
import { listen, type Place } from '../../src/server/listen.js';
import { startSigner, type RunningSigner } from '../../src/start-signer.js';
import { Authority, canCertify, type Certified } from '../support/certificates.js';
import { CHAIN_ID, ONE, POLICY, TWO } from '../support/signer-under-test.js';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-listen-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (mode = 0o600): Place => ({
  kind: 'unix',
  path: join(folder, 'signer.sock'),
  mode,
});

describe('the socket', () => {
  it.each([0o600, 0o660])('the signer’s socket has the configured file mode: %o', async (mode) => {
    const server = await listen(place(mode), () => {});
    expect(statSync(join(folder, 'signer.sock')).mode & 0o777).toBe(mode);
    await close(server);
  });

  it('the signer rejects a socket path on which another signer listens', async () => {
    const server = await listen(place(), () => {});
    await expect(listen(place(), () => {})).rejects.toThrow('another signer');
    await close(server);
  });

  it('the signer rejects a socket path at which a file exists that is not a socket', async () => {
    writeFileSync(join(folder, 'signer.sock'), 'precious');
    await expect(listen(place(), () => {})).rejects.toThrow('no socket');
  });

  it('O1 a missing folder of the signer’s socket is reported with the name of the setting', async () => {
    const missing: Place = { kind: 'unix', path: join(folder, 'none', 'signer.sock'), mode: 0o600 };
    await expect(listen(missing, () => {})).rejects.toThrow(
      'SIGNER_LISTEN: cannot listen there (EACCES)',
    );
  });
});

(canCertify ? describe : describe.skip)('TLS', () => {
  let signer: RunningSigner;
  let clients: Authority;
  let servers: Authority;
  let caller: Certified;
  let port: number;
  beforeEach(async () => {
    clients = new Authority(folder, 'clients');
    servers = new Authority(folder, 'servers');
    caller = clients.issue('service');
    signer = await startSigner(
      {
        policy: Policy.parse(POLICY),
        keys: [ONE, TWO].map(({ address, privateKey }) => ({
          address,
          privateKey: new Secret(privateKey),
          isSample: false,
        })),
        bookPath: join(folder, 'book.sqlite'),
        place: {
          kind: 'https',
          host: '127.0.0.1',
          port: 0,
          tls: { ...servers.issue('signer'), clientCa: clients.cert },
        },
      },
      silent,
    );
    const address = signer.server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(() => signer.stop());

  const check = async (
    tls: { cert: string; key: string; ca: string } | null,
    timeoutMs = 60_000,
  ): Promise<string> => {
    const keys = new RemoteKeys({
      url: `https://127.0.0.1:${port}`,
      tls,
      timeoutMs,
      chainId: CHAIN_ID,
    });
    try {
      await keys.signCheck(ONE.address);
      return 'signed';
    } catch (error) {
      return String(Object(error).code);
    } finally {
      keys.close();
    }
  };

  it('the signer serves a caller whose certificate comes from the configured authority', async () => {
    expect(await check({ ...caller, ca: servers.cert })).toBe('signed');
  });

  it('the signer rejects a caller without a certificate of the configured authority', async () => {
    const foreign = servers.issue('stranger');
    expect(await check({ ...foreign, ca: servers.cert })).toBe('SIGNER_UNAVAILABLE');
    expect(await check(null)).toBe('SIGNER_UNAVAILABLE');
  });

  it('the signer serves an authorized caller while unauthorized callers open 80 connections', async () => {
    const strangers: Socket[] = [];
    for (let count = 0; count < 80; count += 1) {
      const stranger = createConnection(port, '127.0.0.1');
      stranger.on('error', () => {});
      strangers.push(stranger);
      await once(stranger, 'connect');
    }
    const answer = await check({ ...caller, ca: servers.cert }, 3_000);
    for (const stranger of strangers) stranger.destroy();
    expect(answer).toBe('signed');
  });

  it('a service rejects a signer’s certificate of a wrong authority even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await check({ ...caller, ca: clients.cert })).toBe('SIGNER_UNAVAILABLE');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('a service rejects a signer’s certificate that comes from another authority than the configured one', async () => {
    expect(await check({ ...caller, ca: clients.cert })).toBe('SIGNER_UNAVAILABLE');
  });
});
