export { BalanceCache } from './balance-cache.js';
export { keeperMetrics, type KeeperSources } from './keeper-metrics.js';
export { LANE_REASONS } from './lane-metrics.js';
export { OBSERVED_PORTS } from './observed-ports.js';
export { relayerMetrics, type RelayerSources } from './relayer-metrics.js';
export { RememberedGasPrice } from './remembered-gas-price.js';
export { RememberedLeaves } from './remembered-leaves.js';
export { submissionMetrics, type SubmissionSources } from './submission-metrics.js';
export { withLedgerMetrics } from './with-ledger-metrics.js';
