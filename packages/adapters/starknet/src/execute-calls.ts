import { Felts, InvalidFelt, type Felt } from '@sotto/kernel';
import { APPLY_ACTIONS_ENTRYPOINT } from '@sotto/relayer-core';
import type { AccountTransaction } from '@sotto/submission-core';
import { ASSERT_FLOORS, ASSERT_VIEWS } from './guard-calls.js';
import { selectorOf } from './selectors.js';

/**
 * Names of the entry points that Sotto's transactions call, as in the specification and the vaults.
 */
export const CALLED_ENTRYPOINTS: readonly string[] = [
  'withdraw',
  'deposit',
  APPLY_ACTIONS_ENTRYPOINT,
  'deploy_batch',
  'deploy_partial_batch',
  'private_swap',
  'deploy_to_lending',
  'stake_to_staking',
  'execute_staking_loop',
  'deploy_collateral',
  'deploy_split',
  ASSERT_VIEWS,
  ASSERT_FLOORS,
];

/** Maps the selectors of entry points to their names. */
export function namesOf(entrypoints: readonly string[]): ReadonlyMap<Felt, string> {
  return new Map(entrypoints.map((name) => [selectorOf(name), name]));
}

/**
 * Decodes the calls from the calldata of a Cairo 1 `__execute__`: `[n, (to, selector, length,
 * …data) × n]`. For an entry point with an unknown name, the name is its selector in hex. Returns
 * null if the calldata is too short, too long or contains invalid felts.
 */
export function decodeExecute(
  calldata: readonly string[],
  names: ReadonlyMap<Felt, string>,
): AccountTransaction['calls'] {
  const felts = parsed(calldata);
  if (felts === null || felts.length === 0) return null;
  const calls: { target: { to: Felt; entrypoint: string }; calldata: Felts }[] = [];
  let position = 1;
  for (let left = felts.at(0); left > 0n; left -= 1n) {
    // The loop ends at the first missing header. A transaction that states a huge number of calls
    // therefore causes no long loop.
    if (position + 3 > felts.length) return null;
    const [to, selector, length] = [
      felts.feltAt(position),
      felts.feltAt(position + 1),
      felts.at(position + 2),
    ];
    const start = position + 3;
    if (length > BigInt(felts.length - start)) return null;
    position = start + Number(length);
    calls.push({
      target: { to, entrypoint: names.get(selector) ?? selector },
      calldata: felts.slice(start, position),
    });
  }
  return position === felts.length ? calls : null;
}

function parsed(calldata: readonly string[]): Felts | null {
  try {
    return Felts.parse(calldata);
  } catch (error) {
    if (!(error instanceof InvalidFelt)) throw error;
    return null;
  }
}
