import { simulationReverted, type SimulationReverted } from '@sotto/submission-core';
import { CommitmentExists } from '../../errors.js';
import { SlippageTooTight } from '@sotto/market-core';

/** The router's words when less comes out than the minimum. */
const TOO_LITTLE_OUT = 'Insufficient tokens received';
/** The swap pool's words when it has a leaf with the new commitment. */
const KNOWN_COMMITMENT = 'SwapPool: commitment exists';

/**
 * The same for `private_swap`, two of whose reverts have a code of their own: the caller can do
 * something about them.
 */
export function privateSwapReverted(
  reason: string,
): SimulationReverted | SlippageTooTight | CommitmentExists {
  if (bringsTooLittle(reason)) return new SlippageTooTight();
  if (reason.includes(KNOWN_COMMITMENT)) return new CommitmentExists();
  return simulationReverted(reason);
}

/** Whether a swap reverted, or would, because less came out than it had to bring. */
function bringsTooLittle(reason: string): boolean {
  return reason.includes(TOO_LITTLE_OUT);
}

/**
 * Whose doing a revert is. `user`: the owner of the note, or anybody who trades or deposits, can
 * bring it about at will, whatever state the contracts are in. `service`: everything else; it
 * points to contracts, keys or gas, and will happen to the next call as well.
 */
export type RevertCause = 'user' | 'service';

/** Words of pools and guard if note, tree or allowance changed after the admission. */
const MADE_BY_USERS = [
  'already withdrawn',
  'unknown root',
  'unknown batch',
  'empty leaf',
  'fee too high',
  'commitment exists',
  // Words of the guard: a view changed between simulation and inclusion.
  'guard: differs',
  'guard: below',
];

/**
 * The words, in a swap, of all but the market: of pools and tokens. Gas is the market's: the gas of
 * a swap is compared with its bounds right before it is signed, so a route has become dearer since,
 * and the operator of an exchange of the route can do that at will.
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
 * @param reason the contract's words, null where there are none
 * @param isSwap in a swap contracts of the route speak as well, in words of their own: anybody who
 *   trades can make them, so they are the market's
 */
export function revertCause(reason: string | null, isSwap: boolean): RevertCause {
  const words = (reason ?? '').toLowerCase();
  const says = (text: string): boolean => words.includes(text);
  if (MADE_BY_USERS.some(says)) return 'user';
  return isSwap && words !== '' && !NOT_OF_A_MARKET.some(says) ? 'user' : 'service';
}
