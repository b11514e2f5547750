import type { CallTarget } from '../domain/rows.js';
import type { Felts } from '@sotto/kernel';
import type { NewSubmission } from '../domain/events.js';

/** Tells which submission a call on chain belongs to: the domain's own reading of its calldata. */
export interface CallReader {
  /** Null for a call that no submission of this service can be. `id` is a new one. */
  submissionOf(target: CallTarget, calldata: Felts): Omit<NewSubmission, 'deadlineAfterMs'> | null;
}

export const CallReader: unique symbol = Symbol.for('@sotto/submission-core/CallReader');
