/** Queue of faults that wait for matching requests, oldest first. */
export class FaultQueue<Order extends { readonly times?: number | undefined }> {
  #waiting: { readonly order: Order; readonly left: number }[] = [];

  add(order: Order): void {
    this.#waiting.push({ order, left: order.times ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /**
   * Returns the oldest matching fault and reduces its number of remaining uses by one; undefined if
   * no fault matches.
   */
  take(fits: (order: Order) => boolean): Order | undefined {
    const index = this.#waiting.findIndex(({ order }) => fits(order));
    const found = this.#waiting[index];
    if (found === undefined) return undefined;
    this.#waiting.splice(index, 1, ...(found.left > 1 ? [{ ...found, left: found.left - 1 }] : []));
    return found.order;
  }
}
