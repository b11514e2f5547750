import { z } from 'zod';
import type { Chain } from '../stack/chain.js';

/** Enough payments for the service to settle some of them. */
const PAID_BETWEEN_ROLLBACKS = 4;
const ROLLED_BACK = 2;

/** Step of a disturbance of the chain. Called repeatedly while the process lives. */
export type Disturbance = (chain: Chain) => Promise<void>;

const ADD = 'starknet_addInvokeTransaction';
/** Errors of the JSON-RPC specification. */
const INVALID_PROOF = 69;
const NON_ACCOUNT = 58;
const INSUFFICIENT_RESOURCES_FOR_VALIDATE = 53;
/** First L2 gas price of the sandbox, in fri. */
const USUAL_PRICE = 8_000_000_000n;
/** Above three times the usual price, which transactions offer, and below the service's ceiling. */
const HIGH_PRICE = 4n * USUAL_PRICE;
/** Number of rejections: for all sends, and for one call until a no-op replaces it. */
const [REFUSALS, RESENDS] = [1_000, 8];
/**
 * Number of rounds until a disturbance starts again. A busy machine needs some until one has an
 * effect.
 */
const ROUNDS = 20;

/** Makes one of the next sends fail. If several faults are pending, only the last one applies. */
async function breakNext(chain: Chain, kind: string, members: object = {}): Promise<void> {
  await chain.control('clearFaults');
  await chain.control('addFault', { method: ADD, fault: { kind, ...members }, times: 1 });
}

/** Loses most sends. */
export const loseSends = (): Disturbance => (chain) => breakNext(chain, 'drop-before');

/**
 * Rejects sends with codes that prove that the call was not broadcast. INVALID_PROOF ends the
 * attempt, INSUFFICIENT_RESOURCES_FOR_VALIDATE returns it to the queue, and NON_ACCOUNT blames a
 * valid account, so the attempt moves to the other one.
 */
export function refuseSends(
  codes: readonly number[] = [INVALID_PROOF, INSUFFICIENT_RESOURCES_FOR_VALIDATE, NON_ACCOUNT],
): Disturbance {
  let round = 0;
  return (chain) => breakNext(chain, 'refuse', { code: codes[round++ % codes.length] });
}

/**
 * Rejects sends late. The next nonces are used in the meantime, so the nonce of the rejected call
 * becomes a gap.
 */
export const refuseLate =
  (lateMs = LATE_MS): Disturbance =>
  async (chain) => {
    await chain.control('delay', { method: ADD, ms: lateMs });
    await breakNext(chain, 'refuse', { code: INVALID_PROOF });
  };

/** Delays of rejections: the shortest, and the longest that a send on a busy machine waits for. */
export const LATE_MS = 1_500;
export const LATEST_MS = 6_000;

/**
 * Includes nothing until some transactions wait in the pool, then raises the price above their
 * bounds. Transactions that are already accepted are included, so that the next ones are sent.
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
    // The new price applies in the next block, where no transaction can pay it.
    await chain.control('mine');
    await chain.control('resume');
    roundsLeft = ROUNDS;
  };
}

/**
 * Loses a send, then rejects every call. A possibly broadcast call is sent and rejected repeatedly
 * until a no-op replaces it.
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

/** Loses the next send and rejects those after it, so that a no-op replaces a single call. */
export async function loseThenRefuse(chain: Chain): Promise<void> {
  await breakNext(chain, 'drop-before');
  await refuseAll(chain, RESENDS);
}

function refuseAll(chain: Chain, times: number): Promise<unknown> {
  const fault = { kind: 'refuse', code: INVALID_PROOF };
  return chain.control('addFault', { method: ADD, fault, times });
}

/**
 * Rolls back the newest blocks, but never the first, once they contain some more withdrawals. The
 * undone transactions return to the pool.
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

/** Puts all blocks below the depth of any rollback. */
export async function bury(chain: Pick<Chain, 'control'>): Promise<void> {
  await chain.control('mine', { blocks: ROLLED_BACK });
}

/** Restores the undisturbed chain. */
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
