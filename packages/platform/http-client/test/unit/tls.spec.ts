import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpClient } from '@sotto/http-client';
import { failure } from '@sotto/kernel/testing';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

(hasOpenssl ? describe : describe.skip)('an upstream whose certificate is not trusted', () => {
  let folder: string;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const command = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
    const files = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
    const made = spawnSync('openssl', [...command.split(' '), ...files]);
    if (made.status !== 0) throw new Error(String(made.stderr));
    server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end('{}'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    url = `https://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  it('an untrusted certificate is reported with its TLS error code', async () => {
    const client = createHttpClient({
      name: 'node',
      baseUrl: url,
      timeoutMs: 10_000,
      maxResponseBytes: 1_000,
    });
    const error = await failure(client.get({ path: '' }));
    client.close();
    expect(error).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      details: { reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      causeCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});
