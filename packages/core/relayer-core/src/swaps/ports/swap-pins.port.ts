import type { SwapPin, SwappedNote } from '../../pools/domain/swap-pin.js';

/** What came of an attempt to pin: the pin that the note has now, or why it has none. */
export type Pinning =
  | { readonly kind: 'pinned' | 'same' | 'other_terms'; readonly pin: SwapPin }
  /** The commitment belongs to the swap of another note. */
  | { readonly kind: 'commitment_taken' };

/**
 * What swaps are bound to, for ever: a note has one pin, and a commitment belongs to one note.
 * Durable and shared by all instances; nothing is ever changed or deleted. Rejects with a
 * `DomainError` when the store can't answer.
 */
export abstract class SwapPins {
  /**
   * Writes the pin in one step, unless the note or its commitment has one. The floor of a pin that
   * stands is kept, whatever the other's is.
   */
  abstract pin(pin: SwapPin): Promise<Pinning>;
  abstract find(note: SwappedNote): Promise<SwapPin | null>;
}
