import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { Devnet, findDevnet } from '../../src/index.js';

const onDevnet = findDevnet() === undefined ? describe.skip : describe;
const Block = z.looseObject({ block_number: z.int(), block_hash: z.string(), timestamp: z.int() });
/** Program that starts devnet, prints its URL, and then waits until it is killed. */
const PARENT = `
  const { Devnet } = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)});
  console.log((await Devnet.start()).url);
  setInterval(() => {}, 1_000);
`;

onDevnet('Devnet', () => {
  let devnet: Devnet | undefined;

  afterEach(async () => {
    await devnet?.stop();
    devnet = undefined;
  });

  it('devnet responds after its start, and refuses connections after its stop', async () => {
    const running = await Devnet.start();
    expect((await fetch(`${running.url}/is_alive`)).ok).toBe(true);
    expect(await running.controls.predeployedAccounts()).toHaveLength(3);
    await running.stop();
    await expect(fetch(`${running.url}/is_alive`)).rejects.toThrow('fetch failed');
  });

  it('devnet creates and undoes blocks, and changes prices and time on command', async () => {
    devnet = await Devnet.start({ blockGeneration: 'demand', stateArchive: true, accounts: 1 });
    const { controls } = devnet;
    await controls.setGasPrice({ l2GasFri: 9_000_000_000n });
    await controls.setTime(2_000_000_000);
    const before = await latestBlock(devnet.url);
    expect(before).toMatchObject({
      timestamp: 2_000_000_000,
      l2_gas_price: { price_in_fri: '0x218711a00' },
    });

    const block = await controls.createBlock();
    expect(await latestBlock(devnet.url)).toMatchObject({
      block_number: before.block_number + 1,
      block_hash: toFelt(block),
    });
    expect(await controls.abortBlocks(block)).toEqual([block]);
    expect(await latestBlock(devnet.url)).toMatchObject({
      block_number: before.block_number,
      block_hash: before.block_hash,
    });

    await controls.increaseTime(1_000);
    expect((await latestBlock(devnet.url)).timestamp).toBeGreaterThanOrEqual(
      before.timestamp + 1_000,
    );
  });

  it('devnet ends when the process that started devnet is killed', async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(createInterface(parent.stdout), 'line');
    expect((await fetch(`${String(url)}/is_alive`)).ok).toBe(true);
    parent.kill('SIGKILL');
    await expect(isDownSoon(`${String(url)}/is_alive`)).resolves.toBe(true);
  });

  it('Devnet.start rejects with the reason if the devnet program does not start', async () => {
    await expect(Devnet.start({ program: process.execPath })).rejects.toThrow(
      'devnet ended while it started',
    );
  });
});

async function latestBlock(url: string): Promise<z.output<typeof Block>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'starknet_getBlockWithTxHashes',
      params: { block_id: 'latest' },
    }),
  });
  return z.object({ result: Block }).parse(await response.json()).result;
}

/**
 * Returns true once the URL no longer responds. The supervisor reacts immediately, but the machine
 * may be slow.
 */
async function isDownSoon(url: string): Promise<boolean> {
  const untilMs = Date.now() + 300_000;
  while (Date.now() < untilMs) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer === undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
