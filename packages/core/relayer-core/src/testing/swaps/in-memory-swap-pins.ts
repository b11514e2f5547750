import type { DomainError } from '@sotto/kernel';
import { standingOf, type SwapPin, type SwappedNote } from '../../pools/domain/swap-pin.js';
import type { Pinning, SwapPins } from '../../swaps/ports/swap-pins.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Pins in memory, which are lost when the process ends. */
export class InMemorySwapPins implements SwapPins {
  readonly #pins: SwapPin[] = [];
  #failure: DomainError | null = null;

  get all(): readonly SwapPin[] {
    return [...this.#pins];
  }

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async pin(pin: SwapPin): Promise<Pinning> {
    const standing = standingOf(this.#of(pin), pin);
    if (standing.kind !== 'free') return standing;
    if (this.#pins.some(({ newCommitment }) => newCommitment === pin.newCommitment))
      return { kind: 'commitment_taken' };
    this.#pins.push(pin);
    return { kind: 'pinned', pin };
  }

  async find(note: SwappedNote): Promise<SwapPin | null> {
    return this.#of(note);
  }

  #of({ chainId, pool, nullifierHash }: SwappedNote): SwapPin | null {
    if (this.#failure !== null) throw this.#failure;
    return (
      this.#pins.find(
        (pin) =>
          pin.chainId === chainId && pin.pool === pool && pin.nullifierHash === nullifierHash,
      ) ?? null
    );
  }
}
