export {
  PrivateActionAdmission,
  type PrivateActionInput,
  type PrivateActionPolicy,
  type PrivateActionPorts,
} from './application/private-action-admission.js';
export { PrivateActionRevalidator } from './application/private-action-revalidator.js';
export { PROMISE_MS, PromisedFees } from './application/promised-fees.js';
export {
  QuotePrivateAction,
  type FeeToken,
  type PrivateActionQuote,
  type QuotePrivateActionInput,
} from './application/quote-private-action.js';
export {
  SubmitPrivateAction,
  type SubmitPrivateActionInput,
  type SubmittedPrivateAction,
} from './application/submit-private-action.js';
export {
  APPLY_ACTIONS_ENTRYPOINT,
  effectsOf,
  readApplyActions,
  type ActionEffects,
  type ApplyActionsCall,
  type PoolVersion,
} from '../pools/domain/apply-actions-call.js';
export type { PrivateActionFeeMode } from './domain/private-action-cost.js';
export {
  ANY_CALLER,
  OutsideExecutionInvalid,
  outsideCallsTypedData,
  type OutsideCall,
  type OutsideCalls,
  type SignedOutsideCalls,
} from './domain/outside-execution.js';
export {
  packPayload,
  unpackPayload,
  type OutsideExecution,
  type PoolFee,
  type PrivateActionPayload,
} from '../pools/domain/private-action-payload.js';
export {
  MIN_BASE_BLOCK_AGE,
  messageHash,
  readProofFacts,
  type ProofFacts,
} from './domain/proof-facts.js';
export { dayOf, sponsorKeyDigest, type Sponsor, type SponsorKey } from './domain/sponsors.js';
export {
  PrivacyPoolReader,
  type PrivacyPoolFacts,
  type WantedPoolFacts,
} from './ports/privacy-pool-reader.port.js';
export { SponsorBudgets } from './ports/sponsor-budgets.port.js';
