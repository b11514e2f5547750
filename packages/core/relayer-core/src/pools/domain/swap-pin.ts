import type { Felt } from '@sotto/kernel';

/** Names a note without revealing its owner. */
export interface SwappedNote {
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly nullifierHash: bigint;
}

/** What a swap of a note leaves: the proof itself does not bind it. */
export interface PinnedTerms {
  /** Of the note in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
}

/** What every swap of a note is bound to, from before anything shows its proof. */
export interface SwapPin extends SwappedNote, PinnedTerms {
  /** The least that a swap of the note may bring, in the output token's smallest unit; above 0. */
  readonly floor: bigint;
}

/** How a request for a swap stands against the pin of its note. */
export type PinStanding =
  | { readonly kind: 'free' }
  | { readonly kind: 'same'; readonly pin: SwapPin }
  | { readonly kind: 'other_terms'; readonly pin: SwapPin };

/** @param pin that of the note; null when it has none */
export function standingOf(
  pin: SwapPin | null,
  { newCommitment, outputToken }: PinnedTerms,
): PinStanding {
  if (pin === null) return { kind: 'free' };
  const isSame = pin.newCommitment === newCommitment && pin.outputToken === outputToken;
  return { kind: isSame ? 'same' : 'other_terms', pin };
}
