import type { RunningSite } from './site.js';

/** Addresses of the demonstration's parts, and the API tokens of the service. */
export interface Sites extends Pick<
  RunningSite,
  | 'world'
  | 'rpcUrl'
  | 'aggregatorUrl'
  | 'bridgeUrl'
  | 'solverControlUrl'
  | 'rewardsUrl'
  | 'mintWbtc'
> {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** API token of the service's curator route. */
  readonly curatorToken: string;
  /** API token of the operator's routes. */
  readonly operatorToken: string;
  /** True if the keeper acts on every subject, not only on the subjects of the demonstration. */
  readonly keeperAll: boolean;
}
