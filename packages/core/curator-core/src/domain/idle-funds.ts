/** What lies in a vault without earning anything. */
export interface IdleFunds {
  /** In sats of WBTC. */
  readonly idleSats: bigint;
  /** The block, accepted on L2, that shows it. */
  readonly blockNumber: number;
}
