import type { RunningSite } from './site.js';

/** Where the parts of the demonstration are reached. */
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
  /** Of the service. */
  readonly baseUrl: string;
  /** Opens the service's curator route. */
  readonly curatorToken: string;
  /** Opens the operator's routes. */
  readonly operatorToken: string;
  /** Whether the keeper acts on everything, and not only on what it is shown with. */
  readonly keeperAll: boolean;
}
