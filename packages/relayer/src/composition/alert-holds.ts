import type { ReasonCode } from '@sotto/facts';
import type { AlertHolds } from '@sotto/webhook-core';

/**
 * Time for which most alerts must last before a message is sent, in ms. Starts, bursts and slightly
 * late prices therefore cause no message.
 */
const RAISE_MS = 30_000;
/**
 * Shorter hold time, in ms, with which a message is sent within 15 seconds of the fault. The
 * verdict contains the fault after at most 4 s and is read 1 s later. The fault has lasted for 5 s
 * after 8 s more, because a check may need 2 s. The row is read within 2 s. A check that fails once
 * and succeeds when repeated causes no message.
 */
const RAISE_SOON_MS = 5_000;

/**
 * Codes of faults that block every pool of the instance and that no start or burst causes: faults
 * of its store, its node, the chain, or all of its accounts.
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

/**
 * Returns the hold times of alerts. @param resolveMs an alert is resolved after the fault has been
 * absent for this time, in ms
 */
export const alertHolds = (resolveMs: number): AlertHolds => ({
  raiseMsOf: ({ code }) => (SOON.has(code) ? RAISE_SOON_MS : RAISE_MS),
  resolveMs,
});
