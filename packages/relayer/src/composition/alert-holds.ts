import type { ReasonCode } from '@sotto/facts';
import type { AlertHolds } from '@sotto/webhook-core';

/** Delay before most alerts, in ms: starts, bursts and slightly late prices cause no message. */
const RAISE_MS = 30_000;
/**
 * Delay that lets a message be sent within 15 seconds of the fault. The verdict has it after at
 * most 4 s and is read 1 s later. The fault has lasted for 5 s after 8 s more, because a check may
 * need 2 s. The row is read within 2 s. A check that fails once and succeeds when repeated causes
 * no message.
 */
const RAISE_SOON_MS = 5_000;

/**
 * Codes of faults that block every pool of the instance and that no start or burst causes: of its
 * store, its node, the chain, or all of its accounts.
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
 * Returns the delays of alerts. @param resolveMs an alert is resolved after the fault has been
 * absent this long
 */
export const alertHolds = (resolveMs: number): AlertHolds => ({
  raiseMsOf: ({ code }) => (SOON.has(code) ? RAISE_SOON_MS : RAISE_MS),
  resolveMs,
});
