import { toFelt } from '@sotto/kernel';
import {
  keeperVariables,
  keyed,
  serviceEnvironment as environmentOf,
  type Variables,
} from '@sotto/process-kit';
import type { RunningSite } from '../sites/site.js';

export interface ServiceOptions extends Pick<
  RunningSite,
  'world' | 'networkProfile' | 'rpcUrl' | 'aggregatorUrl' | 'bridgeUrl' | 'rewardsUrl'
> {
  readonly host: string;
  readonly port: number;
  /** Opens the curator route. */
  readonly curatorToken: string;
  /** Opens the operator's routes. */
  readonly operatorToken: string;
  /** Whether the keeper acts on everything, and not only on what it is shown with. */
  readonly keeperAll: boolean;
  readonly verificationKeyFile: string;
  readonly databaseFile: string;
}

/**
 * The service's environment, with all that it can do switched on. A development chain is quick, so
 * it is looked at often.
 */
export function serviceEnvironment(options: ServiceOptions): Variables {
  const { host, port, curatorToken, aggregatorUrl, rewardsUrl, bridgeUrl, world } = options;
  const { lane1, swapOwner, curator, feeCollector } = world.accounts;
  const settings = {
    ...options,
    lanes: [lane1],
    feeAddress: toFelt(feeCollector.address),
    instanceId: 'demo',
  };
  return environmentOf(settings, {
    HOST: host,
    PORT: String(port),
    SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(swapOwner)),
    CURATOR_ACCOUNT: JSON.stringify(keyed(curator)),
    CURATOR_API_TOKEN: curatorToken,
    OPERATOR_API_TOKEN: options.operatorToken,
    PRICE_API_URL: aggregatorUrl,
    AGGREGATOR_URL: aggregatorUrl,
    REWARDS_URL: rewardsUrl,
    BRIDGE_URL: bridgeUrl,
    POLL_INTERVAL_MS: '100',
    IDLE_INTERVAL_MS: '1000',
    ...keeperVariables({ accounts: world.accounts, aggregatorUrl }, options.keeperAll),
  });
}
