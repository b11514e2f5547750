import type { ReasonCode } from '@sotto/facts';
import type { AlertHolds } from '@sotto/webhook-core';

/**
 * Time for which most faults must last before an alert is sent, in ms. So a start of the process, a
 * burst of requests or a slightly late price causes no message.
 */
const RAISE_MS = 30_000;
/**
 * Time in ms for which a fault in `SOON` must last. With it, the alert is sent within 15 s of the
 * fault: after at most 4 s, the verdict contains the fault, and it is read 1 s later. After 8 s
 * more, the fault has lasted for 5 s, because a check may need 2 s. Then the stored alert is read
 * within 2 s. A check that fails once and succeeds when repeated causes no message.
 */
const RAISE_SOON_MS = 5_000;

/**
 * Codes of faults that block every pool of the instance: faults of the store, the node, the chain,
 * or all accounts. A start of the process or a burst of requests does not cause these faults.
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
 * Returns the hold times of alerts. @param resolveMs time in ms for which a fault must be absent
 * until its alert is resolved
 */
export const alertHolds = (resolveMs: number): AlertHolds => ({
  raiseMsOf: ({ code }) => (SOON.has(code) ? RAISE_SOON_MS : RAISE_MS),
  resolveMs,
});
