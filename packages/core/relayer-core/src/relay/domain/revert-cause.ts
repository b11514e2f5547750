/**
 * Whose doing a revert is. `user`: the owner of the note, or anybody who trades or deposits, can
 * bring it about at will, whatever state the contracts are in. `service`: everything else; it
 * points to contracts, keys or gas, and will happen to the next call as well.
 */
export type RevertCause = 'user' | 'service';

/** The pools' words where note or tree are not what they were at the admission. */
const MADE_BY_USERS = [
  'already withdrawn',
  'unknown root',
  'unknown batch',
  'empty leaf',
  'fee too high',
  'commitment exists',
];

/** The words, in a swap, of all but the market: of pools, tokens and gas. */
const NOT_OF_A_MARKET = [
  'invalid proof',
  'invalid commitment',
  'paused',
  'not owner',
  'tree full',
  'transfer failed',
  'no active deposit',
  'no wbtc received',
  'out of gas',
  'insufficient max l',
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
