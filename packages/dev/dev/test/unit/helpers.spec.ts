import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { fileURLToPath } from 'node:url';
import { sandboxWorld } from '@sotto/sandbox';
import { connectDev } from '../../src/index.js';
import { HelperClient } from '../../src/helpers.js';
import { DevChain } from '../../src/stack/dev-chain.js';
import { HelperServer } from '../../src/stack/helper-server.js';
import { Helpers } from '../../src/stack/helpers.js';
import { claimPorts } from '../../src/claim-port.js';

const HOST = '127.0.0.1';
const KEY = fileURLToPath(new URL('../../bundle/files/verification_key.json', import.meta.url));
const ME = '0x1234';

/** Fake service that only records calls. */
class NotedService {
  readonly deeds: string[] = [];

  async kill(): Promise<void> {
    this.deeds.push('kill');
  }

  async run(): Promise<void> {
    this.deeds.push('run');
  }
}

const service = new NotedService();
let chain: DevChain;
let server: HelperServer;
let helpers: HelperClient;
beforeAll(async () => {
  chain = await DevChain.start(HOST, 0, KEY);
  server = new HelperServer(new Helpers(chain, service));
  helpers = new HelperClient(await server.listen(HOST, 0));
});
afterAll(async () => {
  await server.stop();
  await chain.stop();
});

const balance = (token: bigint, owner: string): bigint =>
  chain.control.call(token, 'balance_of', [BigInt(owner)])[0] ?? 0n;

describe('helpers over HTTP', () => {
  it('the helper fund mints any amount of an ERC-20 token for an address', async () => {
    const amount = 2n ** 70n;
    await helpers.fund({ address: ME, token: 'USDC', amount });
    expect(balance(sandboxWorld.tokens.USDC.address, ME)).toBe(amount);
  });

  it('the helper deposit pays from a crowd account, into a pool given by key or address', async () => {
    const { sentinel_2x } = sandboxWorld.pools;
    expect(await helpers.deposit({ pool: 'sentinel_2x', commitment: 9n })).toEqual({
      leafIndex: 0,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]+$/),
    });
    const upperCase = `0x0${toFelt(sentinel_2x.address).slice(2).toUpperCase()}`;
    expect(await helpers.fillBatch(upperCase)).toBe(2);
  });

  it.each([
    ['the allowed maximum', {}, 1_000n],
    ['the requested one', { fee: 7n }, 7n],
  ])('the helper readyWithdrawal returns a withdrawal whose fee is %s', async (_, terms, fee) => {
    const { poolAddress, calldata } = await helpers.readyWithdrawal({ recipient: ME, ...terms });
    expect(poolAddress).toBe(toFelt(sandboxWorld.pools.sentinel_1x.address));
    // In Garaga's layout, the count and 32 limbs of points precede the inputs. Each input consists
    // of two felts, its low and high half.
    expect(calldata.slice(1 + 33 + 4, 1 + 33 + 10).map(BigInt)).toEqual([
      BigInt(ME),
      0n,
      BigInt.asUintN(128, sandboxWorld.accounts.feeCollector.address),
      sandboxWorld.accounts.feeCollector.address >> 128n,
      fee,
      0n,
    ]);
  });

  it('the helpers mine blocks and change the chain’s clock', async () => {
    const before = chain.control.mine();
    expect(await helpers.mine(3)).toBeGreaterThanOrEqual(before + 3);
    const nowMs = chain.control.nowMs();
    await helpers.moveClock(3_600_000);
    expect(chain.control.nowMs() - nowMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it.each([
    ['no pool is named sentinel', () => helpers.fillBatch('sentinel')],
    ['no pool is named 0x12', () => helpers.fillBatch('0x12')],
    [
      'the pool allows a fee of 1000 at most',
      () => helpers.readyWithdrawal({ recipient: ME, fee: 1_001n }),
    ],
    ['commitment', () => helpers.deposit({ pool: 'stable_10', commitment: -1n })],
    ['invalid commitment', () => helpers.deposit({ pool: 'stable_10', commitment: 0n })],
    ['recipient', () => helpers.readyWithdrawal({ recipient: 'me' })],
  ])('the helpers report the error: %s', async (words, query) => {
    await expect(query()).rejects.toThrow(words);
  });

  it('the helpers reject unknown commands, and their response has CORS headers', async () => {
    const { helpersUrl } = helpers;
    const reply = await fetch(`${helpersUrl}/fault`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'earthquake' }),
    });
    expect(reply.status).toBe(400);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    const unknown = await fetch(`${helpersUrl}/mint`, { method: 'POST' });
    expect(await unknown.json()).toEqual({
      error: expect.stringContaining('no helper is named mint'),
    });
    const preflight = await fetch(`${helpersUrl}/fund`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
  });

  it('the helpers inject faults, and endFaults ends all of them', async () => {
    const { nodeUrl, aggregatorUrl } = chain.urls;
    const chainId = async (): Promise<Response> =>
      fetch(nodeUrl, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'starknet_chainId', params: [] }),
      });
    const prices = async (): Promise<number> =>
      (
        await fetch(`${aggregatorUrl}/v3/tokens/prices`, {
          method: 'POST',
          body: JSON.stringify({ tokens: [toFelt(sandboxWorld.tokens.WBTC.address)] }),
        })
      ).status;
    await helpers.fault({ kind: 'node-down' });
    await expect(chainId()).rejects.toThrow('fetch failed');
    await expect(chainId()).rejects.toThrow('fetch failed');
    await helpers.fault({ kind: 'prices-away' });
    expect(await prices()).toBe(503);
    let newest: number;
    let behind: number;
    do {
      newest = chain.control.mine();
      await helpers.fault({ kind: 'node-behind', blocks: 2 });
      behind = chain.control.view().latest.header.number;
      // A timer may have closed a block in between.
    } while (chain.control.mine() > newest + 1);
    expect(behind).toBe(newest - 2);
    await helpers.fault({ kind: 'node-slow', delayMs: 60_000 });
    await helpers.fault({ kind: 'service-down' });
    expect(service.deeds).toEqual(['kill']);
    await helpers.fault({ kind: 'service-restarts' });
    expect(service.deeds).toEqual(['kill', 'kill', 'run']);

    await helpers.endFaults();
    expect(service.deeds).toEqual(['kill', 'kill', 'run', 'run']);
    expect((await chainId()).status).toBe(200);
    expect(await prices()).toBe(200);
    expect(chain.control.view().latest.header.number).toBe(chain.control.mine() - 1);
  });

  it('connectDev accepts only the URL of the helpers, and only after the stack has started', async () => {
    await expect(connectDev(helpers.helpersUrl)).rejects.toThrow('the stack is still starting');
    const [free = 0] = await claimPorts([0], HOST);
    await expect(connectDev(`http://${HOST}:${free}`)).rejects.toThrow(
      'no development stack answers at',
    );
  });
});
