import type { DomainError } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '../ports/price-source.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Fake price source whose prices change only when a test sets them. */
export class FixedPrices implements PriceSource {
  #failure: DomainError | null = null;

  constructor(
    private observations: readonly PriceObservation[],
    readonly name = 'fixed',
  ) {}

  set(observations: readonly PriceObservation[]): void {
    this.observations = observations;
  }

  /** Makes every observation reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new FakeUpstreamDown('no prices')): void {
    this.#failure = failure;
  }

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    if (this.#failure !== null) throw this.#failure;
    return this.observations.filter(({ asset }) => assets.includes(asset));
  }
}
