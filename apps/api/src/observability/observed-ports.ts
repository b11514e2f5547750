import type { ObservedMethods } from '@sotto/telemetry';

/** The ports whose calls are measured and traced, under the names that metrics, traces and dashboards know. */
export const OBSERVED_PORTS = {
  ledger: ['record'],
  broadcaster: ['send'],
  chain_reader: ['head', 'sightings'],
  nonce_history: ['takerOf'],
  signer: ['hashCall', 'signCall', 'signNoop'],
  pool_reader: ['withdrawalFacts', 'nullifierSpent'],
  pool_status_reader: ['poolStatus'],
  simulator: ['simulate'],
  proof_verifier: ['holds'],
  gas_prices: ['gasPrices'],
  lending_pools: ['readPools'],
  reward_programme: ['supplyAprE18'],
  vault_funds: ['idle'],
  swap_aggregator: ['quotes', 'build'],
  bridge_protocol: ['quote', 'status'],
} as const satisfies ObservedMethods;
