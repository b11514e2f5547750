export { curatedCalls, type CuratedCallsPolicy } from './application/curated-calls.js';
export {
  DeployIdleFunds,
  VAULT_DEPLOYMENT_LIMITS,
  type CuratorPolicy,
  type DeployIdleFundsInput,
  type IdleFundsDeployment,
  type IdleFundsTrial,
} from './application/deploy-idle-funds.js';
export {
  DeployDueFunds,
  type DueFundsPolicy,
  type DueFundsPorts,
} from './application/deploy-due-funds.js';
export {
  ListVaults,
  type ListVaultsPolicy,
  type ListVaultsPorts,
  type ListedVault,
  type VaultList,
} from './application/list-vaults.js';
export type { DueDeploymentLimits } from './domain/due-deployment.js';
export {
  SPECIFIED_METHODS,
  VAULT_IDS,
  type CalldataRecipe,
  type CuratedVault,
  type VaultId,
  type VaultMethod,
} from './domain/vault.js';
export { leverageCalls, type LeverageCallsPolicy } from './application/leverage-calls.js';
export {
  LeverageTask,
  type LeveragePolicy,
  type LeveragePorts,
} from './application/leverage-task.js';
export {
  FundRepayments,
  type FundRepaymentsPolicy,
  type FundRepaymentsPorts,
} from './application/fund-repayments.js';
export { repaymentCalls, type RepaymentCallsPolicy } from './application/repayment-calls.js';
export {
  SetLeverageTarget,
  type LeverageTargetInput,
  type SetLeverageTargetPolicy,
} from './application/set-leverage-target.js';
export {
  DeploymentExpired,
  DeploymentRefused,
  DeploymentReverted,
  LeverageTargetInvalid,
  LeverageUnreachable,
  VaultNotFound,
} from './errors.js';
export {
  leverageCalldata,
  leverageEntry,
  parseLeverageCall,
  parsePosition,
  type LeverageArgument,
  type LeverageCall,
  type LeverageEntry,
  type LeverageLayout,
  type PositionField,
  type PositionView,
  type PositionViewField,
  type ViewedPosition,
} from './domain/leverage/layout.js';
export type { LeveragedVault } from './domain/leverage/leveraged-vault.js';
export {
  healthE18,
  leverageBps,
  leverageLimitBps,
  missingRepayment,
  planLeverage,
  trimToNeeded,
  usableLtvE18,
  type Holding,
  type LeverageLimits,
  type LeveragePlan,
  type LeveragePrice,
  type LeverageQuestion,
  type PlannedRound,
} from './domain/leverage/plan.js';
export type { LeveragePosition } from './domain/leverage/position.js';
export { LeveragePositions } from './ports/leverage-positions.port.js';
export { LeverageTargets, type LeverageTarget } from './ports/leverage-targets.port.js';
export { VaultFunds } from './ports/vault-funds.port.js';
