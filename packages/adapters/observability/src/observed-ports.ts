import type { ObservedMethods } from '@sotto/telemetry';

/**
 * Ports and methods whose calls are measured and traced. The keys are the names in metrics, traces
 * and dashboards.
 */
export const OBSERVED_PORTS = {
  broadcaster: ['send'],
  chain_reader: ['head', 'heads', 'transactionStatuses', 'blockHash', 'confirm'],
  nonce_history: ['consumerOf'],
  account_history: ['transactions', 'transaction', 'blockAt'],
  account_check: ['problemOf'],
  signer: ['hashCall', 'signCall', 'signNoop'],
  pool_reader: ['poolStatus', 'preConfirmedWaiting', 'withdrawalFacts', 'nullifierSpent'],
  swap_leaves: ['leaf', 'figures'],
  deposit_reader: ['depositFacts'],
  consent_check: ['isGiven'],
  spent_nullifiers: ['spenderOf'],
  price_source: ['observe'],
  simulator: ['simulate'],
  proof_verifier: ['holds'],
  gas_prices: ['gasPrices'],
  lending_pools: ['readPools'],
  reward_programme: ['supplyAprE18'],
  vault_funds: ['idle'],
  swap_aggregator: ['quotes', 'build'],
  bridge_protocol: ['quote', 'status'],
} as const satisfies ObservedMethods;
