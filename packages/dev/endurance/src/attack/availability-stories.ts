import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { selectorOf } from '@sotto/adapter-starknet';
import { startFaultProxy } from '@sotto/fault-proxy';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Stack } from '../stack/stack.js';
import type { Attack, Factor } from './attack.js';
import { addressIn, times } from './crowd.js';
import { Depositors, type AccountRange } from './depositors.js';
import { honestDeposits, probes } from './honest-tasks.js';
import { ASYNC } from './strikes.js';

const { pools } = sandboxWorld;
const HONEST: AccountRange = { first: 0, count: 40 };
const CROWD: AccountRange = { first: 40, count: 5 };
/** Number of attacking accounts in the largest attack, before it is multiplied by the factor. */
const MOST_STRANGERS = 20;

/**
 * Returns the accounts of the attackers: `count` times `factor` accounts, which are the last of the
 * added accounts.
 */
const strangersOf = (factor: Factor, count: number): AccountRange => ({
  first: CROWD.first + CROWD.count,
  count: factor * count,
});

/**
 * Returns the number of accounts that the chain needs in addition to the sandbox's own accounts.
 */
export function accountsAt(factor: Factor): number {
  const { first, count } = strangersOf(factor, MOST_STRANGERS);
  return first + count;
}

/**
 * Restarts the service with these settings, which apply until another attack restarts the service.
 */
async function restart(stack: Stack, env: Readonly<Record<string, string>>): Promise<void> {
  stack.service.kill('SIGTERM');
  await stack.service.ended;
  const service = await stack.restart(env);
  await service.ready();
}

const SLOW_MS = 700;
const LONG_ANSWER = Array.from({ length: 100_000 }, () => '0x56414c4944');

/**
 * Requests deposits from accounts whose contracts respond slowly or with long responses, 20 at a
 * time from one address.
 */
const slowAccounts: Attack = {
  story: 'T10',
  name: 'deposits of 20 accounts whose contracts respond slowly or with long responses',
  strikesPerSecond: 20,
  mostUnderway: 200,
  begin: async ({ stack, requests, factor }) => {
    const crowd = times(factor, { range: 10, addresses: 1, networks: 1 });
    const range = strangersOf(factor, MOST_STRANGERS);
    const strangers = await Depositors.fund(stack.chain, pools.sentinel_2x, 1n, range);
    const honest = await Depositors.fund(stack.chain, pools.sentinel_1x, 6n, HONEST);
    const node = await startFaultProxy({ target: stack.chain.urls.rpcUrl });
    for (const [index, address] of strangers.addresses.entries())
      node.addFault({
        method: 'starknet_call',
        naming: [address, selectorOf('is_valid_signature')],
        fault:
          index % 2 === 0
            ? { kind: 'answer-late', delayMs: SLOW_MS }
            : { kind: 'answer', result: LONG_ANSWER },
        times: 'always',
      });
    await restart(stack, { STARKNET_RPC_URLS: node.url });
    return {
      honest: [honestDeposits(stack, honest)],
      strike: async (index) => {
        const from = { 'x-forwarded-for': addressIn(crowd, index) };
        const body = { ...strangers.bodyFor(index), signature: ['0x1', '0x2'] };
        await requests.note(() => stack.service.post('/api/relayer/deposit', body, from));
      },
      end: async () => {
        await restart(stack, {});
        await node.stop();
        return [];
      },
    };
  },
};

/** Makes deposits that use up a pool's hourly limit. Half of the deposits revert. */
const usedUpRation: Attack = {
  story: 'T12',
  name: 'deposits of four accounts in two networks; half of the deposits revert',
  strikesPerSecond: 2,
  begin: async ({ stack, service, requests, factor }) => {
    const crowd = times(factor, { range: 12, addresses: 4, networks: 2 });
    const range = strangersOf(factor, 4);
    const strangers = await Depositors.fund(stack.chain, pools.sentinel_2x, 1_000n, range);
    const honest = await Depositors.fund(stack.chain, pools.sentinel_2x, 6n, HONEST);
    const { leaves } = await stack.chain.treeOf(pools.sentinel_2x.address);
    return {
      paysFri: 0n,
      // In a run of 20 s, the honest deposits use a quarter of the pool's hourly limit of 24
      // deposits. This limit applies to all callers together.
      honest: [honestDeposits(stack, honest, 0.25)],
      strike: async (index) => {
        const reverts = Math.floor(index / crowd.addresses) % 2 === 1;
        const from = { 'x-forwarded-for': addressIn(crowd, index), ...ASYNC };
        await strangers.allow(index, true);
        await requests.note(() =>
          service.post('/api/relayer/deposit', strangers.bodyFor(index), from),
        );
        if (reverts) await strangers.allow(index, false);
      },
      end: async () =>
        (await stack.chain.treeOf(pools.sentinel_2x.address)).leaves > leaves
          ? []
          : ['no deposit was made: nothing was attacked'],
    };
  },
};

/**
 * Deploys batches that separate one of four depositors from the others, and batches of one leaf.
 */
const splitCrowds: Attack = {
  story: 'T13',
  name: 'batches that separate one depositor from the others',
  strikesPerSecond: 10,
  begin: async ({ stack, service, requests, factor }) => {
    const crowd = times(factor, { range: 13, addresses: 4, networks: 1 });
    const waiting = [
      { pool: pools.stable_10, count: 4 },
      { pool: pools.swap_input_2, count: 1 },
    ] as const;
    const waits = async (): Promise<readonly bigint[]> =>
      Promise.all(
        waiting.map(({ pool }) => stack.chain.storageOf(pool.address, 'undeployed_count')),
      );
    const wanted = waiting.map(({ count }) => BigInt(count)).join();
    for (const { pool, count } of waiting) {
      const key = 'auto_deploy_off';
      await stack.chain.control('setStorage', { address: toFelt(pool.address), key, value: '1' });
      const present = Number(await stack.chain.storageOf(pool.address, 'undeployed_count'));
      const depositors = await Depositors.fund(stack.chain, pool, 6n, CROWD);
      for (let index = present; index < count; index += 1)
        await service.post('/api/relayer/deposit', depositors.bodyFor(index));
    }
    await eventually('the crowd to wait', async () => (await waits()).join() === wanted);
    const [full, alone] = waiting.map(({ pool }) => toFelt(pool.address));
    const splits = [
      { poolAddress: full, count: 3 },
      { poolAddress: full, count: 1, partial: true },
      { poolAddress: alone, count: 1, partial: true },
      { poolAddress: full, count: 3, partial: true },
    ];
    return {
      paysFri: 0n,
      strike: async (index) => {
        const from = { 'x-forwarded-for': addressIn(crowd, index) };
        const body = splits[index % splits.length];
        await requests.note(() => service.post('/api/relayer/deploy-batch', body, from));
      },
      end: async () => {
        const left = (await waits()).join();
        const whole = { poolAddress: full, count: 4, partial: true };
        const { status, text } = await service.post('/api/relayer/deploy-batch', whole);
        return [
          ...(left === wanted ? [] : [`a stranger split a crowd: ${left} wait of ${wanted}`]),
          ...(status === 200 ? [] : [`the whole crowd was not deployed: ${status} ${text}`]),
        ];
      },
    };
  },
};

/** Number of connections that the service accepts by default. */
const CONNECTIONS = 8_192;

/** Sends incomplete HTTP headers over all available connections. */
const halfHeads: Attack = {
  story: 'T14',
  name: '18 addresses that occupy all 8,192 connections with incomplete headers',
  strikesPerSecond: 100,
  begin: async ({ stack, factor }) => {
    const crowd = times(factor, { range: 14, addresses: 18, networks: 18 });
    // Do not trust a proxy, so that the service uses the addresses of the connections.
    await restart(stack, { TRUST_PROXY: '' });
    const url = new URL(stack.service.url);
    const open = new Set<Socket>();
    let connected = 0;
    const strike = async (index: number): Promise<void> => {
      const localAddress = addressIn(crowd, index).replace(/^10\./, '127.');
      const socket = connect({ port: Number(url.port), host: url.hostname, localAddress });
      socket.on('error', () => undefined);
      socket.once('close', () => open.delete(socket));
      socket.once('connect', () => (connected += 1));
      open.add(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      socket.write(`POST /api/relayer/withdraw HTTP/1.1\r\nHost: ${url.host}\r\nX-`);
      socket.resume();
    };
    for (let index = 0; index < CONNECTIONS; index += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => strike(index + place)));
    // Count the accepted connections now. If the service is slow, it closes the first connections
    // before it accepts the last connections.
    const taken = connected;
    return {
      honest: [probes(stack)],
      strike: (index) => strike(CONNECTIONS + index),
      end: async () => {
        for (const socket of open) socket.destroy();
        return taken > (CONNECTIONS * 9) / 10
          ? []
          : [`only ${taken} connections were accepted: nothing was attacked`];
      },
    };
  },
};
const AT_ONCE = 256;

export const AVAILABILITY_STORIES = {
  slowAccounts,
  usedUpRation,
  splitCrowds,
  halfHeads,
} as const;
