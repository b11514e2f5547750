import { toFelt } from '@sotto/kernel';
import type { Answer } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { Stack } from '../stack/stack.js';
import { loadPool, withdrawalBody } from '../stack/withdrawals.js';
import { ownSwap } from './attackers.js';
import type { Depositors } from './depositors.js';
import type { HonestTask } from './honest-client.js';
import type { SwapOutputs } from './swap-outputs.js';

const WITHDRAWALS_PER_SECOND = 2;
/** Address header of the withdrawing caller, in a network without attackers. */
const WITHDRAWER = { 'x-forwarded-for': '203.0.113.7' };
const HONEST_TOLERANCE = 0.01;
let withdrawals = 0;

/**
 * Returns the address header of the honest caller with this index. Each such caller is in a
 * separate network.
 */
const honestAt = (index: number): Readonly<Record<string, string>> => ({
  'x-forwarded-for': `198.${18 + (Math.floor(index / 250) % 2)}.${index % 250}.7`,
});

/** Creates the task that withdraws a new note every half second. */
export function honestWithdrawals(stack: Stack): HonestTask {
  const notes = new Map<number, number>();
  return {
    name: 'withdrawals',
    perSecond: WITHDRAWALS_PER_SECOND,
    prepare: async (index) => {
      const note = notes.get(index) ?? withdrawals++;
      notes.set(index, note);
      const { root } = await stack.chain.treeOf(loadPool.address);
      const body = withdrawalBody(note, { root });
      return (signal) => stack.service.withdraw(body, { headers: WITHDRAWER, signal });
    },
  };
}

/** Creates the task that makes private swaps with a usual tolerance. */
export function honestSwaps(stack: Stack): HonestTask {
  return {
    name: 'swaps',
    perSecond: 0.5,
    prepare: async (index) => {
      const { root } = await stack.chain.treeOf(loadPool.address);
      const body = ownSwap(root, { slippage: HONEST_TOLERANCE });
      return (signal) =>
        stack.service.post('/api/relayer/private-swap', body, honestAt(index), signal);
    },
  };
}

/** Creates the task that makes deposits, each from another depositor in another network. */
export function honestDeposits(stack: Stack, depositors: Depositors, perSecond = 0.5): HonestTask {
  return {
    name: 'deposits',
    perSecond,
    prepare: async (index) => {
      const body = depositors.bodyFor(index);
      return (signal) => stack.service.post('/api/relayer/deposit', body, honestAt(index), signal);
    },
  };
}

/** Creates the task that withdraws outputs of private swaps. */
export function honestOutputs(stack: Stack, outputs: SwapOutputs): HonestTask {
  return {
    name: 'withdrawals of swap outputs',
    perSecond: 0.5,
    prepare: async (index) => {
      const { body } = await outputs.withdrawal(2n);
      return (signal) => stack.service.withdraw(body, { headers: honestAt(index), signal });
    },
  };
}

const isOk = ({ status }: Answer): boolean => status === 200;

/** Creates the task that requests estimates of a bridge transfer. */
export function honestQuotes(stack: Stack): HonestTask {
  const body = {
    from_chain: 'ethereum',
    from_token: 'USDC',
    to_chain: 'starknet',
    to_token: 'STRK',
    dry_run: true,
  };
  return {
    name: 'bridge quotes',
    perSecond: 1,
    isServed: isOk,
    // Use different amounts, so that no response comes from a cache.
    prepare: async (index) => (signal) =>
      stack.service.post(
        '/api/bridge/quote',
        { ...body, amount: String(100_000_000 + index) },
        honestAt(index),
        signal,
      ),
  };
}

/** Creates the task that requests fee estimates of a withdrawal from the swap pool. */
export function honestEstimates(stack: Stack, leafIndex: number): HonestTask {
  const path = `/api/relayer/fee-estimate?pool=${toFelt(sandboxWorld.swapPool.address)}&leafIndex=${leafIndex}`;
  return {
    name: 'fee estimates',
    perSecond: 1,
    isServed: isOk,
    prepare: async (index) => (signal) =>
      stack.service.request(path, { headers: honestAt(index), signal }),
  };
}

/** Creates the task that sends health probes, each over a new connection. */
export function probes(stack: Stack): HonestTask {
  return {
    name: 'health probes',
    perSecond: 2,
    isServed: isOk,
    prepare: async () => (signal) =>
      stack.service.request('/health/live', { headers: { connection: 'close' }, signal }),
  };
}
