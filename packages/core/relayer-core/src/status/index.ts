export { ControlLanes, LaneNotFound } from './application/control-lanes.js';
export {
  GetOperatorStatus,
  type OperatedLane,
  type Operations,
  type OperationSources,
} from './application/get-operator-status.js';
export {
  GetPoolDeposits,
  type PoolDeposits,
  type PoolDepositsOf,
} from './application/get-pool-deposits.js';
export {
  GetServiceStatus,
  type ServiceSources,
  type ServiceStatus,
  type SignedServiceStatus,
} from './application/get-service-status.js';
export { GetVerdict } from './application/get-verdict.js';
export { clockPart, headPart, nodePart } from './application/head-parts.js';
export { HeadWatch, type HeadStatus, type OtherClocks } from './application/head-watch.js';
export { lanesPart, type LanesSources } from './application/lanes-part.js';
export {
  ListPools,
  type ListedPool,
  type ListedPrivacyPool,
  type ListedSwapPool,
  type PoolList,
  type PoolListPolicy,
} from './application/list-pools.js';
export { Readiness, type CheckResult, type ReadinessReport } from './application/readiness.js';
export {
  signerRejectionsParts,
  type SignerRejection,
} from './application/signer-rejections-parts.js';
export {
  breakersPart,
  contractsPart,
  guardPart,
  ledgerPart,
  poolVerifiersPart,
  poolViewsPart,
  nodesPart,
  partnersPart,
  priceSourcesPart,
  pricesPart,
  queuePart,
  storePart,
  storeReadsPart,
  signerPart,
  verifierPart,
  workPart,
} from './application/verdict-parts.js';
export {
  digestOf,
  statusTypedData,
  type PlainJson,
  type StatusDigest,
  type StatusTypedData,
} from './domain/status-typed-data.js';
export type { Obstacle, Reason, Verdict, VerdictOnPool, VerdictPart } from './domain/verdict.js';
export { Build } from './ports/build.port.js';
export { NodeDirectory, type NodeStatus } from './ports/node-directory.port.js';
export {
  FollowSubmission,
  type SubmissionWait,
  type WaitCounts,
} from './application/follow-submission.js';
export { isWhole, hasReached, type SubmissionView } from './application/submission-view.js';
