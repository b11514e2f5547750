import { systemClock, toFelt } from '@sotto/kernel';
import { eventually, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { FIRST_NULLIFIER, loadPool, withdrawalBody } from '../stack/withdrawals.js';
import type { Stack } from '../stack/stack.js';
import {
  attackRow,
  type Attack,
  type AttackOptions,
  type AttackRow,
  type Target,
} from './attack.js';
import { attackerAddress, falseWithdrawal, ownSwap, ownWithdrawal } from './attackers.js';
import { DEPOSITORS, Depositors } from './depositors.js';
import { SlowBodies } from './slow-bodies.js';

const ASYNC = { prefer: 'respond-async' };
const Counters = z.object({ calls: z.record(z.string(), z.number()) });

/**
 * Deposits of many accounts from many networks: each makes a root, and a pool knows its last 30.
 */
const evictedRoots: Attack = {
  story: 'S5',
  name: 'deposits that push the roots of others out',
  strikesPerSecond: 10,
  begin: async ({ stack, service, requests }) => {
    const depositors = await Depositors.fund(stack.chain, loadPool, 1_000n);
    const { leaves } = await stack.chain.treeOf(loadPool.address);
    return {
      strike: async (index) => {
        const from = { 'x-forwarded-for': attackerAddress(5, index, 1_024), ...ASYNC };
        await requests.note(() =>
          service.post('/api/relayer/deposit', depositors.bodyFor(index, loadPool), from),
        );
      },
      end: async () =>
        (await stack.chain.treeOf(loadPool.address)).leaves > leaves
          ? []
          : ['no deposit was made: nothing was attacked'],
    };
  },
};

/** Batches of one, wherever a deposit waits. */
const smallCrowds: Attack = {
  story: 'S6',
  name: 'batches of one',
  strikesPerSecond: 10,
  begin: async ({ stack, service, requests }) => {
    const pool = sandboxWorld.pools.sentinel_1x;
    const depositors = await Depositors.fund(stack.chain, pool, 1n);
    const waits = async (): Promise<boolean> =>
      (await stack.chain.storageOf(pool.address, 'undeployed_count')) === 1n;
    await service.post('/api/relayer/deposit', depositors.bodyFor(0, pool));
    await eventually('a deposit to wait for its batch', waits);
    return {
      strike: async (index) => {
        const from = { 'x-forwarded-for': attackerAddress(6, index, 64) };
        const body = { poolAddress: toFelt(pool.address), count: 1, partial: true };
        await requests.note(() => service.post('/api/relayer/deploy-batch', body, from));
      },
      end: async () => ((await waits()) ? [] : ['an anonymous caller made a batch of one']),
    };
  },
};

/** Swaps without tolerance, while the market moves. */
const slippingSwaps: Attack = {
  story: 'S7',
  name: 'swaps that the market leaves behind',
  reverts: true,
  strikesPerSecond: 1,
  begin: async ({ stack, service, requests }) => {
    const pair = {
      sellToken: toFelt(loadPool.token),
      buyToken: toFelt(sandboxWorld.tokens.ETH.address),
    };
    const move = (byBps: number): Promise<unknown> =>
      stack.chain.control('aggregator', { order: { action: 'moveRate', ...pair, byBps } });
    return {
      strike: async (index) => {
        const from = { 'x-forwarded-for': attackerAddress(7, index), ...ASYNC };
        const { root } = await stack.chain.treeOf(loadPool.address);
        const answer = await requests.note(() =>
          service.post('/api/relayer/private-swap', ownSwap(root), from),
        );
        const location = answer?.headers.get('location') ?? null;
        // The last simulation is made right before the signature: the price moves after it, and
        // before the block.
        if (location !== null) await untilSent(service, location, from);
        await move(-SLIP_BPS);
        await systemClock.sleep(MOVED_MS);
        await move(SLIP_BPS);
      },
    };
  },
};

/** Resolves when the submission has a transaction, or after the polls. */
async function untilSent(
  service: Target['service'],
  location: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (let poll = 0; poll < SENT_POLLS; poll += 1) {
    const { body } = await service.get(location, headers);
    const hash = Submission.safeParse(body).data?.transaction_hash ?? '';
    if (hash !== '') return;
    await systemClock.sleep(SENT_POLL_MS);
  }
}

const Submission = z.object({ transaction_hash: z.string() });
const SENT_POLLS = 60;
const SENT_POLL_MS = 20;
const MOVED_MS = 700;
/** Beyond the tolerance of the attacker's swaps, well within what a swap's fair value allows. */
const SLIP_BPS = 50;

/**
 * The owner of notes posts each here and has it spent by another transaction before ours is in a
 * block.
 */
const doubleSpends: Attack = {
  story: 'S8',
  name: 'notes that their owner spends elsewhere',
  reverts: true,
  strikesPerSecond: 2,
  begin: async ({ stack, service, requests }) => ({
    strike: async (index) => {
      const { root } = await stack.chain.treeOf(loadPool.address);
      const { note, ...body } = ownWithdrawal(root);
      const from = { 'x-forwarded-for': attackerAddress(8, index), ...ASYNC };
      await requests.note(() => service.withdraw(body, { headers: from }));
      await stack.chain.control('setStorage', spent(note));
    },
  }),
};

function spent(note: number): object {
  return {
    address: `0x${loadPool.address.toString(16)}`,
    key: `nullifier:${(FIRST_NULLIFIER + BigInt(note)).toString(16)}`,
    value: '1',
  };
}

/** False proofs that cite nonsense, while one request is let through to end a pause. */
const stolenTrials: Attack = {
  story: 'S9',
  name: 'nonsense that takes the place of the request that ends a pause',
  strikesPerSecond: 20,
  begin: async ({ stack, service, requests }) => {
    const { root } = await stack.chain.treeOf(loadPool.address);
    await stack.chain.control('addFault', {
      method: 'starknet_call',
      fault: { kind: 'drop-before' },
      times: 1_000,
    });
    let note = 0;
    // Sound requests while the node is away: only they reach the breaker.
    await eventually('the pool to pause', async () =>
      (await service.withdraw(withdrawalBody((note -= 1), root))).text.includes('POOL_PAUSED'),
    );
    await stack.chain.control('clearFaults');
    return {
      strike: async (index) => {
        const from = { 'x-forwarded-for': attackerAddress(9, index, 8) };
        await requests.note(() =>
          service.withdraw({ ...falseWithdrawal(), quoteId: 'nonsense' }, { headers: from }),
        );
      },
    };
  },
};

/** Bodies that never end, from many addresses. */
const slowBodies: Attack = {
  story: 'S10',
  name: 'bodies that never end',
  strikesPerSecond: 200,
  begin: async ({ service }) => {
    const bodies = new SlowBodies(new URL(service.url));
    return {
      strike: (index) => bodies.begin(attackerAddress(10, index, 64)),
      end: async () => {
        bodies.end();
        return [];
      },
    };
  },
};

/** False proofs: each must end at the pairing. */
const falseProofs: Attack = {
  story: 'S11',
  name: 'proofs that prove nothing',
  strikesPerSecond: 20,
  begin: async (target) => {
    const { service, requests } = target;
    const strike = async (index: number): Promise<void> => {
      const from = { 'x-forwarded-for': attackerAddress(11, index, 16) };
      await requests.note(() => service.withdraw(falseWithdrawal(), { headers: from }));
    };
    // What the service asks for by itself does not come evenly: a proof that is shown to the node
    // costs as much every time.
    let cost = Infinity;
    for (let turn = 0; turn < TURNS && cost >= ALONE; turn += 1) {
      const struck = await callsDuring(target, async () => {
        for (let index = 0; index < ALONE; index += 1) await strike(turn * ALONE + index);
      });
      const idle = await callsDuring(target, () => systemClock.sleep(struck.ms));
      cost = struck.calls - idle.calls;
    }
    return {
      strike,
      end: async () =>
        cost < ALONE ? [] : [`${ALONE} false proofs made the node answer ${cost} calls`],
    };
  },
};

/** Strikes before the honest client begins, so that the node's work for them can be measured. */
const ALONE = 20;
/** Of measuring that, at most: a turn in which the service asked for more itself says nothing. */
const TURNS = 3;

/** The longer it takes, the more the service asks by itself. */
async function callsDuring(
  target: Target,
  action: () => Promise<void>,
): Promise<{ readonly calls: number; readonly ms: number }> {
  const [before, sinceMs] = [await callsOf(target), systemClock.monotonicMs()];
  await action();
  return { calls: (await callsOf(target)) - before, ms: systemClock.monotonicMs() - sinceMs };
}

/** Without the balances, which each look at an account reads beside its nonce, attack or not. */
async function callsOf({ stack }: Target): Promise<number> {
  const { calls } = Counters.parse(await stack.chain.control('counters'));
  return (calls['starknet_call'] ?? 0) - (calls['starknet_getNonce'] ?? 0);
}

/** In the order in which they are played. */
const ATTACKS: readonly Attack[] = [
  evictedRoots,
  smallCrowds,
  slippingSwaps,
  doubleSpends,
  stolenTrials,
  slowBodies,
  falseProofs,
];

/**
 * The usual limits but for deposits, and callers with an address each. A pause is short, so that
 * its end is seen.
 */
export const ATTACKED_SERVICE: Variables = {
  TRUST_PROXY: '1',
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '600',
  BREAKER_PAUSE_MS: '2000',
  MAX_REQUESTS_IN_FLIGHT: '256',
  GAS_BUDGET_PER_POOL_FRI: '2000000000000000000000',
  GAS_BUDGET_IN_ALL_FRI: '5000000000000000000000',
  LOSS_BUDGET_PER_POOL_FRI: '20000000000000000000',
  // As in production.
  PARTIAL_BATCHES: 'aged',
  // Rations would end the attack before it begins: what is looked at is that roots are kept.
  DEPOSITS_PER_HOUR_PER_POOL: '1000',
  DEPOSITS_PER_HOUR_PER_DEPOSITOR: '1000',
  DEPOSITS_PER_HOUR_PER_NETWORK: '1000',
};
export const ATTACKED_CHAIN: Variables = {
  NOTES_PAY_ONCE: '1',
  EXTRA_ACCOUNTS: String(DEPOSITORS),
};

/** Every attack, one after the other, against one service. @param tell receives progress lines */
export async function attackRows(
  stack: Stack,
  options: AttackOptions,
  tell: (text: string) => void,
): Promise<readonly AttackRow[]> {
  const service = await stack.serve();
  await service.ready();
  const rows: AttackRow[] = [];
  for (const attack of ATTACKS) {
    const row = await attackRow(stack, attack, options);
    tell(
      `${row.story}, ${row.name}: ${row.strikes} strikes, ${row.honest.served} honest withdrawals served, ${row.findings.length} findings`,
    );
    rows.push(row);
  }
  return rows;
}
