import { systemClock, toFelt } from '@sotto/kernel';
import { eventually, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { loadPool, withdrawalBody } from '../stack/withdrawals.js';
import { BUDGET_FRI, type Attack } from './attack.js';
import { attackerAddress, falseWithdrawal, ownSwap, ownWithdrawal } from './attackers.js';
import { Depositors, type AccountRange } from './depositors.js';
import { SlowBodies } from './slow-bodies.js';
import { ASYNC, callsDuring, spendDirectly, untilSent } from './strikes.js';

const DEPOSITORS: AccountRange = { first: 0, count: 40 };

/**
 * Deposits from many accounts in many networks. Each deposit creates a root, and a pool accepts
 * only the last 30 roots.
 */
const evictedRoots: Attack = {
  story: 'S5',
  name: 'deposits that evict the roots of other callers',
  strikesPerSecond: 10,
  begin: async ({ stack, service, requests }) => {
    const depositors = await Depositors.fund(stack.chain, loadPool, 1_000n, DEPOSITORS);
    const { leaves } = await stack.chain.treeOf(loadPool.address);
    return {
      strike: async (index) => {
        const from = { 'x-forwarded-for': attackerAddress(5, index, 1_024), ...ASYNC };
        await requests.note(() =>
          service.post('/api/relayer/deposit', depositors.bodyFor(index), from),
        );
      },
      end: async () =>
        (await stack.chain.treeOf(loadPool.address)).leaves > leaves
          ? []
          : ['no deposit was made: nothing was attacked'],
    };
  },
};

/** Deploys batches of a single leaf each time a deposit waits. */
const smallCrowds: Attack = {
  story: 'S6',
  name: 'batches of one leaf',
  strikesPerSecond: 10,
  begin: async ({ stack, service, requests }) => {
    const pool = sandboxWorld.pools.sentinel_1x;
    const depositors = await Depositors.fund(stack.chain, pool, 1n, DEPOSITORS);
    const waits = async (): Promise<boolean> =>
      (await stack.chain.storageOf(pool.address, 'undeployed_count')) === 1n;
    await service.post('/api/relayer/deposit', depositors.bodyFor(0));
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

/** Makes swaps with the smallest tolerance while the market price changes. */
const slippingSwaps: Attack = {
  story: 'S7',
  name: 'swaps whose price changes before inclusion',
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
        // Before signing, the service simulates the swap once more. The price must change after
        // this simulation and before the block.
        if (location !== null) await untilSent(service, location, from);
        await move(-SLIP_BPS);
        await systemClock.sleep(MOVED_MS);
        await move(SLIP_BPS);
      },
    };
  },
};

const MOVED_MS = 700;
/**
 * Price change in basis points. This change exceeds the tolerance of the attacker's swaps, but the
 * swaps remain close enough to their fair value.
 */
const SLIP_BPS = 50;

/**
 * Requests withdrawals of notes, and spends each note by another transaction before the service's
 * transaction is in a block.
 */
const doubleSpends: Attack = {
  story: 'S8',
  name: 'withdrawals of notes that the owner spends directly',
  reverts: true,
  sendsDirectly: true,
  strikesPerSecond: 2,
  begin: async ({ stack, service, requests }) => ({
    strike: async (index) => {
      const { root } = await stack.chain.treeOf(loadPool.address);
      const { note, ...body } = ownWithdrawal(root);
      const from = { 'x-forwarded-for': attackerAddress(8, index), ...ASYNC };
      await requests.note(() => service.withdraw(body, { headers: from }));
      await spendDirectly(stack, note);
    },
  }),
};

/**
 * Sends false proofs with invalid quotes while the breaker admits one trial request to end a pause.
 */
const stolenTrials: Attack = {
  story: 'S9',
  name: 'invalid requests that use up the trial of a paused pool',
  strikesPerSecond: 20,
  begin: async ({ stack, service, requests }) => {
    const { root } = await stack.chain.treeOf(loadPool.address);
    await stack.chain.control('addFault', {
      method: 'starknet_call',
      fault: { kind: 'drop-before' },
      times: 1_000,
    });
    let note = 0;
    // Send valid requests while the node is unavailable, because the breaker counts only failures
    // of valid requests.
    await eventually('the pool to pause', async () =>
      (await service.withdraw(withdrawalBody((note -= 1), { root }))).text.includes('POOL_PAUSED'),
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

/** Sends request bodies that never end, from many addresses. */
const slowBodies: Attack = {
  story: 'S10',
  name: 'request bodies that never end',
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

/** Sends false proofs. The pairing check must reject each of them. */
const falseProofs: Attack = {
  story: 'S11',
  name: 'proofs that fail the pairing check',
  strikesPerSecond: 20,
  begin: async (target) => {
    const { service, requests } = target;
    const strike = async (index: number): Promise<void> => {
      const from = { 'x-forwarded-for': attackerAddress(11, index, 16) };
      await requests.note(() => service.withdraw(falseWithdrawal(), { headers: from }));
    };
    // The number of the service's own node calls varies over time, but the number of calls that
    // false proofs cause does not. So use the smallest of several measurements.
    let cost = Infinity;
    for (let turn = 0; turn < TURNS && cost >= ALONE; turn += 1) {
      const struck = await callsDuring(target.stack, async () => {
        for (let index = 0; index < ALONE; index += 1) await strike(turn * ALONE + index);
      });
      const idle = await callsDuring(target.stack, () => systemClock.sleep(struck.ms));
      cost = struck.calls - idle.calls;
    }
    return {
      strike,
      end: async () =>
        cost < ALONE ? [] : [`${ALONE} false proofs made the node answer ${cost} calls`],
    };
  },
};

/**
 * Number of attacking requests that are made before the honest client starts, to measure how many
 * node calls an attacking request causes.
 */
const ALONE = 20;
/**
 * Maximum number of measurements. If the service itself makes many calls during a measurement, that
 * measurement proves nothing.
 */
const TURNS = 3;

/** Attacks in the order in which they run. */
export const ATTACKS: readonly Attack[] = [
  evictedRoots,
  smallCrowds,
  slippingSwaps,
  doubleSpends,
  stolenTrials,
  slowBodies,
  falseProofs,
];

/**
 * Settings of the attacked service. All limits have their default values, except for deposits. Each
 * caller has its own address. Pauses are short, so that they end within a run.
 */
export const ATTACKED_SERVICE: Variables = {
  TRUST_PROXY: '1',
  RATE_LIMIT_SUBMISSIONS_PER_MINUTE: '600',
  BREAKER_PAUSE_MS: '2000',
  MAX_REQUESTS_IN_FLIGHT: '256',
  GAS_BUDGET_PER_POOL_FRI: '2000000000000000000000',
  GAS_BUDGET_IN_ALL_FRI: '5000000000000000000000',
  LOSS_BUDGET_PER_POOL_FRI: String(BUDGET_FRI),
  // In production, this setting has the same value.
  PARTIAL_BATCHES: 'aged',
  // Deposit limits would stop this attack early. But the attack must be able to test whether old
  // roots are still accepted.
  DEPOSITS_PER_HOUR_PER_POOL: '1000',
  DEPOSITS_PER_HOUR_PER_DEPOSITOR: '1000',
  DEPOSITS_PER_HOUR_PER_NETWORK: '1000',
};
export const ATTACKED_CHAIN: Variables = {
  NOTES_PAY_ONCE: '1',
  EXTRA_ACCOUNTS: String(DEPOSITORS.count),
};
