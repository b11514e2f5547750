import type { DomainError } from '@sotto/kernel';
import type { GasPrices } from '@sotto/submission-core';
import type { GasPriceSource } from '../../fees/ports/gas-price-source.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/** Gas prices that stay what a test says. */
export class FixedGasPrices implements GasPriceSource {
  #failure: DomainError | null = null;

  constructor(private prices: GasPrices) {}

  set(prices: GasPrices): void {
    this.prices = prices;
  }

  /** Every read rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('no gas prices')): void {
    this.#failure = failure;
  }

  async gasPrices(): Promise<GasPrices> {
    if (this.#failure !== null) throw this.#failure;
    return this.prices;
  }
}
