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
/** Only a claim: the core compares it with the evidence. */
const DELIVERED: Progress = { completedSteps: STEPS, next: 'pending', refunded: false };
/** The word does not show whether a deposit was ever seen. */
const FAILED: Progress = { completedSteps: 0, next: 'failed', refunded: false };
/** What is sent back has arrived before. */
const REFUNDING: Progress = { completedSteps: 1, next: 'failed', refunded: false };
const REFUNDED: Progress = { completedSteps: 1, next: 'failed', refunded: true };

/**
 * Words for a whole transfer, lower-case. The specification has seen `processing` and `completed`;
 * the words of 1Click are those of its API.
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
 * Returns the progress that a status word states. An unknown word counts as in progress, with no
 * step completed, and is passed on as text.
 */
export function progressOf(word: string): Progress {
  return WORDS.get(word.toLowerCase()) ?? { ...ARRIVING, reasonText: partnerText(word) };
}
