import type { Felt } from '@sotto/kernel';

/** Public identification of a note, which does not reveal the owner. */
export interface SwappedNote {
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly nullifierHash: bigint;
}

/** Terms of a note's swap that the proof does not contain. */
export interface PinnedTerms {
  /** Commitment of the note that the swap creates in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
}

/**
 * Pin of a note: terms that all private swaps of the note must have. The pin is written before any
 * other service, such as a node or an aggregator, receives the proof of the first swap.
 */
export interface SwapPin extends SwappedNote, PinnedTerms {
  /**
   * Minimum output that every swap of the note must have, in the output token's smallest unit;
   * above 0.
   */
  readonly floor: bigint;
}

/** Result of comparing the terms of a swap request with the pin of its note. */
export type PinStanding =
  | { readonly kind: 'free' }
  | { readonly kind: 'same'; readonly pin: SwapPin }
  | { readonly kind: 'other_terms'; readonly pin: SwapPin };

/**
 * Compares the terms of a request with the pin of its note. @param pin null if the note has no pin
 */
export function standingOf(
  pin: SwapPin | null,
  { newCommitment, outputToken }: PinnedTerms,
): PinStanding {
  if (pin === null) return { kind: 'free' };
  const isSame = pin.newCommitment === newCommitment && pin.outputToken === outputToken;
  return { kind: isSame ? 'same' : 'other_terms', pin };
}
