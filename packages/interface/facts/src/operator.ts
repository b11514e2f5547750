/** Actions of operators that are recorded in the audit log. */
export const OPERATOR_ACTIONS = [
  'pool.pause',
  'pool.resume',
  'lane.pause',
  'lane.resume',
  'task.pause',
  'task.resume',
  'leverage.set',
  'submission.retry',
  'submission.cancel',
  'submissions.export',
] as const;

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];
