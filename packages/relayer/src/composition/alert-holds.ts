import type { ReasonCode } from '@sotto/facts';
import type { AlertHolds } from '@sotto/webhook-core';

/** Starts, bursts, and prices that come a little late are not worth a message. */
const RAISE_MS = 30_000;
/**
 * So that a message is on its way within 15 seconds of the fault: at most 4 until the verdict has
 * it, 1 until it is seen there, 8 until it was seen for 5, as a look may take 2, and 2 until its
 * row is looked at. A look that fails and succeeds when it is repeated still makes no message.
 */
const RAISE_SOON_MS = 5_000;

/**
 * The instance can do nothing for any pool, and no start or burst looks like it: of its store, its
 * node, the chain, and all of its accounts.
 */
const SOON: ReadonlySet<string> = new Set<ReasonCode>([
  'STORE_UNREACHABLE',
  'STORE_NOT_WRITABLE',
  'SCHEMA_IS_NEWER',
  'NODE_UNREACHABLE',
  'WRONG_CHAIN',
  'CHAIN_WITHOUT_OUR_CONTRACTS',
  'HEAD_TOO_OLD',
  'SIGNER_UNAVAILABLE',
  'LANES_RESTING',
  'LANES_PAUSED',
  'LANES_SHORT_OF_FUNDS',
]);

/** @param resolveMs what is over for shorter may come back */
export const alertHolds = (resolveMs: number): AlertHolds => ({
  raiseMsOf: ({ code }) => (SOON.has(code) ? RAISE_SOON_MS : RAISE_MS),
  resolveMs,
});
