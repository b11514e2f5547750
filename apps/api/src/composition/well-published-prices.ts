import type { PriceObservation, PriceSource, PricedAsset } from '@sotto/relayer-core';

/** A source whose observations count only when enough publishers stand behind them: thin ones are left out, as prices it does not have. */
export class WellPublishedPrices implements PriceSource {
  readonly name: string;

  constructor(
    private readonly source: PriceSource,
    private readonly minPublishers: number,
  ) {
    this.name = source.name;
  }

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    const observations = await this.source.observe(assets);
    return observations.filter(({ sourceCount }) => sourceCount >= this.minPublishers);
  }
}
