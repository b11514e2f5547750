export {
  Aggregator,
  type AggregatorCounters,
  type AggregatorRequest,
  type AggregatorSettings,
} from './aggregator/aggregator.js';
export type {
  AggregatorEndpoint,
  AggregatorFault,
  AggregatorFaultOrder,
} from './aggregator/faults.js';
export { HOSTILE_DEEDS, type HostileDeed } from './aggregator/hostility.js';
export type { HistoryShape, HistorySource } from './aggregator/price-history.js';
export type { RouteForm } from './aggregator/market.js';
export { buildGenesis, type GenesisOptions } from './contracts/genesis.js';
export type {
  HostileChanges,
  HostileCondition,
  HostileResult,
} from './contracts/hostile-contract.js';
export type { PrivacyPoolVersion } from './contracts/privacy-pool.js';
export type { PrivacyPoolChanges } from './contracts/privacy-world.js';
export type { LendingChanges, LendingMarket } from './contracts/lending-pool.js';
export {
  extraLane,
  sandboxWorld,
  type SandboxAccount,
  type SandboxExchange,
  type SandboxLendingPool,
  type SandboxPool,
  type SandboxToken,
  type SandboxVault,
} from './contracts/world.js';
export type { VaultMethodShape } from './contracts/vault.js';
export {
  Control,
  type PaidInclusion,
  type SentTransaction,
  type Step,
  type WaitingTransaction,
} from './control/control.js';
export type { Counters } from './control/counters.js';
export type { ControlCall } from './control/foreign-transaction.js';
export type { Fault, FaultOrder } from './control/faults.js';
export { startDoubles, type Doubles, type DoublesOptions } from './doubles.js';
export type { CadenceDelays } from './engine/cadence.js';
export type { UndoneTransactions } from './engine/chain.js';
export type { GasPrices } from './engine/fee.js';
export type { GatewaySettings } from './engine/gateway.js';
export type { Genesis, GenesisAccount, GenesisContract } from './engine/genesis.js';
export type { MempoolSettings } from './engine/mempool.js';
export type { ProofMode, ProofSettings } from './engine/proof-facts.js';
export type { InvokeFields, InvokeHasher } from './engine/transaction.js';
export {
  actionFelts,
  type ActionFelts,
  type Ciphertext,
  type PrivatePayment,
} from './privacy/action-felts.js';
export { PrivacyProver } from './privacy/privacy-prover.js';
export type {
  PrivacyProverOptions,
  PrivateRequest,
  ProofOptions,
  UserCall,
} from './privacy/private-request.js';
export type { RewardsFault, RewardsFaultOrder } from './rewards/faults.js';
export { RewardsApi, type RewardRate } from './rewards/rewards-api.js';
export { startSandbox, type Replica, type Sandbox, type SandboxOptions } from './sandbox.js';
export type { SolverEndpoint, SolverFault, SolverFaultOrder } from './solver/faults.js';
export {
  Solver,
  type SolverRequest,
  type SolverSettings,
  type SolverTransferView,
} from './solver/solver.js';
export { startSolver, type RunningSolver, type SolverOptions } from './solver/start-solver.js';
export { SOLVER_STEPS, type SolverStep } from './solver/transfer.js';
