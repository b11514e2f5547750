import { STEP_NAMES, type TransferStatusReport } from '@sotto/bridge-core';
import { partnerText } from '@sotto/http-client';

export type Progress = Pick<
  TransferStatusReport,
  'completedSteps' | 'next' | 'refunded' | 'isDepositIncomplete' | 'reasonText'
>;

const STEPS = STEP_NAMES.length;
const UNTOUCHED: Progress = { completedSteps: 0, next: 'pending', refunded: false };
const ARRIVING: Progress = { completedSteps: 0, next: 'processing', refunded: false };
const INCOMPLETE: Progress = { ...ARRIVING, isDepositIncomplete: true };
const UNDER_WAY: Progress = { completedSteps: 1, next: 'processing', refunded: false };
/**
 * Progress of a transfer that the bridge reports as delivered. The status proves nothing: the core
 * compares it with the evidence.
 */
const DELIVERED: Progress = { completedSteps: STEPS, next: 'pending', refunded: false };
/**
 * Progress of a transfer that the bridge reports as failed. The status does not reveal whether a
 * deposit arrived.
 */
const FAILED: Progress = { completedSteps: 0, next: 'failed', refunded: false };
/** Progress of a transfer that is being refunded. A refund implies that the deposit has arrived. */
const REFUNDING: Progress = { completedSteps: 1, next: 'failed', refunded: false };
const REFUNDED: Progress = { completedSteps: 1, next: 'failed', refunded: true };

/**
 * Progress by status, in lower case. The specification names `processing` and `completed`; all
 * other statuses belong to the 1Click API.
 * @see https://docs.near-intents.org/near-intents/integration/distribution-channels/1click-api
 */
const WORDS: ReadonlyMap<string, Progress> = new Map([
  ['pending', UNTOUCHED],
  ['pending_deposit', UNTOUCHED],
  ['known_deposit_tx', ARRIVING],
  ['incomplete_deposit', INCOMPLETE],
  ['processing', UNDER_WAY],
  ['completed', DELIVERED],
  ['success', DELIVERED],
  ['failed', FAILED],
  ['refunding', REFUNDING],
  ['refunded', REFUNDED],
]);

/**
 * Returns the progress for a status. An unknown status is treated as in progress, with no step
 * completed, and is returned as text.
 */
export function progressOf(word: string): Progress {
  return WORDS.get(word.toLowerCase()) ?? { ...ARRIVING, reasonText: partnerText(word) };
}
