import { z } from 'zod';
import type { Chain } from '../stack/chain.js';

/**
 * Number of new payments before each rollback, so that the service can settle some of them before
 * the rollback.
 */
const PAID_BETWEEN_ROLLBACKS = 4;
const ROLLED_BACK = 2;

/** One step of a disturbance of the chain, called repeatedly while the process runs. */
export type Disturbance = (chain: Chain) => Promise<void>;

const ADD = 'starknet_addInvokeTransaction';
/** Error codes of the JSON-RPC specification. */
const INVALID_PROOF = 69;
const NON_ACCOUNT = 58;
const INSUFFICIENT_RESOURCES_FOR_VALIDATE = 53;
/** Initial L2 gas price of the sandbox, in fri. */
const USUAL_PRICE = 8_000_000_000n;
/**
 * L2 gas price in fri: above the price that transactions offer (three times the usual price), and
 * below the service's ceiling.
 */
const HIGH_PRICE = 4n * USUAL_PRICE;
/**
 * Numbers of rejected sends. The first number covers all sends of a disturbance. The second number
 * suffices for a no-op to replace a single call.
 */
const [REJECTIONS, RESENDS] = [1_000, 8];
/**
 * Number of steps after which a disturbance starts again. On a busy machine, a disturbance needs
 * several steps before it has an effect.
 */
const ROUNDS = 20;

/** Makes the next send fail. A pending fault is removed first. */
async function breakNext(chain: Chain, kind: string, members: object = {}): Promise<void> {
  await chain.control('clearFaults');
  await chain.control('addFault', { method: ADD, fault: { kind, ...members }, times: 1 });
}

/** Drops the next send. Repeated calls drop most sends. */
export const loseSends = (): Disturbance => (chain) => breakNext(chain, 'drop-before');

/**
 * Rejects sends with codes that prove that the call was not broadcast. INVALID_PROOF ends the
 * attempt, and INSUFFICIENT_RESOURCES_FOR_VALIDATE returns the attempt to the queue. NON_ACCOUNT is
 * returned for a valid account, so the attempt moves to the other account.
 */
export function refuseSends(
  codes: readonly number[] = [INVALID_PROOF, INSUFFICIENT_RESOURCES_FOR_VALIDATE, NON_ACCOUNT],
): Disturbance {
  let round = 0;
  return (chain) => breakNext(chain, 'refuse', { code: codes[round++ % codes.length] });
}

/**
 * Rejects sends after a delay. The lane uses the next nonces during the delay, so the nonce of the
 * rejected call becomes a gap. Pauses after every {@link ROUNDS} steps for as many steps: if the
 * lanes are full, they send only transactions of their lowest nonces, and no rejection of these may
 * last.
 */
export function refuseLate(lateMs = LATE_MS): Disturbance {
  let round = 0;
  return async (chain) => {
    const isPause = Math.floor(round++ / ROUNDS) % 2 === 1;
    await chain.control('delay', { method: ADD, ms: isPause ? 0 : lateMs });
    if (isPause) await chain.control('clearFaults');
    else await breakNext(chain, 'refuse', { code: INVALID_PROOF });
  };
}

/**
 * Delays of rejections, in ms. `LATE_MS` is the shortest delay. `LATEST_MS` is the longest delay,
 * which is needed on a busy machine.
 */
export const LATE_MS = 1_500;
export const LATEST_MS = 6_000;

/**
 * Pauses blocks until at least two transactions wait in the mempool, and then raises the gas price
 * above their resource bounds. Transactions that already wait at the start are included first, so
 * that the next transactions are sent.
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
    // The new price applies from the next block on. No waiting transaction can pay it.
    await chain.control('mine');
    await chain.control('resume');
    roundsLeft = ROUNDS;
  };
}

/**
 * Drops one send, then rejects every call. The dropped call may have been broadcast, so the service
 * sends it repeatedly until a no-op replaces it.
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
      await refuseAll(chain, REJECTIONS);
      roundsLeft = ROUNDS;
      sendsBefore = null;
    }
  };
}

/** Drops the next send and rejects the sends after it, so that a no-op replaces one call. */
export async function loseThenRefuse(chain: Chain): Promise<void> {
  await breakNext(chain, 'drop-before');
  await refuseAll(chain, RESENDS);
}

function refuseAll(chain: Chain, times: number): Promise<unknown> {
  const fault = { kind: 'refuse', code: INVALID_PROOF };
  return chain.control('addFault', { method: ADD, fault, times });
}

/**
 * Rolls back the newest two blocks each time the chain has at least four more paid transactions.
 * The first block always remains. The undone transactions return to the mempool.
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

/** Adds enough blocks that no rollback of this disturbance can undo the current blocks. */
export async function bury(chain: Pick<Chain, 'control'>): Promise<void> {
  await chain.control('mine', { blocks: ROLLED_BACK });
}

/** Ends every disturbance of the chain: faults, delays, prices and the pause. */
export async function calm(chain: Chain): Promise<void> {
  await chain.control('clearFaults');
  await chain.control('delay', { method: ADD, ms: 0 });
  await setPrice(chain, USUAL_PRICE);
  // The service reads the price from a block, so the new price needs one more block.
  await chain.control('mine');
  await chain.control('resume');
}

const Counters = z.object({ calls: z.record(z.string(), z.number()) });

function setPrice(chain: Chain, priceFri: bigint): Promise<unknown> {
  return chain.control('setGasPrices', { l2Gas: String(priceFri) });
}
