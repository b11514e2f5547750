import { catalogued, type ErrorEntry } from '@sotto/kernel';
import { depositErrors } from './deposit-errors.js';

/**
 * The address is not a pool of the profile; nothing was read from it. The caller picks a pool of
 * the relayer's list.
 */
export class PoolNotSupported extends catalogued({
  code: 'POOL_NOT_SUPPORTED',
  kind: 'not_found',
  meaning: 'This relayer does not serve that pool.',
  remedy: 'Use the address of a pool that the relayer lists.',
}) {}

/**
 * A pool whose notes hold what a swap brought, each another amount: there is nothing that all of
 * them hold. The caller asks for the list of pools.
 */
export class PoolWithoutDenomination extends catalogued({
  code: 'POOL_WITHOUT_DENOMINATION',
  kind: 'unprocessable',
  meaning:
    'The notes of this pool hold different tokens and amounts, so it has no denomination and no batches.',
  remedy: 'Find its figures in the list of pools.',
}) {}

/**
 * The pool is served, but its notes are only withdrawn; `details.allowed` are the addresses that
 * allow it. The caller swaps a note of one of these.
 */
export class PoolNotSwappable extends catalogued({
  code: 'POOL_NOT_SWAPPABLE',
  kind: 'unprocessable',
  meaning: 'Private swaps do not start from this pool: its notes can only be withdrawn.',
  remedy: 'Withdraw the note, or swap one of a pool in `details.allowed`.',
}) {}

/** What a note of the swap pool costs depends on its leaf. The caller names it. */
export class LeafIndexRequired extends catalogued({
  code: 'LEAF_INDEX_REQUIRED',
  kind: 'unprocessable',
  meaning:
    'The notes of the swap pool hold different tokens and amounts, so the fee depends on the leaf.',
  remedy: 'Name the leaf in `leafIndex`: the answer to the private swap contains it.',
}) {}

/**
 * The notes of the pool are all worth the same: a leaf index says nothing there. The caller leaves
 * it out.
 */
export class LeafIndexNotApplicable extends catalogued({
  code: 'LEAF_INDEX_NOT_APPLICABLE',
  kind: 'unprocessable',
  meaning: 'A leaf index is taken only for withdrawals from the swap pool.',
  remedy: 'Leave `leafIndex` out, or name the swap pool.',
}) {}

/**
 * The proof spends another leaf than the one that the request names. The caller leaves it out, or
 * proves again.
 */
export class LeafIndexMismatch extends catalogued({
  code: 'LEAF_INDEX_MISMATCH',
  kind: 'unprocessable',
  meaning: 'The request names another leaf than the one that its proof spends.',
  remedy:
    'Leave `leafIndex` out, or send the proof of that leaf: its batch starts there and has the size 1.',
}) {}

/**
 * No swap has filled the leaf, at ACCEPTED_ON_L2. The caller waits for its swap, or names the leaf
 * that the swap's answer contains.
 */
export class LeafUnknown extends catalogued({
  code: 'LEAF_UNKNOWN',
  kind: 'unprocessable',
  meaning: 'The swap pool has no note in that leaf.',
  remedy: 'Use the leaf index from the answer to the private swap, once the swap is accepted.',
}) {}

/**
 * Not seven public inputs, or one outside its range; `details.input` names the first of these. The
 * caller makes a new proof.
 */
export class PublicInputOutOfRange extends catalogued({
  code: 'PUBLIC_INPUT_OUT_OF_RANGE',
  kind: 'invalid',
  meaning: 'The proof does not have seven public inputs, each within its range.',
  remedy:
    'Make the proof with the withdrawal circuit; `details.input` names the input that is wrong.',
}) {}

/**
 * Another account would earn the fee; `details.expected` is the address that must stand in the
 * proof. The caller proves again.
 */
export class RelayerMismatch extends catalogued({
  code: 'RELAYER_MISMATCH',
  kind: 'unprocessable',
  meaning: 'The proof names another relayer, which would earn the fee of this withdrawal.',
  remedy: 'Make the proof again with the relayer address in `details.expected`.',
}) {}

/**
 * The payout would be burnt, or stranded in a contract that can't give it back. The caller proves
 * again with a recipient.
 */
export class RecipientInvalid extends catalogued({
  code: 'RECIPIENT_INVALID',
  kind: 'unprocessable',
  meaning:
    'The recipient of the withdrawal is the zero address, or a contract in which the payout would be stranded.',
  remedy:
    'Make the proof again with the address that shall receive the payout; send a proof that pays the swap pool as a private swap.',
}) {}

/**
 * No fee that the pool allows pays for the transaction: `details.cost` is above `details.maximum`
 * (fee token's smallest unit). The caller waits.
 */
export class WithdrawalUnprofitable extends catalogued({
  code: 'WITHDRAWAL_UNPROFITABLE',
  kind: 'unavailable',
  meaning: 'At present prices a withdrawal costs more than the highest fee that the pool allows.',
  remedy: 'Try again when gas is cheaper, or send the transaction from an account of your own.',
}) {}

/**
 * `details.offered` is below `details.required` (the cost now, or the quote), both in the fee
 * token's smallest unit. The caller proves again.
 */
export class FeeTooLow extends catalogued({
  code: 'FEE_TOO_LOW',
  kind: 'unprocessable',
  meaning:
    'The fee in the proof does not cover what the withdrawal costs now, or is below the quote that it cites.',
  remedy: 'Ask for a fee estimate or a quote and make the proof again with that fee.',
}) {}

/**
 * `details.offered` is above `details.maximum`, both in the fee token's smallest unit: the contract
 * would revert. The caller proves again.
 */
export class FeeAbovePoolMaximum extends catalogued({
  code: 'FEE_ABOVE_POOL_MAXIMUM',
  kind: 'unprocessable',
  meaning: 'The fee in the proof is above what the pool allows.',
  remedy: 'Ask for a fee estimate of this pool and make the proof again with that fee.',
}) {}

/**
 * The batch is empty or reaches past the deployed deposits. The caller waits for deployment, or
 * proves again with the deposit's batch.
 */
export class BatchOutOfBounds extends catalogued({
  code: 'BATCH_OUT_OF_BOUNDS',
  kind: 'unprocessable',
  meaning: 'The batch in the proof is empty or contains deposits that are not deployed yet.',
  remedy:
    'Make the proof with the batch that holds your deposit; if that is not deployed yet, wait until it is.',
}) {}

/**
 * The root is not among the last ones that the pool keeps. The caller proves again on the present
 * tree.
 */
export class RootUnknown extends catalogued({
  code: 'ROOT_UNKNOWN',
  kind: 'unprocessable',
  meaning: 'The pool does not know the Merkle root in the proof, or not any more.',
  remedy: 'Make the proof again on the present tree.',
}) {}

/**
 * The note is gone, in a transaction that is not this request's: `details.transactionHash` where it
 * could be found. The caller can't withdraw it again.
 */
export class NullifierSpent extends catalogued({
  code: 'NULLIFIER_SPENT',
  kind: 'conflict',
  meaning: 'The note of this proof has been withdrawn already.',
  remedy:
    'Nothing: each note can be withdrawn once. `details.transactionHash`, where it is known, is the transaction that did it.',
}) {}

/**
 * Another request (other recipient, relayer or fee) for the same note is on its way:
 * `details.submissionId`, only for a caller whose proof holds. The caller waits for how it ends.
 */
export class WithdrawalInProgress extends catalogued({
  code: 'WITHDRAWAL_IN_PROGRESS',
  kind: 'conflict',
  meaning: 'A withdrawal of the same note with other terms is on its way.',
  remedy:
    'Follow the submission that `Location` names until it has ended; only if it ends without success may the note be tried again.',
}) {}

/** The pairing does not hold. The caller proves again. */
export class ProofInvalid extends catalogued({
  code: 'PROOF_INVALID',
  kind: 'unprocessable',
  meaning: 'The proof does not hold for its public inputs.',
  remedy: 'Make the proof again with the pool’s circuit and proving key.',
}) {}

/**
 * The contract refuses the call; `details.reason` is its text without numbers of the call. The
 * caller acts on the reason.
 */
export class SimulationReverted extends catalogued({
  code: 'SIMULATION_REVERTED',
  kind: 'unprocessable',
  meaning: 'The contract would revert this transaction, so it was not sent.',
  remedy:
    'See `details.reason`: nothing was changed, so the request may be sent again once the reason is gone.',
}) {}

/**
 * No price that may be used: too old, too few sources, or they disagree (`details.asset`,
 * `details.reason`). The caller tries later.
 */
export class PriceUnavailable extends catalogued({
  code: 'PRICE_UNAVAILABLE',
  kind: 'unavailable',
  meaning:
    'There is no market price now that is fresh and agreed on, so no fee and no swap can be judged.',
  remedy: 'Try again later with the same proof.',
}) {}

/**
 * The node refused the transaction for good; `details.refusal` is its code. Nothing is on chain:
 * the caller may try again.
 */
export class SubmissionRefused extends catalogued({
  code: 'SUBMISSION_REFUSED',
  kind: 'unprocessable',
  meaning: 'The transaction was refused for good; nothing of it is or can be on chain.',
  remedy: 'See `details.refusal`; the same request may be sent again.',
}) {}

/**
 * It did not get on chain in time and can't any more; `details.refusal` is the code:
 * `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` where no account of the service could sign for the call
 * while it waited. The caller may try again.
 */
export class SubmissionExpired extends catalogued({
  code: 'SUBMISSION_EXPIRED',
  kind: 'unavailable',
  meaning: 'The transaction was given up in time; nothing of it is or can be on chain.',
  remedy: 'Try again, with the same proof if its root is still known.',
}) {}

/** No submission has this id. The caller checks the link that it was given. */
export class SubmissionNotFound extends catalogued({
  code: 'SUBMISSION_NOT_FOUND',
  kind: 'not_found',
  meaning: 'There is no submission with this id.',
  remedy: 'Use the `Location` of the answer that carried it.',
}) {}

/**
 * This service holds no submission of the note, on whatever terms. The caller may send the proof.
 */
export class WithdrawalNotFound extends catalogued({
  code: 'WITHDRAWAL_NOT_FOUND',
  kind: 'not_found',
  meaning: 'This relayer has no submission of the note that the proof spends.',
  remedy: 'Send the proof, if its root is still known, or ask the relayer that it was sent to.',
}) {}

/**
 * The relayer gave no quote of this name, or it is long over. The caller asks for a quote, or
 * withdraws without one.
 */
export class QuoteUnknown extends catalogued({
  code: 'QUOTE_UNKNOWN',
  kind: 'unprocessable',
  meaning: 'The withdrawal cites a quote that this relayer does not know.',
  remedy: 'Ask for a quote and cite its id, or withdraw without one.',
}) {}

/**
 * The quote's time is over. The caller withdraws without it, if the fee still covers the cost, or
 * asks for another.
 */
export class QuoteExpired extends catalogued({
  code: 'QUOTE_EXPIRED',
  kind: 'unprocessable',
  meaning: 'The quote that the withdrawal cites has expired.',
  remedy:
    'Withdraw without it, or ask for another; the proof stays good if its fee covers what is asked then.',
}) {}

/** Another withdrawal has used the quote. The caller asks for one of its own. */
export class QuoteUsed extends catalogued({
  code: 'QUOTE_USED',
  kind: 'conflict',
  meaning: 'The quote has served another withdrawal.',
  remedy: 'Ask for a quote for this withdrawal, or withdraw without one.',
}) {}

/**
 * The quote was given for another pool, leaf, operation, chain or fee address. The caller cites the
 * right one.
 */
export class QuoteMismatch extends catalogued({
  code: 'QUOTE_MISMATCH',
  kind: 'unprocessable',
  meaning:
    'The quote was given for another pool, note of the swap pool, operation, chain or relayer address.',
  remedy:
    'Cite a quote for the pool of this note and, where it has one, its leaf; a quote for a withdrawal serves no private swap.',
}) {}

/**
 * No batch of the kind has this size, whatever the pool holds; `details.allowed` says which it has.
 * The caller corrects the count.
 */
export class BatchCountInvalid extends catalogued({
  code: 'BATCH_COUNT_INVALID',
  kind: 'invalid',
  meaning: 'No batch has that many deposits.',
  remedy: 'Use a count that `details.allowed` names.',
}) {}

/**
 * Fewer deposits wait than shall be deployed: `details.undeployed`. Nothing was sent. The caller
 * waits, or asks for fewer.
 */
export class BatchTooLarge extends catalogued({
  code: 'BATCH_TOO_LARGE',
  kind: 'unprocessable',
  meaning: 'Fewer deposits wait in the pool than the batch would need, so nothing was sent.',
  remedy: 'Wait until more deposits have been made; `details.undeployed` is how many wait now.',
}) {}

/**
 * Of the deposits that wait (`details.waiting`) all have to go together, once the youngest has
 * waited long enough: at `details.readyAt`, seconds since the epoch, if no deposit comes before.
 * Nothing was sent. The caller asks for all of them then, or for a full batch.
 */
export class BatchTooYoung extends catalogued({
  code: 'BATCH_TOO_YOUNG',
  kind: 'unprocessable',
  meaning:
    'A partial batch has to hold every deposit that waits, and each of them must have waited long enough.',
  remedy:
    'Ask for all of `details.waiting` deposits at `details.readyAt`, or for a full batch as soon as enough wait.',
}) {}

/** Partial batches are the operator's here. Nothing was read. The caller waits for a full batch. */
export class PartialBatchReserved extends catalogued({
  code: 'PARTIAL_BATCH_RESERVED',
  kind: 'forbidden',
  meaning: 'Only the operator of this service has partial batches deployed.',
  remedy:
    'Wait until enough deposits wait for a full batch; an operator sends the request with an operator’s token.',
}) {}

/**
 * Another deployment of the pool was not on chain for good in time. Nothing was sent. The caller
 * tries later.
 */
export class DeploymentInProgress extends catalogued({
  code: 'DEPLOYMENT_IN_PROGRESS',
  kind: 'conflict',
  meaning: 'Another deployment of this pool is on its way.',
  remedy: 'Try again after `Retry-After`: the count is judged again then.',
}) {}

/**
 * The payout would not reach the swap pool; `details.expected` is the address that must stand in
 * the proof. The caller proves again.
 */
export class RecipientNotSwapPool extends catalogued({
  code: 'RECIPIENT_NOT_SWAP_POOL',
  kind: 'unprocessable',
  meaning:
    'The recipient of the withdrawal is not the swap pool, so there would be nothing to swap.',
  remedy: 'Make the proof again with the recipient in `details.expected`.',
}) {}

/** The profile names no such output of private swaps. The caller picks one of the listed tokens. */
export class OutputTokenNotSupported extends catalogued({
  code: 'OUTPUT_TOKEN_NOT_SUPPORTED',
  kind: 'unprocessable',
  meaning: 'This relayer does not swap into that token.',
  remedy: 'Use one of the output tokens that the relayer lists.',
}) {}

/**
 * The tolerance is below `details.minimum` or above `details.maximum`, both fractions. The caller
 * corrects it.
 */
export class SlippageOutOfRange extends catalogued({
  code: 'SLIPPAGE_OUT_OF_RANGE',
  kind: 'invalid',
  meaning:
    'The slippage is not a fraction between the least and the largest that the relayer takes.',
  remedy:
    'Use a fraction such as 0.01 for 1 %; `details.minimum` and `details.maximum` are the bounds.',
}) {}

/**
 * The commitment is 0 or no element of the circuit's field: what is committed to it could never be
 * withdrawn. The caller makes a note.
 */
export class CommitmentInvalid extends catalogued({
  code: 'COMMITMENT_INVALID',
  kind: 'invalid',
  meaning: 'The new commitment is not a number above 0 and below the order of the circuit’s field.',
  remedy: 'Make a new note and send its commitment as it is.',
}) {}

/**
 * The swap pool has a leaf with this commitment: another would be lost to its owner. Nothing was
 * sent. The caller makes another note.
 */
export class CommitmentExists extends catalogued({
  code: 'COMMITMENT_EXISTS',
  kind: 'conflict',
  meaning: 'The swap pool has the new commitment already, so the swap was not sent.',
  remedy:
    'The note that was to be swapped is untouched. If no swap of it was tried before, make a new note and send its commitment; otherwise withdraw the note plainly, with a new proof.',
}) {}

/**
 * The aggregator has no route or no liquidity for the swap. Nothing was sent. The caller tries
 * later, or another token.
 */
export class NoQuotesAvailable extends catalogued({
  code: 'NO_QUOTES_AVAILABLE',
  kind: 'unprocessable',
  meaning: 'There is no quote for this swap: no route, or too little liquidity.',
  remedy: 'Try again later or with another output token; the note is untouched.',
}) {}

/**
 * Two quotes in a row were gone before they could be built. Nothing was sent. The caller tries
 * again soon.
 */
export class QuoteExpiredAtAggregator extends catalogued({
  code: 'QUOTE_EXPIRED_AT_AGGREGATOR',
  kind: 'unavailable',
  meaning: 'The aggregator’s quotes expired before the swap could be built.',
  remedy: 'Try again with the same proof; the note is untouched.',
}) {}

/**
 * The swap would bring less than the tolerance allows. Nothing was sent. The caller allows more, or
 * waits.
 */
export class SlippageTooTight extends catalogued({
  code: 'SLIPPAGE_TOO_TIGHT',
  kind: 'unprocessable',
  meaning: 'The swap would bring less than the slippage allows.',
  remedy:
    'Try again later or with a larger slippage, and the same commitment; the note is untouched. Once a swap of the note has been tried, its floor counts instead.',
}) {}

/**
 * The best quote, less the least tolerance, falls short of the fair value by more than
 * `details.maximumImpact` (a fraction), or says so itself; `details.fairAmount` and
 * `details.quotedAmount` are in the output token's smallest unit. The caller waits, or takes
 * another token.
 */
export class PriceImpactTooHigh extends catalogued({
  code: 'PRICE_IMPACT_TOO_HIGH',
  kind: 'unprocessable',
  meaning:
    'The best quote is too far below what the swap is worth at market prices, so nothing was sent.',
  remedy:
    'Try again later or with another output token; the note is untouched. `details` has the fair and the quoted amount.',
}) {}

/**
 * The best quote `details.quotedAmount` leaves no tolerance above the caller's
 * `details.minAmountOut`. The caller waits, or asks for less.
 */
export class MinimumNotMet extends catalogued({
  code: 'MINIMUM_NOT_MET',
  kind: 'unprocessable',
  meaning: 'The best quote, less the least slippage, is below the `minAmountOut` of the request.',
  remedy: 'Try again later or with a smaller `minAmountOut`; the note is untouched.',
}) {}

/**
 * What the aggregator built is not what was asked for; `details.reason` names the first difference.
 * Nothing of it was signed.
 */
export class SwapBuildRejected extends catalogued({
  code: 'SWAP_BUILD_REJECTED',
  kind: 'upstream_failed',
  meaning: 'The aggregator built another swap than it was asked for, so nothing was signed.',
  remedy: 'Try again later; the note is untouched. `details.reason` names what differs.',
}) {}

/**
 * Proof and route together do not fit into a transaction: `details.felts` of at most
 * `details.maximum`. The caller tries later, or another token.
 */
export class SwapRouteTooLong extends catalogued({
  code: 'SWAP_ROUTE_TOO_LONG',
  kind: 'unprocessable',
  meaning: 'The best route of this swap does not fit into a transaction.',
  remedy: 'Try again later or with another output token; the note is untouched.',
}) {}

/**
 * Nothing begins in the pool now: `details.cause` is `operator`, `configuration`, `reverts`,
 * `losses` or `upstream`, and `details.reason` the operator's words. Nothing was sent; the caller
 * waits. What was accepted before goes on.
 */
export class PoolPaused extends catalogued({
  code: 'POOL_PAUSED',
  kind: 'unavailable',
  meaning: 'The relayer takes nothing for this pool now.',
  remedy:
    'Try again after `Retry-After` with the same proof, or use another relayer; `details.cause` says what it waits for.',
}) {}

/**
 * The gas of this hour is spent, for the pool or in all (`details.scope`: `pool`, `all`), or
 * reverts that users brought about have cost as much as they may where the operator has the pool
 * closed then (`losses`). Nothing was sent; the caller waits.
 */
export class BudgetExhausted extends catalogued({
  code: 'BUDGET_EXHAUSTED',
  kind: 'unavailable',
  meaning: 'The relayer has spent the gas that it spends within an hour.',
  remedy: 'Try again after `Retry-After` with the same proof, or use another relayer.',
}) {}

/**
 * What this caller asked for has cost the pool as much as one caller's requests may within an hour
 * (`details.cause: losses`), or is still on its way while the pool loses more than it may
 * (`in_flight`). Nothing was sent; the caller waits, others need not.
 */
export class CallerBudgetExhausted extends catalogued({
  code: 'CALLER_BUDGET_EXHAUSTED',
  kind: 'rate_limited',
  meaning:
    'Transactions that were asked for from this address have reverted at the relayer’s cost, so it takes no more of them for now.',
  remedy: 'Try again after `Retry-After` with the same proof, or use another relayer.',
}) {}

/**
 * Swaps of this note have reverted too often within a day. Nothing was sent. The caller withdraws
 * the note, or waits.
 */
export class NoteSwapsSuspended extends catalogued({
  code: 'NOTE_SWAPS_SUSPENDED',
  kind: 'rate_limited',
  meaning: 'Private swaps of this note have reverted too often, so it is not swapped for a day.',
  remedy:
    'Withdraw the note to an address of yours, which is possible at any time, or swap it after `Retry-After`.',
}) {}

/** As much runs and waits as may. Nothing was looked at; the caller tries again soon. */
export class Overloaded extends catalogued({
  code: 'OVERLOADED',
  kind: 'unavailable',
  meaning: 'The service has as much to do as it takes on at a time.',
  remedy: 'Send the same request again after `Retry-After`.',
}) {}

/**
 * As many quotes as may stand in the book, of this caller or of all, wait to be cited. Nothing was
 * promised.
 */
export class TooManyQuotes extends catalogued({
  code: 'TOO_MANY_QUOTES',
  kind: 'rate_limited',
  meaning: 'As many quotes as may be are given and not used.',
  remedy: 'Use those that you have, withdraw without one, or ask again after `Retry-After`.',
}) {}

/**
 * The commitment is pinned to the swap of another note, for ever. Nothing was sent, nothing pinned.
 * The caller makes another note.
 */
export class CommitmentInProgress extends catalogued({
  code: 'COMMITMENT_IN_PROGRESS',
  kind: 'conflict',
  meaning: 'The private swap of another note was pinned to this new commitment.',
  remedy:
    'Make a new note and send its commitment, with the same proof: nothing has shown that yet, and nothing is pinned for its note.',
}) {}

/**
 * Every swap of this note is bound to the commitment and token of the first:
 * `details.newCommitment`, `details.outputToken`. Nothing was sent. The caller repeats that swap,
 * or withdraws the note with another proof.
 */
export class SwapPinned extends catalogued({
  code: 'SWAP_PINNED',
  kind: 'conflict',
  meaning:
    'The note was pinned to another new commitment or output token when its swap was first tried, and stays so.',
  remedy:
    'Repeat the swap with the pinned commitment and token. If these are not yours, or you want them no more, withdraw the note plainly, with a new proof that names a recipient of yours.',
}) {}

/**
 * Not all swaps that were shown once are pinned again: after an update, or where the store was
 * lost. Nothing was sent. The caller tries again soon.
 */
export class SwapPinsIncomplete extends catalogued({
  code: 'SWAP_PINS_INCOMPLETE',
  kind: 'unavailable',
  meaning:
    'The relayer still reads which notes are pinned to a swap, and swaps nothing before it knows.',
  remedy:
    'Try again after `Retry-After` with the same proof; the note is untouched, and withdrawals are taken meanwhile.',
}) {}

/**
 * At the best price now a pinned swap brings `details.offered`, less than `details.floor` (output
 * token's smallest unit). Nothing was sent.
 */
export class SwapBelowFloor extends catalogued({
  code: 'SWAP_BELOW_FLOOR',
  kind: 'unprocessable',
  meaning:
    'The swap would bring less than the floor that its note was pinned to when its swap was first tried.',
  remedy:
    'Try again when the price is better, with any slippage, or withdraw the note plainly, with a new proof.',
}) {}

/** Thrown by the proof layout's reader, which does not know this catalogue. */
const PROOF_LAYOUT_INVALID: ErrorEntry = {
  code: 'PROOF_LAYOUT_INVALID',
  kind: 'invalid',
  meaning: 'The calldata is not laid out as a Groth16 withdrawal proof.',
  remedy:
    'Send the output of the proof calldata generator as it is; `details.index` says where it breaks the layout.',
};

/**
 * Every error that the use cases of this package throw of their own; those of ports (node, store)
 * come with their adapters.
 */
export const relayerErrors: readonly ErrorEntry[] = [
  PoolNotSupported,
  PoolWithoutDenomination,
  PoolNotSwappable,
  LeafIndexRequired,
  LeafIndexNotApplicable,
  LeafIndexMismatch,
  LeafUnknown,
  PROOF_LAYOUT_INVALID,
  PublicInputOutOfRange,
  RelayerMismatch,
  RecipientInvalid,
  WithdrawalUnprofitable,
  FeeTooLow,
  FeeAbovePoolMaximum,
  BatchOutOfBounds,
  RootUnknown,
  NullifierSpent,
  WithdrawalInProgress,
  ProofInvalid,
  SimulationReverted,
  PriceUnavailable,
  SubmissionRefused,
  SubmissionExpired,
  SubmissionNotFound,
  WithdrawalNotFound,
  QuoteUnknown,
  QuoteExpired,
  QuoteUsed,
  QuoteMismatch,
  TooManyQuotes,
  BatchCountInvalid,
  BatchTooLarge,
  BatchTooYoung,
  PartialBatchReserved,
  DeploymentInProgress,
  RecipientNotSwapPool,
  OutputTokenNotSupported,
  SlippageOutOfRange,
  CommitmentInvalid,
  CommitmentExists,
  NoQuotesAvailable,
  QuoteExpiredAtAggregator,
  SlippageTooTight,
  PriceImpactTooHigh,
  MinimumNotMet,
  SwapBuildRejected,
  SwapRouteTooLong,
  PoolPaused,
  BudgetExhausted,
  CallerBudgetExhausted,
  NoteSwapsSuspended,
  Overloaded,
  CommitmentInProgress,
  ...depositErrors,
  SwapPinned,
  SwapPinsIncomplete,
  SwapBelowFloor,
].map(({ code, kind, meaning, remedy }) => ({ code, kind, meaning, remedy }));
