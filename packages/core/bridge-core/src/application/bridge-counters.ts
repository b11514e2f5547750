/** Elements of answers that are left out when they are malformed, and refused credentials. */
export const BRIDGE_EVENTS = ['token', 'leg', 'step', 'hash', 'access_denied'] as const;
export type BridgeEvent = (typeof BRIDGE_EVENTS)[number];

/** Number of malformed elements and refused credentials, for the metrics of this process. */
export class BridgeCounters {
  readonly #counts = new Map<BridgeEvent, number>();

  add(event: BridgeEvent, count = 1): void {
    this.#counts.set(event, this.count(event) + count);
  }

  count(event: BridgeEvent): number {
    return this.#counts.get(event) ?? 0;
  }
}
