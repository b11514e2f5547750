import type { CallTarget } from '../domain/rows.js';
import type { Felts } from '@sotto/kernel';
import type { NewSubmission } from '../domain/events.js';

/**
 * Finds the submission that a call on chain belongs to, from the domain's reading of its calldata.
 */
export abstract class CallReader {
  /** Null for a call that no submission of this service can be. `id` is a new one. */
  abstract submissionOf(
    target: CallTarget,
    calldata: Felts,
  ): Omit<NewSubmission, 'deadlineAfterMs'> | null;
}
