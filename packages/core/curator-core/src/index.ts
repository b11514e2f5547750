export { CuratedCalls, type CuratedCallsPolicy } from './application/curated-calls.js';
export {
  DeployIdleFunds,
  VAULT_DEPLOYMENT_LIMITS,
  type CuratorPolicy,
  type DeployIdleFundsInput,
  type IdleFundsDeployment,
} from './application/deploy-idle-funds.js';
export type { IdleFunds } from './domain/idle-funds.js';
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
  curatorErrors,
} from './errors.js';
export { VaultFunds } from './ports/vault-funds.port.js';
