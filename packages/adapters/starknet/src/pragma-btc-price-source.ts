import type { BtcPriceObservation, BtcPriceSource } from '@sotto/staking-core';
import type { PragmaPriceSource } from './pragma-price-source.js';

/**
 * Reads the oracle's price of WBTC, the asset that the lending pools lend. The lending pools value
 * their loans with the same oracle.
 */
export class PragmaBtcPriceSource implements BtcPriceSource {
  constructor(private readonly oracle: PragmaPriceSource) {}

  async btcPrice(): Promise<BtcPriceObservation | null> {
    const [price] = await this.oracle.observe(['WBTC']);
    if (price === undefined) return null;
    return { usdE8: price.usdE8, observedAtMs: price.observedAtMs };
  }
}
