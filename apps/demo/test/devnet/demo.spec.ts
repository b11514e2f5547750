import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import { DemoProcess } from '../support/demo-process.js';
import { expectFullShow } from '../support/result-line.js';

const program = findDevnet();
const onDevnet = program === undefined ? describe.skip : describe;
let demo: DemoProcess | undefined;

afterEach(async () => {
  await demo?.remove();
  demo = undefined;
});

onDevnet('the demonstration on devnet', () => {
  it('the demonstration on devnet prints the same lines as on the sandbox, and leaves no process or file', async () => {
    demo = await DemoProcess.start(['--devnet', '--once', '--json'], 0, {
      STARKNET_DEVNET: program,
    });
    const { code } = await demo.ended;
    const [, url] = /devnet is at (http:[^\s;]+)/.exec(demo.stderr) ?? [];
    expectFullShow(demo, { hasPrivacyPool: false });
    expect(code).toBe(0);
    await expect(fetch(`${url ?? ''}/is_alive`)).rejects.toThrow('fetch failed');
    expect(await readdir(demo.stateFolder)).toEqual([]);
  });
});

describe('the demonstration without devnet', () => {
  it('the demonstration reports that devnet is missing', async () => {
    demo = await DemoProcess.start(['--devnet', '--once'], 0, {
      STARKNET_DEVNET: '/nowhere/starknet-devnet',
    });
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.stderr).toContain('STARKNET_DEVNET names no program');
    expect(demo.stdout).toBe('');
  });
});
