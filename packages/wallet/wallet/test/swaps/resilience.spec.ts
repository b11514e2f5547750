import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { PrivateSwap, Withdrawal, type PrivateSwapEvent } from '../../src/advanced.js';
import { readAll } from '../support/read-all.js';
import { RECIPIENT, SwapWorld } from '../support/swap-world.js';
import { passTime } from '../support/virtual-time.js';
import { WalletProcess, type Moment } from '../support/wallet-process.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/**
 * External calls of a swap until its withdrawal starts, in the sequence in which they happen,
 * without lease renewals.
 */
const CALLS = [
  'storage keys',
  'storage write',
  'chain read',
  'GET /status',
  'GET /api/relayer/pools',
  'POST /api/relayer/quote',
  'proving',
  'POST /api/relayer/private-swap',
  'GET /api/relayer/submissions/swap-0',
];
/**
 * Indices of the calls that the tests interrupt: all calls of the swap, and the first calls of the
 * withdrawal.
 */
const POINTS = Array.from({ length: 66 }, (_, call) => call);

it('an uninterrupted swap makes exactly the calls at which the other tests interrupt it', async () => {
  const process = new WalletProcess();
  const events = await passTime(new SwapWorld().run(process));
  const tried = process.calls.slice(0, POINTS.length);
  expect(tried).toEqual(expect.arrayContaining(CALLS));
  expect(tried.lastIndexOf('GET /status')).toBeGreaterThan(
    tried.lastIndexOf('GET /api/relayer/submissions/swap-0'),
  );
  expect(events.at(-1)?.type).toBe('settled');
});

/** Closes a wallet at one call, applies the failure, and starts the wallet again. */
async function restarted(
  world: SwapWorld,
  closesAt: { readonly call: number; readonly moment: Moment },
  trouble: (world: SwapWorld) => void,
): Promise<readonly PrivateSwapEvent[]> {
  const closed = new WalletProcess(closesAt);
  const run = world.run(closed);
  await passTime(Promise.race([closed.closed, run]));
  trouble(world);
  return passTime(world.run(new WalletProcess()), 7_200_000);
}

/** Checks the conditions that must be true at every end of a swap. */
async function expectNothingLost(world: SwapWorld): Promise<void> {
  // A proof was sent to at most one relayer. All requests to this relayer contain the same new
  // note, which the wallet's keys derive.
  expect(world.relayers.filter(({ arrivals }) => arrivals > 0).length).toBeLessThanOrEqual(1);
  const [{ outputIndex }] = await onlySwap(world);
  const pool = { chainId: world.chain.chainId, pool: world.swapChain.pool };
  const { commitment } = world.keys.note({ ...pool, index: outputIndex ?? -1 });
  const swaps = world.relayers.flatMap((relayer) => relayer.swaps);
  expect(swaps.filter((swap) => swap.commitment !== commitment)).toEqual([]);
  expect(world.chain.transactions.length).toBeLessThanOrEqual(1);
  expect(world.chain.paymentsTo(BigInt(RECIPIENT))).toBe(0);
}

async function onlySwap(world: SwapWorld) {
  const [swap, ...others] = await PrivateSwap.list(world.storage);
  if (swap === undefined) throw new Error('the storage knows no swap');
  expect(others).toEqual([]);
  return [swap] as const;
}

const calm = (): void => undefined;

function cutNetwork({ chain, swapChain, relayers }: SwapWorld): void {
  const upAtMs = Date.now() + 600_000;
  for (const one of [chain, swapChain]) one.isReachable = false;
  setTimeout(() => {
    for (const one of [chain, swapChain]) one.isReachable = true;
  }, 600_000);
  for (const relayer of relayers) relayer.fault = () => (Date.now() < upAtMs ? 'lost' : undefined);
}

describe.each([
  ['before it, and nothing else fails', 'before', calm],
  ['after it, and nothing else fails', 'after', calm],
  ['after it, and the network fails for ten minutes', 'after', cutNetwork],
] as const)('a wallet closed at a call, %s', (_, moment, trouble) => {
  it.each(POINTS)(
    'a swap settles at the next start after its wallet was closed: call %s',
    async (call) => {
      const world = new SwapWorld();
      const events = await restarted(world, { call, moment }, trouble);
      await expectNothingLost(world);
      // If the relayer was silent until the run ended, the next start uses this relayer again.
      const last = events.at(-1);
      const end =
        last?.type === 'stopped' ? await passTime(readAll(world.begin().events())) : events;
      expect(end.at(-1)?.type).toBe('settled');
      expect(world.paid).toBe(1);
      await expectNothingLost(world);
      expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
      expect(await world.kept()).not.toContain('"calldata":["0x');
    },
  );
});

describe('a closed wallet whose first relayer never returns', () => {
  it.each(POINTS)(
    'swaps or withdraws the note plainly if the first relayer fails for ever: call %s',
    async (call) => {
      const world = new SwapWorld();
      const events = await restarted(world, { call, moment: 'after' }, ({ first }) => {
        first.fault = () => 'lost';
      });
      await expectNothingLost(world);
      const { note, chain, storage } = world;
      const isSwapped = chain.spending(note.nullifierHash) !== undefined;
      expect(events.at(-1)?.type).toBe(isSwapped ? 'settled' : 'stopped');
      expect(world.paid).toBe(isSwapped ? 1 : 0);
      // The note was not swapped, so it can be withdrawn plainly.
      const { pool, prover, relayers, locks } = world.means();
      const means = { note, pool, prover, relayers, locks, storage };
      const plainly = Withdrawal.begin({ ...means, recipient: RECIPIENT, maxFee: 100n });
      const end = (await passTime(readAll(plainly.events()))).at(-1)?.type;
      expect(end).toBe(isSwapped ? 'failed' : 'settled');
      expect(chain.paymentsTo(BigInt(RECIPIENT))).toBe(isSwapped ? 0 : 1);
    },
  );
});
