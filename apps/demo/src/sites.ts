/** Where the parts of the demonstration are reached. */
export interface Sites {
  /** Of the service. */
  readonly baseUrl: string;
  /** Of the sandbox's node. */
  readonly rpcUrl: string;
  /** Takes orders to the sandbox's chain. */
  readonly controlUrl: string;
  /** Takes orders to the sandbox's bridge solver. */
  readonly solverControlUrl: string;
  /** Opens the service's curator route; made for this run. */
  readonly curatorToken: string;
}
