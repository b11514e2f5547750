import { Felts, feltToBigInt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { SwapRouteTooLong, type CheckedSwap } from '@sotto/market-core';

/** Entrypoint of the swap pool. Only its owner may call it. */
export const PRIVATE_SWAP_ENTRYPOINT = 'private_swap';

/**
 * Maximum calldata length of a transaction. Source: versioned constants of Starknet 0.14,
 * max_calldata_length.
 */
const TRANSACTION_CALLDATA_MAX = 5_000;
/**
 * Number of felts that an account's `__execute__` adds before the calldata of a single call: number
 * of calls, address, selector, length.
 */
const EXECUTE_OVERHEAD = 4;

/** Terms of a swap that are part of its call, so that they are visible on chain. */
export interface ShownSwapTerms {
  /** Commitment of the note that the swap creates in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
}

/**
 * Returns the terms in a `private_swap` call as canonical text. The text does not contain the
 * tolerance: the calldata only contains the minimum output computed from the tolerance and a quote.
 * The text never equals the text of a request's terms.
 */
export function shownSwapTermsText({
  newCommitment,
  outputToken,
}: ShownSwapTerms): readonly string[] {
  return [PRIVATE_SWAP_ENTRYPOINT, `0x${newCommitment.toString(16)}`, outputToken];
}

/**
 * Builds the calldata of `private_swap(wbtc_pool, proof_calldata, new_commitment, output_token,
 * min_amount_out, routes)`.
 * @param proof proof calldata with its length felt
 * @throws SwapRouteTooLong if the calldata does not fit into a transaction
 */
export function privateSwapCalldata(
  wbtcPool: Felt,
  proof: Felts,
  terms: ShownSwapTerms,
  swap: Pick<CheckedSwap, 'minimumOut' | 'routes'>,
): Felts {
  const felts = Felts.join(
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

/** Parsed calldata of {@link privateSwapCalldata}, without the routes. */
export interface ShownSwap extends ShownSwapTerms {
  readonly wbtcPool: Felt;
  /** Proof calldata with its length felt. */
  readonly proof: Felts;
  /** Minimum output in the output token's smallest unit. */
  readonly minimumOut: bigint;
}

/** Number of felts up to the first felt of the proof: pool and length. */
const PROOF_AT = 2;
/**
 * Number of felts after the proof without the routes. Commitment, token and minimum output have 2 +
 * 1 + 2 felts, and the number of routes has one.
 */
const AFTER_PROOF_FELTS = 6;

/**
 * Parses the calldata of a private swap. Returns null if the felts do not have the layout of {@link
 * privateSwapCalldata}. Does not parse the routes, and reads only the length of the proof.
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

/** Returns null if the low or high half of the value is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low >> HALF_BITS === 0n && high >> HALF_BITS === 0n ? u256FromHalves(low, high) : null;
}

const HALF_BITS = 128n;
