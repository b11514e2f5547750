import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { toHex } from '../../src/engine/felt.js';
import { PrivacyProver, sandboxWorld, type PrivateRequest } from '../../src/index.js';
import { postJson, rpcResult } from '../support/rpc.js';
import { trapdoorKey } from '../unit/contracts/trapdoor.js';
import { approval, usualWithdrawal } from './privacy-bench.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const { accounts, privacyPool, tokens } = sandboxWorld;

describe('prover in another process than the sandbox', () => {
  let folder: string;
  let child: ChildProcess;
  let rpcUrl: string;
  let controlUrl: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const key = join(folder, 'key.json');
    writeFileSync(key, JSON.stringify(trapdoorKey));
    const started = spawn(
      process.execPath,
      [MAIN, '--verification-key', key, '--empty-blocks', '0', '--cadence', 'manual'],
      { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    child = started;
    const [line] = await once(createInterface({ input: started.stdout }), 'line');
    ({ rpcUrl, controlUrl } = JSON.parse(String(line)));
  });
  afterAll(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true });
  });

  const act = async (action: object): Promise<{ status: number; body: unknown }> => {
    const response = await postJson(controlUrl, action);
    return { status: response.status, body: await response.json() };
  };
  const send = (request: PrivateRequest): ReturnType<typeof act> =>
    act({
      action: 'send',
      address: toHex(accounts.lane1.address),
      calls: [{ to: request.poolAddress, entrypoint: 'apply_actions', calldata: request.calldata }],
      proofFacts: request.proofFacts,
    });

  it('the prover needs 10 blocks, and mines them through the control interface', async () => {
    const alone = new PrivacyProver({ rpcUrl, seed: 'alone' });
    await expect(alone.withdraw(usualWithdrawal)).rejects.toThrow('a chain with 10 blocks');
    const prover = new PrivacyProver({ rpcUrl, controlUrl, seed: 'first' });
    const request = await prover.withdraw(usualWithdrawal);
    expect(request.baseBlock.number).toBe(0);
    expect(await rpcResult(rpcUrl, 'starknet_blockNumber')).toBe(10);
    expect(await send(request)).toMatchObject({ status: 200 });
    expect(await send(request)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('NON_ZERO_VALUE') },
    });
  });

  it('the control interface over HTTP changes the pool and the hostile contract', async () => {
    const prover = new PrivacyProver({ rpcUrl, controlUrl, seed: 'second' });
    const { USDC } = tokens;
    const done = { status: 200, body: { result: null } };
    expect(
      await act({
        action: 'setPrivacyPool',
        isPaused: true,
        feeFri: '5',
        validityBlocks: 77,
        isScreening: false,
      }),
    ).toEqual(done);
    const deposit = { user: accounts.buyer.address, token: USDC.address, amount: 5n };
    expect((await prover.deposit(deposit)).calldata.at(-1)).toBe('0x1');
    expect(await send(await prover.withdraw(usualWithdrawal))).toMatchObject({
      body: { error: expect.stringContaining('PAUSED') },
    });
    expect(await act({ action: 'setPrivacyPool', isPaused: false, feeFri: 0 })).toEqual(done);
    expect(
      await act({
        action: 'setHostile',
        burnL2Gas: 7,
        burnWhen: 'always',
        revertWhen: 'signed',
        result: 'garbage',
      }),
    ).toEqual(done);
    expect(
      await send(
        await prover.invoke({
          payment: { to: privacyPool.hostile, token: USDC.address, amount: 1n },
          calldata: () => [],
        }),
      ),
    ).toMatchObject({ body: { error: expect.stringContaining('hostile contract') } });
  });

  it('the control interface over HTTP upgrades the pool to a declared class only', async () => {
    const upgrade = (classHash: bigint): ReturnType<typeof act> =>
      act({
        action: 'replaceClass',
        address: toHex(privacyPool.address),
        classHash: toHex(classHash),
      });
    expect(await upgrade(5n)).toMatchObject({ status: 400 });
    expect(await upgrade(privacyPool.classes.older)).toMatchObject({ status: 200 });
    const prover = new PrivacyProver({ rpcUrl, controlUrl, seed: 'third' });
    const request = await prover.withdraw(usualWithdrawal);
    expect(request.calldata.at(-1)).toBe(toHex(7n));
    expect(await send(request)).toMatchObject({ status: 200 });
    expect(
      await rpcResult(rpcUrl, 'starknet_getClass', ['latest', toHex(privacyPool.classHash)]),
    ).toBeDefined();
  });

  it('the control interface over HTTP sends calls of a known account', async () => {
    const calls = [approval(tokens.USDC.address, 9n, 3n)].map(({ to, entrypoint, calldata }) => ({
      to: toHex(to),
      entrypoint,
      calldata: calldata?.map(toHex),
    }));
    const address = toHex(accounts.buyer.address);
    expect(await act({ action: 'send', address, calls })).toMatchObject({
      status: 200,
      body: { result: { hash: expect.stringMatching(/^0x/), events: expect.any(Array) } },
    });
    expect(await act({ action: 'send', address: '0x5', calls })).toMatchObject({ status: 400 });
  });
});
