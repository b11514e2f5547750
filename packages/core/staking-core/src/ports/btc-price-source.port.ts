/** Price of BTC from a price source. */
export interface BtcPriceObservation {
  /** Price of one BTC, in units of 1e-8 USD; positive. */
  readonly usdE8: bigint;
  /** Time of the newest publication on which the price is based, in Unix milliseconds. */
  readonly observedAtMs: number;
}

/**
 * Reads the market price of the BTC token that the pools lend. The core decides whether the price
 * is recent enough; the source decides whether enough publishers support the price. Returns null if
 * the source has no reliable price. Rejects with a `DomainError`, within its own deadline, if the
 * source is unavailable or returns an invalid price.
 */
export abstract class BtcPriceSource {
  abstract btcPrice(): Promise<BtcPriceObservation | null>;
}
