import type { DevAccount } from './description.js';

/**
 * Names of the accounts with which the service signs. `feeCollector` only receives the service's
 * fees.
 */
export type ServiceAccount =
  'lane1' | 'swapOwner' | 'curator' | 'keeper1' | 'treasury' | 'feeCollector';

/** Running chain, with the external services and accounts that the service needs. */
export interface ExistingChain {
  readonly rpcUrl: string;
  /** Path of the network profile that describes the chain to the service. */
  readonly networkProfile: string;
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  readonly rewardsUrl: string;
  readonly accounts: Readonly<Record<ServiceAccount, DevAccount>>;
}
