import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import type { Chain } from '../stack/chain.js';
import { loadPool } from '../stack/withdrawals.js';

/** One more thing that the world does; called again and again while the process lives. */
export type Stir = (chain: Chain) => Promise<void>;

const ADD = 'starknet_addInvokeTransaction';
/** In fri; the sandbox's first price of L2 gas. */
const USUAL_PRICE = 8_000_000_000n;
/** Above the three times the price that transactions offer, below the service's ceiling. */
const HIGH_PRICE = 4n * USUAL_PRICE;
/** A busy machine needs some rounds for what a stir is after; then it begins anew. */
const ROUNDS = 20;
/** Long enough for a block to close. */
const ROUNDS_BETWEEN = 5;

/** Makes one of the next sends go wrong; of several that were asked for and did not, the last one counts. */
async function breakNext(chain: Chain, kind: string, members: object = {}): Promise<void> {
  await chain.control('clearFaults');
  await chain.control('addFault', { method: ADD, fault: { kind, ...members }, times: 1 });
}

/** Every send but some gets lost. */
export const loseSends = (): Stir => (chain) => breakNext(chain, 'drop-before');

/** NON_ACCOUNT ends the attempt; INSUFFICIENT_RESOURCES_FOR_VALIDATE sends it back into the queue. Both prove that nothing is out. */
export function refuseSends(codes: readonly number[] = [58, 53]): Stir {
  let round = 0;
  return (chain) => breakNext(chain, 'refuse', { code: codes[round++ % codes.length] });
}

/**
 * The chain stands still until some wait in its pool; then the price runs away from them. Where everything in flight is in the block
 * that stands still, nobody would ever come to wait: the chain goes on for a while.
 */
export function raisePrice(): Stir {
  let roundsLeft = 0;
  let roundsPaused = 0;
  return async (chain) => {
    if (roundsLeft > 0) {
      roundsLeft -= 1;
      if (roundsLeft === 0) await calm(chain);
      return;
    }
    await chain.control('pause');
    roundsPaused += 1;
    const someWait = z.array(z.unknown()).parse(await chain.control('waiting')).length >= 2;
    if (!someWait && roundsPaused < ROUNDS) return;
    if (someWait) await setPrice(chain, HIGH_PRICE);
    await chain.control('resume');
    roundsPaused = 0;
    roundsLeft = someWait ? ROUNDS : ROUNDS_BETWEEN;
  };
}

/** A send gets lost; before it is sent again, its pool stands still and wants nothing of it any more. */
export function loseAndPausePool(): Stir {
  let sendsBefore: number | null = null;
  let roundsLeft = 0;
  return async (chain) => {
    if (roundsLeft > 0) {
      roundsLeft -= 1;
      if (roundsLeft === 0) await calm(chain);
      return;
    }
    const { calls } = Counters.parse(await chain.control('counters'));
    const sends = calls[ADD] ?? 0;
    if (sendsBefore === null) {
      await breakNext(chain, 'drop-before');
      sendsBefore = sends;
    } else if (sends > sendsBefore) {
      await pausePool(chain, true);
      roundsLeft = ROUNDS;
      sendsBefore = null;
    }
  };
}

/** The world as it was before it was stirred. */
export async function calm(chain: Chain): Promise<void> {
  await chain.control('clearFaults');
  await setPrice(chain, USUAL_PRICE);
  await pausePool(chain, false);
  await chain.control('resume');
}

const Counters = z.object({ calls: z.record(z.string(), z.number()) });

function setPrice(chain: Chain, priceFri: bigint): Promise<unknown> {
  return chain.control('setGasPrices', { l2Gas: String(priceFri) });
}

function pausePool(chain: Chain, isPaused: boolean): Promise<unknown> {
  return chain.control('setStorage', { address: toFelt(loadPool.address), key: 'paused', value: isPaused ? '1' : '0' });
}
