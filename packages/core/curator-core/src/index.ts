export { CuratedCalls, type CuratedCallsPolicy } from './application/curated-calls.js';
export {
  DeployIdleFunds,
  VAULT_DEPLOYMENT_LIMITS,
  type CuratorPolicy,
  type DeployIdleFundsInput,
  type IdleFundsDeployment,
} from './application/deploy-idle-funds.js';
export {
  SPECIFIED_METHODS,
  VAULT_IDS,
  type CalldataRecipe,
  type CuratedVault,
  type VaultId,
  type VaultMethod,
} from './domain/vault.js';
export {
  DeploymentExpired,
  DeploymentRefused,
  DeploymentReverted,
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
export type { LeveragePosition } from './domain/leverage/position.js';
export { LeveragePositions } from './ports/leverage-positions.port.js';
export { LeverageTargets, type LeverageTarget } from './ports/leverage-targets.port.js';
export { VaultFunds } from './ports/vault-funds.port.js';
