/** Callbacks through which a request is informed about its submission. */
export interface SubmissionWatch {
  /**
   * Called right before a submission begins, after all other checks. If the callback fails, its
   * error is returned to the caller, and nothing is submitted. The callback is not called if the
   * response comes from a submission that already exists.
   * @default no-op
   */
  readonly beforeSubmission?: () => Promise<void>;
  /**
   * Called with the submission's id before the request waits for the submission's outcome. If the
   * callback fails, the caller gets its error; the submission continues.
   * @param began true if this request created the submission
   * @default no-op
   */
  readonly onSubmission?: (submissionId: string, began: boolean) => Promise<void>;
}
