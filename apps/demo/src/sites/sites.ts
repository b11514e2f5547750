import type { RunningSite } from './site.js';

/** Addresses of the demonstration's parts. */
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
  /** Token of the service's curator route. */
  readonly curatorToken: string;
  /** Token of the operator's routes. */
  readonly operatorToken: string;
  /** True if the keeper acts on everything, not only on the subjects of the demonstration. */
  readonly keeperAll: boolean;
}
