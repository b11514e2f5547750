/** What prices are asked for: the symbol of a token in the network profile. */
export type PricedAsset = string;

export interface PriceObservation {
  readonly asset: PricedAsset;
  /** In 1e-8 USD; above 0. */
  readonly usdE8: bigint;
  readonly observedAtMs: number;
}
