export { InMemoryLeveragePositions } from './in-memory-leverage-positions.js';
export { InMemoryLeverageTargets } from './in-memory-leverage-targets.js';
export { FakeNodeDown, InMemoryVaultFunds } from './in-memory-vault-funds.js';
