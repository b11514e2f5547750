import type { Felt } from '@sotto/kernel';

/** Identifies a note without revealing its owner. */
export interface SwappedNote {
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly nullifierHash: bigint;
}

/** Terms of a note's swap that the proof itself does not bind. */
export interface PinnedTerms {
  /** Commitment of the new note in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
}

/** Terms to which all swaps of a note are bound, from before its proof is first shown. */
export interface SwapPin extends SwappedNote, PinnedTerms {
  /** Minimum output of a swap of the note, in the output token's smallest unit; above 0. */
  readonly floor: bigint;
}

/** Result of comparing a request for a swap with the pin of its note. */
export type PinStanding =
  | { readonly kind: 'free' }
  | { readonly kind: 'same'; readonly pin: SwapPin }
  | { readonly kind: 'other_terms'; readonly pin: SwapPin };

/** Compares a request with the pin of its note. @param pin null if the note has none */
export function standingOf(
  pin: SwapPin | null,
  { newCommitment, outputToken }: PinnedTerms,
): PinStanding {
  if (pin === null) return { kind: 'free' };
  const isSame = pin.newCommitment === newCommitment && pin.outputToken === outputToken;
  return { kind: isSame ? 'same' : 'other_terms', pin };
}
