export { GetPoolCrowd } from './application/get-pool-crowd.js';
export { GetPoolStatus } from './application/get-pool-status.js';
export { guardedFacts, type GuardedFacts } from './application/guarded-facts.js';
export {
  InspectContracts,
  type InspectedContract,
  type InspectionPolicy,
} from './application/inspect-contracts.js';
export { KnownLeaves } from './application/known-leaves.js';
export { PoolTraffic } from './application/pool-traffic.js';
export { FirstOf, RelayedCalls, type RelayedCallsPolicy } from './application/relayed-calls.js';
export { VERIFIER_PROBLEMS, guardProblem } from './domain/contract-class.js';
export type { Crowd, PoolCrowd } from './domain/crowd.js';
export {
  leavesLeft,
  type DepositFacts,
  type DepositLimits,
  type PendingDeposit,
} from './domain/deposit-traffic.js';
export { MAX_SIGNATURE_FELTS, depositCalldata, depositKey } from './domain/deposit.js';
export type {
  NotePool,
  PoolKind,
  PoolStatus,
  PrivacyPool,
  RelayedPool,
  ServedPool,
  SwapOutputPool,
} from './domain/pool.js';
export { PRIVATE_SWAP_ENTRYPOINT } from './domain/private-swap-call.js';
export {
  MAX_RECIPIENT_GAS_FRI,
  TRANSFER_SELECTOR,
  readWithdrawalCall,
  splitRecipientGas,
  withRecipientGas,
  type RecipientGas,
  type SplitWithdrawal,
  type WithdrawalCall,
} from './domain/recipient-gas.js';
export type { SwapLeaf, SwapPoolFigures } from './domain/swap-leaf.js';
export type { SwapPin, SwappedNote } from './domain/swap-pin.js';
export { WITHDRAW_ENTRYPOINT, notePurpose, spentNote, withdrawalKey } from './domain/withdrawal.js';
export { ContractClasses, type SierraVersion } from './ports/contract-classes.port.js';
export {
  PoolEvents,
  type DeployedLeaves,
  type PoolDeposit,
  type SwapDeposit,
} from './ports/pool-events.port.js';
export {
  PoolReader,
  type DepositQuestion,
  type WithdrawalFacts,
  type WithdrawalPlace,
} from './ports/pool-reader.port.js';
export { TrafficStore, type EndedDeposit, type LiveCall } from './ports/traffic-store.port.js';
