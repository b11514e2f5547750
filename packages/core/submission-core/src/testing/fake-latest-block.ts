import type { DomainError } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { LatestBlock } from '../ports/latest-block.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

const LEAST_PRICES: GasPrices = { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n };

/** Latest block, which a test sets. */
export class FakeLatestBlock implements LatestBlock {
  #height = 1;
  #numberFailure: DomainError | null = null;
  #pricesFailure: DomainError | null = null;

  constructor(private prices: GasPrices = LEAST_PRICES) {}

  /** Height of the block. Available even while reads of the block fail. */
  get height(): number {
    return this.#height;
  }

  /** Time of the block, in Unix seconds. Blocks are two seconds apart. */
  get timestamp(): number {
    return 1_760_000_000 + 2 * this.#height;
  }

  /** Sets the latest block. @default the next block */
  mine(block: number = this.#height + 1): void {
    this.#height = block;
  }

  setGasPrices(prices: GasPrices): void {
    this.prices = prices;
  }

  /**
   * Makes every read of the number reject with this error. Null makes later reads succeed again.
   */
  failNumber(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#numberFailure = failure;
  }

  /**
   * Makes every read of the gas prices reject with this error. Null makes later reads succeed
   * again.
   */
  failGasPrices(failure: DomainError | null = new FakeUpstreamDown('no gas prices')): void {
    this.#pricesFailure = failure;
  }

  async number(): Promise<number> {
    if (this.#numberFailure !== null) throw this.#numberFailure;
    return this.#height;
  }

  async gasPrices(): Promise<GasPrices> {
    if (this.#pricesFailure !== null) throw this.#pricesFailure;
    return this.prices;
  }
}
