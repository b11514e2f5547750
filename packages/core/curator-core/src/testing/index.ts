export { InMemoryLeveragePositions } from './in-memory-leverage-positions.js';
export { InMemoryLeverageTargets } from './in-memory-leverage-targets.js';
export { FakeNodeDown, InMemoryVaultFunds } from './in-memory-vault-funds.js';
export {
  describeLeveragePositionsContract,
  type LeveragePositionsHarness,
} from './leverage-positions.contract.js';
export {
  describeLeverageTargetsContract,
  type LeverageTargetsHarness,
} from './leverage-targets.contract.js';
export { describeVaultFundsContract, type VaultFundsHarness } from './vault-funds.contract.js';
