import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ScriptedNode } from './support/scripted-node.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('the proxy as a process', () => {
  it('the process prints its URLs, forwards requests, and ends on SIGTERM', async () => {
    const node = await ScriptedNode.start();
    const child = spawn(process.execPath, [MAIN, '--target', node.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(createInterface(child.stdout), 'line');
      const { url, controlUrl } = JSON.parse(String(line));
      expect(controlUrl).toBe(`${url}/control`);
      const answer = await fetch(url, {
        method: 'POST',
        body: '{"jsonrpc":"2.0","id":1,"method":"starknet_blockNumber"}',
      });
      expect(await answer.json()).toMatchObject({ result: 10 });
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      await node.stop();
    }
  });

  it('the process reports a missing option and exits with 2', async () => {
    const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'pipe'], env: {} });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(2);
    expect(said).toContain("expected the node's http or https URL");
  });
});
