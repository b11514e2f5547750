import type { RunningSite } from './site.js';

/** Where the parts of the demonstration are reached. */
export interface Sites extends Pick<
  RunningSite,
  'world' | 'rpcUrl' | 'solverControlUrl' | 'mintWbtc'
> {
  /** Of the service. */
  readonly baseUrl: string;
  /** Opens the service's curator route; made for this run. */
  readonly curatorToken: string;
}
