import type { SwapPin, SwappedNote } from '../../pools/domain/swap-pin.js';

/** Result of pinning: the note's pin after the call, or the reason why the note has no pin. */
export type Pinning =
  | { readonly kind: 'pinned' | 'same' | 'other_terms'; readonly pin: SwapPin }
  /** Another note's swap has the commitment. */
  | { readonly kind: 'commitment_taken' };

/**
 * Stores pins of swaps permanently. A note has at most one pin, and a commitment belongs to at most
 * one note. Pins are durable and shared by all instances; no pin is ever changed or deleted.
 * Rejects with a `DomainError` if the store is unavailable.
 */
export abstract class SwapPins {
  /**
   * Writes the pin in one step, unless the note or its commitment already has a pin. The floor of
   * an existing pin does not change.
   */
  abstract pin(pin: SwapPin): Promise<Pinning>;
  abstract find(note: SwappedNote): Promise<SwapPin | null>;
}
