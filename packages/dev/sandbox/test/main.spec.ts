import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postJson, rpcResult } from './support/rpc.js';
import { trapdoorKey } from './unit/contracts/trapdoor.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function start(
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...options], {
    env: { PATH: process.env['PATH'], ...environment },
  });
}

async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return String(line);
}

describe('the sandbox as a separate process', () => {
  let folder: string;
  let key: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    key = join(folder, 'key.json');
    writeFileSync(key, JSON.stringify(trapdoorKey));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('the sandbox process prints its URLs as one line of JSON', async () => {
    const child = start(['--cadence', 'manual'], {
      SANDBOX_VERIFICATION_KEY: key,
      SANDBOX_CADENCE: 'auto',
    });
    const exited = once(child, 'exit');
    try {
      const {
        rpcUrl,
        controlUrl,
        aggregatorUrl,
        bridgeUrl,
        oneClickUrl,
        solverControlUrl,
        rewardsUrl,
      } = JSON.parse(await firstLine(child));
      expect(await rpcResult(rpcUrl, 'starknet_specVersion')).toBe('0.10.2');
      expect(await (await postJson(controlUrl, { action: 'mine' })).json()).toEqual({ result: 13 });
      expect(
        await (await postJson(`${aggregatorUrl}/v3/tokens/prices`, { tokens: [] })).json(),
      ).toEqual([]);
      expect(await (await fetch(`${rewardsUrl}/pools`)).json()).toMatchObject({
        data: [{ name: 'Prime' }, {}],
      });
      expect((await fetch(`${bridgeUrl}/status?transaction_id=none`)).status).toBe(404);
      expect((await fetch(`${oneClickUrl}/v0/tokens`)).status).toBe(200);
      expect(await (await postJson(solverControlUrl, { action: 'clearFaults' })).json()).toEqual(
        {},
      );
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exited).toEqual([0, null]);
  });

  it.each([
    ['no verification key', []],
    ['an unknown cadence', ['--verification-key', 'key.json', '--cadence', 'sometimes']],
    ['an invalid port', ['--verification-key', 'key.json', '--port', '70000']],
  ])('the sandbox process exits with code 2 and a reason for %s', async (_name, options) => {
    const child = start(options);
    const errors: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const [code] = await once(child, 'close');
    expect([code, errors.join('')]).toEqual([2, expect.stringMatching(/→ at/)]);
  });
});
