/** What prices are asked for: the gas token and the tokens of the pools. */
export type PricedAsset = 'STRK' | 'WBTC' | 'USDC';

export interface PriceObservation {
  readonly asset: PricedAsset;
  /** In 1e-8 USD; above 0. */
  readonly usdE8: bigint;
  readonly observedAtMs: number;
}
