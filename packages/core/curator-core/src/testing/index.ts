export { FakeNodeDown, InMemoryVaultFunds } from './in-memory-vault-funds.js';
export { describeVaultFundsContract, type VaultFundsHarness } from './vault-funds.contract.js';
