/** A price of BTC from its source. */
export interface BtcPriceObservation {
  /** Price in 1e-8 USD; positive. */
  readonly usdE8: bigint;
  /** Time of the newest publication that it is based on. */
  readonly observedAtMs: number;
}

/**
 * Reads the market price of the BTC token that the pools lend. The core decides if it is fresh; the
 * source decides if enough publishers support it. Returns null if the source has no reliable price.
 * Rejects with a `DomainError`, within its own deadline, if the source is unavailable or returns an
 * invalid answer.
 */
export abstract class BtcPriceSource {
  abstract btcPrice(): Promise<BtcPriceObservation | null>;
}
