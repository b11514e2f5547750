import { simulationReverted, type SimulationReverted } from '@sotto/submission-core';
import { CommitmentExists } from '../../errors.js';
import { SlippageTooTight } from '@sotto/market-core';

/** Revert reason of the router if the output is below the minimum. */
const TOO_LITTLE_OUT = 'Insufficient tokens received';
/** Revert reason of the swap pool if one of its leaves already has the new commitment. */
const KNOWN_COMMITMENT = 'SwapPool: commitment exists';

/**
 * Converts the revert reason of `private_swap` to an error. Two revert reasons have separate error
 * codes, because the caller can react to them.
 */
export function privateSwapReverted(
  reason: string,
): SimulationReverted | SlippageTooTight | CommitmentExists {
  if (bringsTooLittle(reason)) return new SlippageTooTight();
  if (reason.includes(KNOWN_COMMITMENT)) return new CommitmentExists();
  return simulationReverted(reason);
}

/** True if a swap reverted, or would revert, because its output is below the minimum. */
function bringsTooLittle(reason: string): boolean {
  return reason.includes(TOO_LITTLE_OUT);
}

/**
 * Cause of a revert. `user`: the owner of the note, or any trader or depositor, can cause the
 * revert at will. `service`: all other causes. Such causes are in contracts, keys or gas, and
 * affect the next call as well.
 */
export type RevertCause = 'user' | 'service';

/**
 * Lower-case texts in the revert reasons of pools and guard which mean that the note, tree or
 * allowance changed after the admission.
 */
const MADE_BY_USERS = [
  'already withdrawn',
  'unknown root',
  'unknown batch',
  'empty leaf',
  'fee too high',
  'commitment exists',
  // Revert reasons of the guard contract which mean that the result of a view changed between
  // simulation and inclusion.
  'guard: differs',
  'guard: below',
];

/**
 * Texts in a swap's revert reasons that come from pools and tokens and not from the market. A
 * revert for too little gas is attributed to the market: a swap's gas is compared with its resource
 * bounds right before signing, so a route has become more expensive since. The operator of an
 * exchange on the route can cause such a revert at will.
 */
const NOT_OF_A_MARKET = [
  'invalid proof',
  'invalid commitment',
  'paused',
  'not owner',
  'tree full',
  'transfer failed',
  'no active deposit',
  'no wbtc received',
  'without a readable reason',
];

/**
 * Returns the cause of a revert.
 * @param reason revert reason of the contract; null if it gave none
 * @param isSwap true for swaps. Contracts on a swap's route revert with reasons that this function
 *   does not know. Any trader can cause such reverts, so unknown reasons are attributed to users
 */
export function revertCause(reason: string | null, isSwap: boolean): RevertCause {
  const words = (reason ?? '').toLowerCase();
  const says = (text: string): boolean => words.includes(text);
  if (MADE_BY_USERS.some(says)) return 'user';
  return isSwap && words !== '' && !NOT_OF_A_MARKET.some(says) ? 'user' : 'service';
}
