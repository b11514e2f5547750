import { z } from 'zod';
import type { Chain } from '../stack/chain.js';

/** Enough that the service has settled some of them. */
const PAID_BETWEEN_ROLLBACKS = 4;
const ROLLED_BACK = 2;

/** One more thing that the world does; called again and again while the process lives. */
export type Disturbance = (chain: Chain) => Promise<void>;

const ADD = 'starknet_addInvokeTransaction';
/** Errors of the JSON-RPC specification. */
const INVALID_PROOF = 69;
const NON_ACCOUNT = 58;
const INSUFFICIENT_RESOURCES_FOR_VALIDATE = 53;
/** In fri; the sandbox's first price of L2 gas. */
const USUAL_PRICE = 8_000_000_000n;
/** Above the three times the price that transactions offer, below the service's ceiling. */
const HIGH_PRICE = 4n * USUAL_PRICE;
/** Of all sends while it lasts, and of one call until it has been given up. */
const [REFUSALS, RESENDS] = [1_000, 8];
/** A busy machine needs some rounds until a stir takes effect; then the stir starts again. */
const ROUNDS = 20;

/**
 * Makes one of the next sends go wrong; of several that were asked for and did not, the last one
 * counts.
 */
async function breakNext(chain: Chain, kind: string, members: object = {}): Promise<void> {
  await chain.control('clearFaults');
  await chain.control('addFault', { method: ADD, fault: { kind, ...members }, times: 1 });
}

/** Every send but some gets lost. */
export const loseSends = (): Disturbance => (chain) => breakNext(chain, 'drop-before');

/**
 * INVALID_PROOF ends the attempt, INSUFFICIENT_RESOURCES_FOR_VALIDATE sends it back into the queue,
 * and NON_ACCOUNT blames an account that is fine: the attempt goes to the other one. All prove that
 * nothing is out.
 */
export function refuseSends(
  codes: readonly number[] = [INVALID_PROOF, INSUFFICIENT_RESOURCES_FOR_VALIDATE, NON_ACCOUNT],
): Disturbance {
  let round = 0;
  return (chain) => breakNext(chain, 'refuse', { code: codes[round++ % codes.length] });
}

/**
 * Refusals that arrive late: meanwhile the next nonces are used, so that the nonce of the refused
 * call is a gap below them.
 */
export const refuseLate =
  (lateMs = LATE_MS): Disturbance =>
  async (chain) => {
    await chain.control('delay', { method: ADD, ms: lateMs });
    await breakNext(chain, 'refuse', { code: INVALID_PROOF });
  };

/** From the shortest, to what a send on a busy machine still waits for. */
export const LATE_MS = 1_500;
export const LATEST_MS = 6_000;

/**
 * The chain takes in nothing until some wait in its pool; then the price runs away from them. What
 * it has taken in already gets its block, so that the next ones are sent.
 */
export function raisePrice(): Disturbance {
  let roundsLeft = 0;
  return async (chain) => {
    if (roundsLeft > 0) {
      roundsLeft -= 1;
      if (roundsLeft === 0) await calm(chain);
      return;
    }
    await chain.control('pause');
    if (z.array(z.unknown()).parse(await chain.control('waiting')).length < 2) {
      await chain.control('mine');
      return;
    }
    await setPrice(chain, HIGH_PRICE);
    // A price is seen by the block that has it, and no transaction can pay for a place in that one.
    await chain.control('mine');
    await chain.control('resume');
    roundsLeft = ROUNDS;
  };
}

/**
 * A send gets lost, and then the node takes no call at all: what may be out is sent again and
 * refused again, until it is given up for a no-op.
 */
export function loseAndRefuse(): Disturbance {
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
      await refuseAll(chain, REFUSALS);
      roundsLeft = ROUNDS;
      sendsBefore = null;
    }
  };
}

/** The same, of the next send and those after it: for a single call, which is then given up. */
export async function loseThenRefuse(chain: Chain): Promise<void> {
  await breakNext(chain, 'drop-before');
  await refuseAll(chain, RESENDS);
}

function refuseAll(chain: Chain, times: number): Promise<unknown> {
  const fault = { kind: 'refuse', code: INVALID_PROOF };
  return chain.control('addFault', { method: ADD, fault, times });
}

/**
 * Once some withdrawals more stand in blocks, the newest blocks are undone, never the first; what
 * they held goes back to the pool.
 */
export function rollBack(): Disturbance {
  let paidBefore: number | null = null;
  return async (chain) => {
    const paid = (await chain.inclusions()).length;
    if (
      paidBefore !== null &&
      paid >= paidBefore + PAID_BETWEEN_ROLLBACKS &&
      (await chain.height()) > ROLLED_BACK
    ) {
      await chain.control('rollback', { blocks: ROLLED_BACK, fate: 'return-to-pool' });
      paidBefore = null;
      return;
    }
    paidBefore ??= paid;
  };
}

/** What stands in blocks is beyond every rollback here from now on. */
export async function bury(chain: Pick<Chain, 'control'>): Promise<void> {
  await chain.control('mine', { blocks: ROLLED_BACK });
}

/** The world as it was before it was stirred. */
export async function calm(chain: Chain): Promise<void> {
  await chain.control('clearFaults');
  await chain.control('delay', { method: ADD, ms: 0 });
  await setPrice(chain, USUAL_PRICE);
  // The service sees a price in the block that has it.
  await chain.control('mine');
  await chain.control('resume');
}

const Counters = z.object({ calls: z.record(z.string(), z.number()) });

function setPrice(chain: Chain, priceFri: bigint): Promise<unknown> {
  return chain.control('setGasPrices', { l2Gas: String(priceFri) });
}
