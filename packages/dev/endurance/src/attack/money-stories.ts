import { systemClock, toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { loadPool, withdrawalBody } from '../stack/withdrawals.js';
import type { Attack, Target } from './attack.js';
import { nextNote, ownSwap, ownWithdrawal } from './attackers.js';
import { FRI_PER_SAT, FRI_PER_WEI } from './costs.js';
import { addressIn, times, type Crowd } from './crowd.js';
import { honestEstimates, honestOutputs, honestQuotes, honestSwaps } from './honest-tasks.js';
import { ASYNC, callsDuring, spendDirectly, untilSent } from './strikes.js';
import { SwapOutputs } from './swap-outputs.js';

const Required = z.object({ details: z.object({ required: z.string().transform(BigInt) }) });

/** Queries the minimum fee of a withdrawal from the load's pool, in sats, from the service. */
async function leastFee({ service, stack }: Target): Promise<bigint> {
  const { root } = await stack.chain.treeOf(loadPool.address);
  const answer = await service.withdraw(withdrawalBody(nextNote(), { root, fee: 1n }));
  return Required.parse(answer.body).details.required;
}

/** Queries the minimum fee of a private swap, in sats, from the service. */
async function leastSwapFee({ service, stack }: Target): Promise<bigint> {
  const { root } = await stack.chain.treeOf(loadPool.address);
  const answer = await service.post('/api/relayer/private-swap', ownSwap(root, { fee: 1n }));
  return Required.parse(answer.body).details.required;
}

/** Price change in basis points while swaps are in flight, which exceeds the minimum tolerance. */
const SLIP_BPS = 50;
const MOVED_MS = 700;
const POLL_MS = 10;
const SWAPS_AT_ONCE = 6;
/** Number of concurrent swaps if the attacker has ten times as many addresses. */
const TENFOLD_SWAPS_AT_ONCE = 24;

/**
 * Makes swaps at the minimum tolerance from many addresses of one /48, while the market price
 * changes.
 */
const slippingCrowd: Attack = {
  story: 'T6',
  name: 'swaps whose price changes before inclusion, from 40 addresses of one /48',
  reverts: true,
  strikesPerSecond: 1,
  // All attacking requests change the same market price. If several requests ran at the same time,
  // they would change each other's price.
  mostUnderway: 1,
  begin: async (target) => {
    const { stack, service, requests, factor } = target;
    const crowd = times(factor, { range: 6, addresses: 40, networks: 1, version: 6 });
    const pair = {
      sellToken: toFelt(loadPool.token),
      buyToken: toFelt(sandboxWorld.tokens.ETH.address),
    };
    const move = (byBps: number): Promise<unknown> =>
      stack.chain.control('aggregator', { order: { action: 'moveRate', ...pair, byBps } });
    const atOnce = factor === 10 ? TENFOLD_SWAPS_AT_ONCE : SWAPS_AT_ONCE;
    // Use twice the minimum fee. The minimum may rise after a price change; with a lower fee, the
    // attack would then end.
    const fee = 2n * (await leastSwapFee(target));
    let sent = 0;
    const swap = async (index: number): Promise<void> => {
      const from = { 'x-forwarded-for': addressIn(crowd, index), ...ASYNC };
      const { root } = await stack.chain.treeOf(loadPool.address);
      const answer = await requests.note(() =>
        service.post('/api/relayer/private-swap', ownSwap(root, { fee }), from),
      );
      const location = answer?.headers.get('location') ?? null;
      if (location === null) return;
      await untilSent(service, location, from);
      sent += 1;
    };
    return {
      paysFri: fee * FRI_PER_SAT,
      honest: [honestSwaps(stack)],
      strike: async (index) => {
        const first = index * atOnce;
        const progress = { seen: sent, isOver: false };
        const swaps = Promise.all(
          Array.from({ length: atOnce }, (_, place) => swap(first + place)),
        ).finally(() => {
          progress.isOver = true;
        });
        // Before signing, the service simulates the swap once more. The price must change after
        // this simulation and before the block.
        while (!progress.isOver || progress.seen < sent) {
          if (progress.seen === sent) {
            await systemClock.sleep(POLL_MS);
            continue;
          }
          progress.seen = sent;
          await move(-SLIP_BPS);
          await systemClock.sleep(MOVED_MS);
          await move(SLIP_BPS);
        }
        await swaps;
      },
    };
  },
};

/**
 * Requests withdrawals from many addresses, and spends each note before the service's transaction
 * does.
 */
const spentNotes: Attack = {
  story: 'T8',
  name: 'withdrawals of notes that the owner spends directly, from 20 addresses of one /48',
  reverts: true,
  sendsDirectly: true,
  strikesPerSecond: 2,
  begin: async (target) => {
    const { stack, service, requests, factor } = target;
    const crowd = times(factor, { range: 8, addresses: 20, networks: 1, version: 6 });
    const fee = await leastFee(target);
    return {
      paysFri: fee * FRI_PER_SAT,
      strike: async (index) => {
        const { root } = await stack.chain.treeOf(loadPool.address);
        const { note, ...body } = ownWithdrawal(root, fee);
        const from = { 'x-forwarded-for': addressIn(crowd, index), ...ASYNC };
        await requests.note(() => service.withdraw(body, { headers: from }));
        await spendDirectly(stack, note);
      },
    };
  },
};

/**
 * Number of requests of each kind that are made before the honest client starts, to measure how
 * many node calls these requests cause.
 */
const MEASURED = 20;
const FIRST_UNKNOWN_LEAF = 950;

/** Repeats cheap requests: a valid proof with a fee of 1, unknown leaves and unknown bridge ids. */
const cheapRequests: Attack = {
  story: 'T9',
  name: 'requests with a fee of 1, unknown leaves or unknown bridge ids',
  strikesPerSecond: 40,
  begin: async (target) => {
    const { stack, service, requests, factor } = target;
    const crowd: Crowd = times(factor, { range: 9, addresses: 8, networks: 1 });
    const { root } = await stack.chain.treeOf(loadPool.address);
    const proof = withdrawalBody(nextNote(), { root, fee: 1n });
    const outputs = await SwapOutputs.fill(stack.chain, service);
    const { leafIndex } = await outputs.withdrawal(2n);
    const estimates = `/api/relayer/fee-estimate?pool=${toFelt(sandboxWorld.swapPool.address)}`;
    const kinds = [
      (from: Headers, _index: number) => service.withdraw(proof, { headers: from }),
      (from: Headers, index: number) =>
        service.get(`${estimates}&leafIndex=${FIRST_UNKNOWN_LEAF + index}`, from),
      (from: Headers, index: number) =>
        service.get(`/api/bridge/status?transaction_id=unknown-${index}`, from),
    ] as const;
    const strike = async (index: number): Promise<void> => {
      const from = { 'x-forwarded-for': addressIn(crowd, index) };
      const query = kinds[index % kinds.length] ?? kinds[0];
      await requests.note(() => query(from, index));
    };
    const measured = MEASURED * kinds.length;
    const struck = await callsDuring(stack, async () => {
      for (let index = 0; index < measured; index += 1) await strike(index);
    });
    const idle = await callsDuring(stack, () => systemClock.sleep(struck.ms));
    const cost = struck.calls - idle.calls;
    return {
      honest: [honestQuotes(stack), honestEstimates(stack, leafIndex)],
      strike,
      end: async () =>
        cost < measured / 2
          ? []
          : [`${measured} cheap requests made the node answer ${cost} calls`],
    };
  },
};
type Headers = Readonly<Record<string, string>>;

/** Price of L2 gas on the sandbox's chain, in fri. */
const L2_GAS_FRI = 8_000_000_000n;
const PRICE_ROSE_MS = 700;

/** Withdraws swap outputs at the minimum fee while the gas price rises by one per cent. */
const leastFees: Attack = {
  story: 'T11',
  name: 'withdrawals of swap outputs at the minimum fee, with gas 1 % more expensive at inclusion',
  strikesPerSecond: 1,
  begin: async (target) => {
    const { stack, service, requests, factor } = target;
    const crowd = times(factor, { range: 11, addresses: 10, networks: 1 });
    const outputs = await SwapOutputs.fill(stack.chain, service);
    let rises = 0;
    const setPrice = (l2Gas: bigint): Promise<unknown> =>
      stack.chain.control('setGasPrices', { l2Gas: String(l2Gas) });
    return {
      paysFri: outputs.requiredWei * FRI_PER_WEI,
      honest: [honestOutputs(stack, outputs)],
      strike: async (index) => {
        const { body } = await outputs.withdrawal(1n);
        const from = { 'x-forwarded-for': addressIn(crowd, index), ...ASYNC };
        const answer = await requests.note(() => service.withdraw(body, { headers: from }));
        const location = answer?.headers.get('location') ?? null;
        if (location !== null) await untilSent(service, location, from);
        rises += 1;
        await setPrice((L2_GAS_FRI * 101n) / 100n);
        await systemClock.sleep(PRICE_ROSE_MS);
        rises -= 1;
        if (rises === 0) await setPrice(L2_GAS_FRI);
      },
      end: async () => {
        await setPrice(L2_GAS_FRI);
        return [];
      },
    };
  },
};

export const MONEY_STORIES = { slippingCrowd, spentNotes, cheapRequests, leastFees } as const;
