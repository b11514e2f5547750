/** A price of BTC as its source has it. */
export interface BtcPriceObservation {
  /** In 1e-8 USD; above 0. */
  readonly usdE8: bigint;
  /** When the newest publisher behind it spoke. */
  readonly observedAtMs: number;
}

/**
 * The market price of the BTC token that the pools lend. Whether it is fresh is judged by the core;
 * whether enough publishers stand behind it is the source's own matter. Null when the source has no
 * price that it stands by. Rejects with a `DomainError`, and within a time of its own, when it
 * can't be reached or answers nonsense.
 */
export abstract class BtcPriceSource {
  abstract btcPrice(): Promise<BtcPriceObservation | null>;
}
