/** Questions of a request about its submission. */
export interface SubmissionWatch {
  /**
   * Called right before a submission begins, once nothing else refuses the request. An error that
   * it rejects with is the answer, and nothing is submitted. A request that is answered by an older
   * submission does not call it.
   * @default nothing is called
   */
  readonly beforeSubmission?: () => Promise<void>;
  /**
   * Called with the submission's id before its outcome is waited for. An error that it rejects with
   * is the answer; the submission goes on.
   * @param began whether this request has begun it; else it is an older one's
   * @default nothing is called
   */
  readonly onSubmission?: (submissionId: string, began: boolean) => Promise<void>;
}
