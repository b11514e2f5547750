export {
  describeLeveragePositionsContract,
  type LeveragePositionsHarness,
} from './leverage-positions.contract.js';
export {
  describeLeverageTargetsContract,
  type LeverageTargetsHarness,
} from './leverage-targets.contract.js';
export { describeVaultFundsContract, type VaultFundsHarness } from './vault-funds.contract.js';
