import type { DomainError, Felt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { OrderStore, OrderProgress } from '../ports/order-store.port.js';

interface Page {
  progress: OrderProgress | null;
  /** Maps each order id to true if the order has ended. */
  readonly orders: Map<bigint, boolean>;
}

export class InMemoryOrderStore implements OrderStore {
  readonly #pages = new Map<Felt, Page>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async progress(contract: Felt): Promise<OrderProgress | null> {
    return this.#page(contract).progress;
  }

  async advance(contract: Felt, progress: OrderProgress, opened: readonly bigint[]): Promise<void> {
    const page = this.#page(contract);
    page.progress = progress;
    for (const orderId of opened) if (!page.orders.has(orderId)) page.orders.set(orderId, false);
  }

  async open(contract: Felt, after: bigint | null, limit: number): Promise<readonly bigint[]> {
    return [...this.#page(contract).orders]
      .filter(([orderId, hasEnded]) => !hasEnded && (after === null || orderId > after))
      .map(([orderId]) => orderId)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .slice(0, limit);
  }

  async end(contract: Felt, orderIds: readonly bigint[]): Promise<void> {
    const { orders } = this.#page(contract);
    for (const orderId of orderIds) if (orders.has(orderId)) orders.set(orderId, true);
  }

  async forget(contract: Felt): Promise<void> {
    this.#page(contract);
    this.#pages.delete(contract);
  }

  #page(contract: Felt): Page {
    if (this.#failure !== null) throw this.#failure;
    const page = this.#pages.get(contract) ?? { progress: null, orders: new Map() };
    this.#pages.set(contract, page);
    return page;
  }
}
