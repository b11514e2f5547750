import { toFelt } from '@sotto/kernel';
import type { RunningSite, WorldAccount } from '../sites/site.js';

export interface ServiceOptions extends Pick<
  RunningSite,
  'world' | 'networkProfile' | 'rpcUrl' | 'aggregatorUrl' | 'bridgeUrl' | 'rewardsUrl'
> {
  readonly host: string;
  readonly port: number;
  /** Opens the curator route. */
  readonly curatorToken: string;
  readonly verificationKeyFile: string;
  readonly databaseFile: string;
}

/**
 * The service's environment, with all that it can do switched on. A development chain is quick, so
 * it is looked at often.
 */
export function serviceEnvironment(options: ServiceOptions): Record<string, string> {
  const {
    host,
    port,
    networkProfile,
    rpcUrl,
    aggregatorUrl,
    bridgeUrl,
    rewardsUrl,
    curatorToken,
    verificationKeyFile,
    databaseFile,
  } = options;
  const { accounts } = options.world;
  return {
    MODE: 'development',
    HOST: host,
    PORT: String(port),
    NETWORK_PROFILE: networkProfile,
    VERIFICATION_KEY_PATH: verificationKeyFile,
    STARKNET_RPC_URL: rpcUrl,
    RELAY_ACCOUNTS: JSON.stringify([keyed(accounts.lane1)]),
    SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.swapOwner)),
    CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
    CURATOR_API_TOKEN: curatorToken,
    FEE_ADDRESS: toFelt(accounts.feeCollector.address),
    PRICE_API_URL: aggregatorUrl,
    AGGREGATOR_URL: aggregatorUrl,
    REWARDS_URL: rewardsUrl,
    BRIDGE_URL: bridgeUrl,
    DATABASE_PATH: databaseFile,
    INSTANCE_ID: 'demo',
    POLL_INTERVAL_MS: '100',
    IDLE_INTERVAL_MS: '1000',
  };
}

function keyed({ address, privateKey }: WorldAccount): object {
  return { address: toFelt(address), privateKey: toFelt(privateKey) };
}
