export {
  APPLY_ACTIONS_ENTRYPOINT,
  effectsOf,
  readApplyActions,
  type ActionEffects,
  type ApplyActionsCall,
  type PoolVersion,
} from './domain/apply-actions-call.js';
export {
  packPayload,
  unpackPayload,
  type OutsideExecution,
  type PoolFee,
  type PrivateActionPayload,
} from './domain/private-action-payload.js';
export {
  MIN_BASE_BLOCK_AGE,
  messageHash,
  readProofFacts,
  type ProofFacts,
} from './domain/proof-facts.js';
export {
  PrivacyPoolReader,
  type PrivacyPoolFacts,
  type WantedPoolFacts,
} from './ports/privacy-pool-reader.port.js';
export { SponsorBudgets } from './ports/sponsor-budgets.port.js';
