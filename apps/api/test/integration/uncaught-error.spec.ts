import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OWN_KEY } from '@sotto/process-kit/environment';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Code that makes the built service throw an uncaught error when the service receives SIGUSR2. */
const PLANTED = `import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('SIGUSR2', () => { throw new RangeError('planted'); });`;

describe('the process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('an uncaught error is logged and ends the process with a non-zero exit code', async () => {
    const service = spawn(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(PLANTED)}`,
        pathOf('../../dist/service.js'),
      ],
      {
        env: {
          PATH: process.env['PATH'],
          MODE: 'development',
          PORT: '0',
          NETWORK_PROFILE: pathOf('../../profiles/sandbox.json'),
          VERIFICATION_KEY_PATH: pathOf(
            '../../../../packages/wallet/prover/keys/verification_key.json',
          ),
          // No node listens on this port, so the service waits for its node.
          STARKNET_RPC_URLS: 'http://127.0.0.1:1/',
          RELAY_ACCOUNTS: JSON.stringify([{ address: '0xacc1', privateKey: OWN_KEY }]),
          DATABASE_PATH: join(folder, 'ledger.sqlite'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const ended = once(service, 'close');
    const lines: string[] = [];
    for await (const line of createInterface(service.stdout)) {
      lines.push(line);
      if (line.includes('"message":"listening"')) service.kill('SIGUSR2');
    }
    expect(await ended).toEqual([1, null]);
    expect(lines.join('\n')).toMatch(
      /"level":"error".*"name":"RangeError".*"message":"uncaught error"/,
    );
  });
});
