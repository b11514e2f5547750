/** Where a submission is read. */
export function locationOf(submissionId: string): string {
  return `/api/relayer/submissions/${submissionId}`;
}
