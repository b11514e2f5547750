import type { SwapPin, SwappedNote } from '../../pools/domain/swap-pin.js';

/** Result of pinning: the pin that the note has now, or the reason why it has none. */
export type Pinning =
  | { readonly kind: 'pinned' | 'same' | 'other_terms'; readonly pin: SwapPin }
  /** Another note's swap has the commitment. */
  | { readonly kind: 'commitment_taken' };

/**
 * Pins of swaps, permanent: a note has one pin, and a commitment belongs to one note. Durable and
 * shared by all instances; no pin is ever changed or deleted. Rejects with a `DomainError` if the
 * store is unavailable.
 */
export abstract class SwapPins {
  /**
   * Writes the pin in one step, unless the note or its commitment already has one. The floor of an
   * existing pin does not change.
   */
  abstract pin(pin: SwapPin): Promise<Pinning>;
  abstract find(note: SwappedNote): Promise<SwapPin | null>;
}
