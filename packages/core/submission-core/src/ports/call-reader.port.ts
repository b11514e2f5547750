import type { CallTarget } from '../domain/rows.js';
import type { Felts } from '@sotto/kernel';
import type { NewSubmission } from '../domain/events.js';

/** Identifies the submission that a call on chain belongs to. The domain parses the calldata. */
export abstract class CallReader {
  /**
   * Returns the submission of a call, with a newly created `id`. Null if the call can't belong to a
   * submission of this service.
   */
  abstract submissionOf(
    target: CallTarget,
    calldata: Felts,
  ): Omit<NewSubmission, 'deadlineAfterMs'> | null;
}
