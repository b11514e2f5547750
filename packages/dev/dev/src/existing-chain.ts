import type { DevAccount } from './description.js';

/**
 * Names of the accounts with which the service signs, and of the account that receives its fees.
 */
export type ServiceAccount =
  'lane1' | 'swapOwner' | 'curator' | 'keeper1' | 'treasury' | 'feeCollector';

/** Running chain, with the partners and accounts that the service needs. */
export interface ExistingChain {
  readonly rpcUrl: string;
  /** Path of the network profile that describes the chain to the service. */
  readonly networkProfile: string;
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  readonly rewardsUrl: string;
  readonly accounts: Readonly<Record<ServiceAccount, DevAccount>>;
}
