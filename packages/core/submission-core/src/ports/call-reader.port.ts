import type { CallTarget } from '../domain/rows.js';
import type { Felts } from '@sotto/kernel';
import type { NewSubmission } from '../domain/events.js';

/**
 * Finds the submission that a call on chain belongs to, as parsed from its calldata by the domain.
 */
export abstract class CallReader {
  /** Returns null for a call that no submission of this service can be. `id` is newly created. */
  abstract submissionOf(
    target: CallTarget,
    calldata: Felts,
  ): Omit<NewSubmission, 'deadlineAfterMs'> | null;
}
