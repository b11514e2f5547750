import type { DomainError } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '../ports/price-source.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Prices that change only on a test's call. */
export class FixedPrices implements PriceSource {
  #failure: DomainError | null = null;

  constructor(
    private observations: readonly PriceObservation[],
    readonly name = 'fixed',
  ) {}

  set(observations: readonly PriceObservation[]): void {
    this.observations = observations;
  }

  /** Makes every observation reject with this error; null ends that. */
  fail(failure: DomainError | null = new FakeUpstreamDown('no prices')): void {
    this.#failure = failure;
  }

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    if (this.#failure !== null) throw this.#failure;
    return this.observations.filter(({ asset }) => assets.includes(asset));
  }
}
