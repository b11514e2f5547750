/** Callbacks through which a request follows its submission. */
export interface SubmissionWatch {
  /**
   * Called right before a submission begins, after all other checks. An error of the callback is
   * returned to the caller, and nothing is submitted. The callback is not called if an existing
   * submission already provides the answer.
   * @default no-op
   */
  readonly beforeSubmission?: () => Promise<void>;
  /**
   * Called with the submission's id before the wait for its outcome. If the callback fails, the
   * caller gets its error; the submission continues.
   * @param began true if this request created the submission
   * @default no-op
   */
  readonly onSubmission?: (submissionId: string, began: boolean) => Promise<void>;
}
