import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { createNote, verifyFeeQuote, type SignedFeeQuote } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { toFelt } from '@sotto/kernel';
import { freePort } from '@sotto/process-kit/free-port';
import {
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type Genesis,
  type Sandbox,
  type SandboxAccount,
} from '@sotto/sandbox';
import { DevError, PortTaken, startDev, startService, type DevAccount } from '../../src/index.js';

describe('startDev', () => {
  it('a stack of startDev relays a real proof for a note that its caller created', async () => {
    const said: string[] = [];
    await using stack = await startDev({
      settings: {
        ANSWER_AT: 'accepted_on_l2',
        NETWORK_PROFILE: '/elsewhere.json',
        HOME: '/home/someone',
      },
      onProgress: (sentence) => said.push(sentence),
    });
    expect(stack.unusedSettings).toEqual(['NETWORK_PROFILE']);
    expect(said).toContain(`the sandbox chain is at ${stack.nodeUrl}`);
    const { sentinel_1x: pool } = stack.pools;

    const notes = [createNote(), createNote(), createNote()] as const;
    for (const { commitment } of notes) await stack.deposit({ pool: pool.address, commitment });
    expect(await stack.fillBatch('sentinel_1x')).toBe(0);
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${stack.serviceUrl}/api/relayer/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const requested = await post('quote', { poolAddress: pool.address });
    const quote: SignedFeeQuote & { readonly quoteId: string } = JSON.parse(await requested.text());
    verifyFeeQuote(quote, { signerPublicKey: stack.signer.publicKey });
    const keys = await loadDevelopmentKeys();
    const proof = await proveWithdrawal(
      {
        note: notes[1],
        leaves: notes.map(({ commitment }) => commitment),
        batchStart: 0,
        batchSize: 3,
        recipient: BigInt(stack.accounts.recipient1.address),
        relayer: BigInt(stack.feeAddress),
        feeAmount: BigInt(quote.fee),
      },
      keys,
    );
    const calldata = await withdrawalCalldata(proof, keys.verificationKey);
    const body = { poolAddress: pool.address, calldata, quoteId: quote.quoteId };
    expect(await (await post('withdraw', body)).json()).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
  });

  it('startDev rejects an invalid setting, and rejects a port that is in use', async () => {
    // Logs of a failed start remain for inspection.
    const stateFolder = mkdtempSync(join(tmpdir(), 'sotto-start-dev-'));
    await expect(
      startDev({ stateFolder, settings: { CORS_ORIGINS: 'page.example' } }),
    ).rejects.toThrow(/CORS_ORIGINS: must be origins/);
    expect(readdirSync(stateFolder)).toHaveLength(1);
    await expect(
      startDev({ stateFolder, settings: { CURATOR_API_TOKEN: 'no token' } }),
    ).rejects.toThrow(DevError);
    rmSync(stateFolder, { recursive: true });
    const holder = createServer();
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await expect(startDev({ port })).rejects.toThrow(PortTaken);
    } finally {
      holder.close();
      await once(holder, 'close');
    }
  });
});

describe('several stacks of one process', () => {
  it('only one of two stacks on the same port starts, even if the given variables are too large for an environment', async () => {
    const port = await freePort();
    // The settings are like those of a shell that exports functions: they exceed the maximum size
    // of a process environment.
    const settings = { BASH_FUNC: 'x'.repeat(4_000_000), LOG_LEVEL: 'error' };
    const first = startDev({ port, settings });
    // The first stack has bound its port by now, but its service does not listen yet.
    await sleep(300);
    const ended = await Promise.allSettled([first, startDev({ port, settings })]);
    const stacks = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    expect(ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))).toEqual([
      expect.any(DevError),
    ]);
    const [stack] = stacks;
    const body = await stack?.readyWithdrawal({
      recipient: '0x3d1f9b7a64c2e8055f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6',
    });
    const answer = await fetch(`http://127.0.0.1:${port}/api/relayer/withdraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ execution_status: 'SUCCEEDED' });
    await Promise.all([stack?.stop(), stack?.stop({ keep: true })]);
    await stack?.stop();
    expect(existsSync(dirname(stack?.serviceLog ?? ''))).toBe(false);
  });

  it('an aborted startDev leaves no files', async () => {
    const stateFolder = mkdtempSync(join(tmpdir(), 'sotto-start-dev-'));
    const end = new AbortController();
    const reason = new Error('the tests are over');
    const starting = startDev({
      stateFolder,
      signal: end.signal,
      onProgress: (sentence) => {
        if (sentence === 'starting the service') end.abort(reason);
      },
    });
    await expect(starting).rejects.toBe(reason);
    await expect(startDev({ stateFolder, signal: end.signal })).rejects.toBe(reason);
    expect(readdirSync(stateFolder)).toEqual([]);
    rmSync(stateFolder, { recursive: true });
  });
});

describe('startService', () => {
  it('startService starts a service on an existing chain, with the pools of that chain', async () => {
    const { accounts, tokens } = sandboxWorld;
    const key = new URL('../../bundle/files/verification_key.json', import.meta.url);
    const genesis = buildGenesis({ verificationKey: JSON.parse(readFileSync(key, 'utf8')) });
    await using chain = await sandboxOf(genesis);
    const profile = new URL('../../bundle/files/sandbox.json', import.meta.url);
    await using service = await startService({
      rpcUrl: chain.rpcUrl,
      aggregatorUrl: chain.aggregatorUrl,
      bridgeUrl: chain.bridgeUrl,
      rewardsUrl: chain.rewardsUrl,
      networkProfile: fileURLToPath(profile),
      accounts: {
        lane1: textOf(accounts.lane2),
        swapOwner: textOf(accounts.swapOwner),
        curator: textOf(accounts.curator),
        keeper1: textOf(accounts.keeper1),
        treasury: textOf(accounts.treasury),
        feeCollector: textOf(accounts.feeCollector),
      },
    });
    const vault = toFelt(sandboxWorld.vaults.sentinel.address);
    chain.control.mint(BigInt(vault), 1_250_000n, tokens.WBTC.address);
    const answer = await fetch(`${service.serviceUrl}/api/curator`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${service.credentials.curator.token}`,
      },
      body: JSON.stringify({ vaultId: 'sentinel' }),
    });
    expect(await answer.json()).toMatchObject({ status: 'deployed', amount: '1250000' });
  });
});

function textOf({ address, privateKey }: SandboxAccount): DevAccount {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}

async function sandboxOf(genesis: Genesis): Promise<Sandbox & AsyncDisposable> {
  const sandbox = await startSandbox({ genesis });
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() };
}
