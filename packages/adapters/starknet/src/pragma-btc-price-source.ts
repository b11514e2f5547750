import type { BtcPriceObservation, BtcPriceSource } from '@sotto/staking-core';
import type { PragmaPriceSource } from './pragma-price-source.js';

/**
 * The oracle's price of WBTC: what lending pools lend, and by which they judge loans themselves.
 */
export class PragmaBtcPriceSource implements BtcPriceSource {
  constructor(private readonly oracle: PragmaPriceSource) {}

  async btcPrice(): Promise<BtcPriceObservation | null> {
    const [price] = await this.oracle.observe(['WBTC']);
    if (price === undefined) return null;
    return { usdE8: price.usdE8, observedAtMs: price.observedAtMs };
  }
}
