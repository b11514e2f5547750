export {
  FollowOperations,
  TooManyStreams,
  type OperatorEvent,
} from './application/follow-operations.js';
export { GetOperatorSeries } from './application/get-operator-series.js';
export {
  ListSubmissions,
  type ListSubmissionsFilter,
  type OperatedPage,
} from './application/list-submissions.js';
export {
  CANCELLED_BY_OPERATOR,
  OperateSubmission,
  SubmissionEnded,
  SubmissionSigned,
  type InspectedSubmission,
} from './application/operate-submission.js';
export { RecordAction, type LogPage } from './application/record-action.js';
export type { OperatedSubmission } from './domain/operated-submission.js';
export type { OperatorSeries, SeriesSpan } from './domain/operator-series.js';
export {
  OperatorLog,
  type NewOperatorEntry,
  type OperatorEntry,
} from './ports/operator-log.port.js';
