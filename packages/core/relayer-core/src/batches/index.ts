export {
  BatchRule,
  type BatchRequester,
  type PartialBatchMode,
  type PartialBatchPolicy,
} from './application/batch-rule.js';
export {
  DEPLOYMENT_LIMITS,
  DeployBatch,
  type DeployBatchInput,
  type DeployedBatch,
  type DeploymentPolicy,
} from './application/deploy-batch.js';
export {
  DeployDueBatches,
  type DueBatchesPolicy,
  type DueBatchesPorts,
} from './application/deploy-due-batches.js';
