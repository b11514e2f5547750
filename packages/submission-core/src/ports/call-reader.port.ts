import type { CallTarget } from '../domain/rows.js';
import type { Felts } from '@sotto/kernel';
import type { NewSubmission } from '../domain/events.js';

/** Finds the submission that a call on chain belongs to, from the domain's reading of its calldata. */
export interface CallReader {
  /** Null for a call that no submission of this service can be. `id` is a new one. */
  submissionOf(target: CallTarget, calldata: Felts): Omit<NewSubmission, 'deadlineAfterMs'> | null;
}

export const CallReader: unique symbol = Symbol.for('@sotto/submission-core/CallReader');
