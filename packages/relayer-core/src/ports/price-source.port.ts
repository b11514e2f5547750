/** What prices are asked for: the gas token and the tokens of the pools. */
export type PricedAsset = 'STRK' | 'WBTC' | 'USDC';

export interface PriceObservation {
  readonly asset: PricedAsset;
  /** In 1e-8 USD; above 0. */
  readonly usdE8: bigint;
  readonly observedAtMs: number;
  /** How many publishers stand behind it. */
  readonly sourceCount: number;
}

/**
 * One source of market prices, as it sees them. Whether they are fresh and agree is judged by the core.
 * Leaves out assets that it has no price for. Rejects with a `Fault` when it can't be reached or answers nonsense.
 */
export interface PriceSource {
  readonly name: string;
  observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]>;
}

export const PriceSources: unique symbol = Symbol.for('@sotto/relayer-core/PriceSources');
