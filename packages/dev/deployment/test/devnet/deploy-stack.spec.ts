import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { findDevnet } from '../../src/index.js';
import { JsonRpc } from '../../src/node/json-rpc.js';
import { RpcChainNode } from '../../src/node/rpc-chain-node.js';
import { DevnetStack } from '../../src/testing/index.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const onDevnet = findDevnet() === undefined ? describe.skip : describe;

onDevnet('the development stack on devnet', () => {
  let devnet: DevnetStack;

  beforeAll(async () => {
    devnet = await DevnetStack.start();
  });

  afterAll(async () => {
    await devnet.stop();
  });

  it('a deployment declares each contract class only once', () => {
    const { declared, deployed, transactions } = devnet.deployment;
    expect(new Set(declared).size).toBe(declared.length);
    expect(deployed.length).toBeGreaterThan(25);
    // Four transactions follow the declarations: two of the deployer, and one of each of the two
    // crowd accounts.
    expect(transactions - declared.length).toBe(4);
  });

  it('a second deployment of the same stack sends no transaction', async () => {
    const { owner, accounts } = devnet.stack;
    const node = new RpcChainNode(devnet.rpcUrl);
    const nonces = (): Promise<readonly bigint[]> =>
      Promise.all(
        [owner, accounts.crowd1, accounts.crowd2].map(({ address }) => node.nonce(address)),
      );
    const before = await nonces();
    const again = await DevnetStack.deployOn(devnet.devnet);
    expect(again).toMatchObject({ declared: [], deployed: [], setUp: [], transactions: 0 });
    expect(again.stack).toEqual(devnet.stack);
    expect(await nonces()).toEqual(before);
    for (const nonce of before) expect(nonce).toBeGreaterThan(0n);
  });

  it('a deployed pool accepts deposits only from its own relayers', async () => {
    const { accounts, pools } = devnet.stack;
    const deposit = {
      contract: pools.sentinel_1x.address,
      entrypoint: 'deposit',
      calldata: [0x123n, 0n, accounts.crowd1.address],
    };
    await expect(devnet.send(accounts.crowd2, [deposit])).rejects.toThrow('Not owner');
    await devnet.send(accounts.lane2, [deposit]);
    expect(
      await devnet.view({
        contract: pools.sentinel_1x.address,
        entrypoint: 'undeployed_count',
        calldata: [],
      }),
    ).toEqual([1n]);
  });

  it('the deploy command recognises an existing stack and writes profile and accounts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-deploy-'));
    try {
      const profile = join(folder, 'profile.json');
      const accounts = join(folder, 'accounts.json');
      const { code, said } = await deploy(devnet, [
        '--profile',
        profile,
        '--accounts',
        accounts,
        '--name',
        'devnet',
        '--strk-each',
        '1000',
      ]);
      expect(said).toContain('0 transactions');
      expect(code).toBe(0);
      expect(JSON.parse(await readFile(profile, 'utf8'))).toMatchObject({
        name: 'devnet',
        chainId: 'SN_SEPOLIA',
      });
      expect((await stat(accounts)).mode & 0o777).toBe(0o600);
      const { lane1 } = z
        .object({ lane1: z.object({ address: z.string() }) })
        .parse(JSON.parse(await readFile(accounts, 'utf8')));
      expect(lane1.address).toBe(toFelt(devnet.stack.accounts.lane1.address));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

onDevnet('the development stack on a devnet that closes no block by itself', () => {
  it('a stack can be deployed on a devnet that creates blocks only on demand', async () => {
    const devnet = await DevnetStack.start({ devnet: { blockGeneration: 'demand' } });
    try {
      const { accounts, tokens } = devnet.stack;
      expect(await blockNumber(devnet.rpcUrl)).toBe(1);
      const approve = {
        contract: tokens.WBTC.address,
        entrypoint: 'approve',
        calldata: [1n, 1n, 0n],
      };
      await devnet.send(accounts.depositor, [approve]);
      expect(await blockNumber(devnet.rpcUrl)).toBe(1);
      await devnet.devnet.controls.createBlock();
      expect(await blockNumber(devnet.rpcUrl)).toBe(2);
    } finally {
      await devnet.stop();
    }
  });
});

function blockNumber(rpcUrl: string): Promise<number> {
  return new JsonRpc(rpcUrl).query('starknet_blockNumber', {}, z.int());
}

async function deploy(
  { rpcUrl, stack }: DevnetStack,
  args: readonly string[],
): Promise<{ readonly code: unknown; readonly said: string }> {
  const { address, privateKey } = stack.owner;
  const command = spawn(process.execPath, [CLI, '--rpc-url', rpcUrl, ...args], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DEPLOYER_ADDRESS: toFelt(address),
      DEPLOYER_PRIVATE_KEY: toFelt(privateKey),
    },
  });
  let said = '';
  command.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(command, 'close');
  return { code, said };
}
