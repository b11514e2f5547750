import type { Clock, Caller } from '@sotto/kernel';
import { RATION_WINDOW_MS, rationed } from '../../deposits/domain/deposit-traffic.js';
import type { DepositsRationed } from '../../deposit-errors.js';

/**
 * How many deposits have begun for a network within the hour, as this instance knows. Held in
 * memory alone: networks are named nowhere else.
 */
export class NetworkRations {
  #begun: readonly { readonly name: string; readonly acceptedAtMs: number }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly perNetwork: number,
  ) {}

  refusal(caller: Caller): DepositsRationed | null {
    const name = networkOf(caller);
    const times = this.#begun
      .filter((deposit) => deposit.name === name)
      .map(({ acceptedAtMs }) => acceptedAtMs);
    return rationed('network', times, this.perNetwork, this.clock.monotonicMs());
  }

  begun(caller: Caller): void {
    const nowMs = this.clock.monotonicMs();
    const recent = this.#begun.filter(
      ({ acceptedAtMs }) => acceptedAtMs > nowMs - RATION_WINDOW_MS,
    );
    this.#begun = [...recent, { name: networkOf(caller), acceptedAtMs: nowMs }];
  }
}

/** The narrowest network that a caller is in; itself, where none is known. */
function networkOf({ name, networks }: Caller): string {
  return networks[0] ?? name;
}
