import { Felts, feltToBigInt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { SwapRouteTooLong, type CheckedSwap } from '@sotto/market-core';

/** The swap pool's method. Only its owner may call it. */
export const PRIVATE_SWAP_ENTRYPOINT = 'private_swap';

/**
 * Longest calldata of a transaction. Source: versioned constants of Starknet 0.14,
 * max_calldata_length.
 */
const TRANSACTION_CALLDATA_MAX = 5_000;
/**
 * What an account's `__execute__` puts before the calldata of its one call: number of calls,
 * address, selector, length.
 */
const EXECUTE_OVERHEAD = 4;

/** Terms of a swap that its call shows. */
export interface ShownSwapTerms {
  /** Commitment of the note that the swap leaves in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
}

/**
 * The terms that a `private_swap` call shows, as canonical text. The tolerance is not among them:
 * calldata holds only the least output that came of it and of a quote. Never equal to
 * the text of a request's terms.
 */
export function shownSwapTermsText({
  newCommitment,
  outputToken,
}: ShownSwapTerms): readonly string[] {
  return [PRIVATE_SWAP_ENTRYPOINT, `0x${newCommitment.toString(16)}`, outputToken];
}

/**
 * Calldata of `private_swap(wbtc_pool, proof_calldata, new_commitment, output_token,
 * min_amount_out, routes)`.
 * @param proof with its length felt
 * @throws SwapRouteTooLong when it does not fit into a transaction.
 */
export function privateSwapCalldata(
  wbtcPool: Felt,
  proof: Felts,
  terms: ShownSwapTerms,
  swap: Pick<CheckedSwap, 'minimumOut' | 'routes'>,
): Felts {
  const felts = join(
    Felts.of([feltToBigInt(wbtcPool)]),
    proof,
    Felts.of([
      ...u256ToHalves(terms.newCommitment),
      feltToBigInt(terms.outputToken),
      ...u256ToHalves(swap.minimumOut),
    ]),
    swap.routes,
  );
  const maximum = TRANSACTION_CALLDATA_MAX - EXECUTE_OVERHEAD;
  if (felts.length > maximum)
    throw new SwapRouteTooLong({ details: { felts: felts.length, maximum } });
  return felts;
}

/** What the calldata of {@link privateSwapCalldata} shows. */
export interface ShownSwap extends ShownSwapTerms {
  readonly wbtcPool: Felt;
  /** With its length felt. */
  readonly proof: Felts;
  /** In the output token's smallest unit. */
  readonly minimumOut: bigint;
}

/** Where what follows the proof begins: pool and length felt come before it. */
const PROOF_AT = 2;
/** Commitment, token and least output: 2 + 1 + 2; then the number of routes. */
const AFTER_PROOF_FELTS = 6;

/**
 * Null for felts that are laid out otherwise. The routes are not looked at, and the proof only for
 * its length.
 */
export function readPrivateSwapCalldata(felts: Felts): ShownSwap | null {
  if (felts.length < PROOF_AT) return null;
  const proofLength = felts.at(1);
  if (proofLength > BigInt(felts.length - PROOF_AT - AFTER_PROOF_FELTS)) return null;
  const end = PROOF_AT + Number(proofLength);
  const newCommitment = u256At(felts, end);
  const minimumOut = u256At(felts, end + 3);
  if (newCommitment === null || minimumOut === null) return null;
  return {
    wbtcPool: felts.feltAt(0),
    proof: felts.slice(1, end),
    newCommitment,
    outputToken: felts.feltAt(end + 2),
    minimumOut,
  };
}

/** Null when a half is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low >> HALF_BITS === 0n && high >> HALF_BITS === 0n ? u256FromHalves(low, high) : null;
}

const HALF_BITS = 128n;

function join(...parts: readonly Felts[]): Felts {
  return Felts.fromBytes(Buffer.concat(parts.map((part) => part.toBytes())));
}
