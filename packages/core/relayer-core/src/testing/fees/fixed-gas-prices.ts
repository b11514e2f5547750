import type { Fault } from '@sotto/kernel';
import type { GasPrices } from '@sotto/submission-core';
import type { GasPriceSource } from '../../fees/ports/gas-price-source.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/** Gas prices that stay what a test says. */
export class FixedGasPrices implements GasPriceSource {
  #fault: Fault | null = null;

  constructor(private prices: GasPrices) {}

  set(prices: GasPrices): void {
    this.prices = prices;
  }

  /** Every read rejects with it until null is given. */
  fail(fault: Fault | null = new FakeUpstreamDown('no gas prices')): void {
    this.#fault = fault;
  }

  async gasPrices(): Promise<GasPrices> {
    if (this.#fault !== null) throw this.#fault;
    return this.prices;
  }
}
