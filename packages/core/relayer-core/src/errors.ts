import { domainError } from '@sotto/kernel';

/**
 * The address is not a pool of the profile; nothing was read from it. The caller picks a pool of
 * the relayer's list.
 */
export class PoolNotSupported extends domainError('POOL_NOT_SUPPORTED') {}

/**
 * A pool whose notes hold what a swap brought, each another amount: there is nothing that all of
 * them hold. The caller asks for the list of pools.
 */
export class PoolWithoutDenomination extends domainError('POOL_WITHOUT_DENOMINATION') {}

/**
 * The pool is served, but its notes are only withdrawn; `details.allowed` are the addresses that
 * allow it. The caller swaps a note of one of these.
 */
export class PoolNotSwappable extends domainError('POOL_NOT_SWAPPABLE') {}

/** What a note of the swap pool costs depends on its leaf. The caller names it. */
export class LeafIndexRequired extends domainError('LEAF_INDEX_REQUIRED') {}

/**
 * The notes of the pool are all worth the same: a leaf index says nothing there. The caller leaves
 * it out.
 */
export class LeafIndexNotApplicable extends domainError('LEAF_INDEX_NOT_APPLICABLE') {}

/**
 * The proof spends another leaf than the one that the request names. The caller leaves it out, or
 * proves again.
 */
export class LeafIndexMismatch extends domainError('LEAF_INDEX_MISMATCH') {}

/**
 * No swap has filled the leaf, at ACCEPTED_ON_L2. The caller waits for its swap, or names the leaf
 * that the swap's answer contains.
 */
export class LeafUnknown extends domainError('LEAF_UNKNOWN') {}

/**
 * Not seven public inputs, or one outside its range; `details.input` names the first of these. The
 * caller makes a new proof.
 */
export class PublicInputOutOfRange extends domainError('PUBLIC_INPUT_OUT_OF_RANGE') {}

/**
 * Another account would earn the fee; `details.expected` is the address that must stand in the
 * proof. The caller proves again.
 */
export class RelayerMismatch extends domainError('RELAYER_MISMATCH') {}

/**
 * The payout would be burnt, or stranded in a contract that can't give it back. The caller proves
 * again with a recipient.
 * `details.reason`: `zero`, `too_small` or `contract`.
 */
export class RecipientInvalid extends domainError('RECIPIENT_INVALID') {}

/**
 * No fee that the pool allows pays for the transaction: `details.cost` is above `details.maximum`
 * (fee token's smallest unit). The caller waits.
 */
export class WithdrawalUnprofitable extends domainError('WITHDRAWAL_UNPROFITABLE') {}

/**
 * `details.offered` is below `details.required` (the cost now, or the quote), both in the fee
 * token's smallest unit. The caller proves again.
 */
export class FeeTooLow extends domainError('FEE_TOO_LOW') {}

/**
 * `details.offered` is above `details.maximum`, both in the fee token's smallest unit: the contract
 * would revert. The caller proves again.
 */
export class FeeAbovePoolMaximum extends domainError('FEE_ABOVE_POOL_MAXIMUM') {}

/**
 * The batch is empty or reaches past the deployed deposits. The caller waits for deployment, or
 * proves again with the deposit's batch.
 */
export class BatchOutOfBounds extends domainError('BATCH_OUT_OF_BOUNDS') {}

/**
 * The root is not among the last ones that the pool keeps. The caller proves again on the present
 * tree.
 */
export class RootUnknown extends domainError('ROOT_UNKNOWN') {}

/**
 * The note is gone, in a transaction that is not this request's: `details.transactionHash` where it
 * could be found. The caller can't withdraw it again.
 */
export class NullifierSpent extends domainError('NULLIFIER_SPENT') {}

/**
 * Another request (other recipient, relayer or fee) for the same note is on its way:
 * `details.submissionId`, only for a caller whose proof holds. The caller waits for how it ends.
 */
export class WithdrawalInProgress extends domainError('WITHDRAWAL_IN_PROGRESS') {}

/** The pairing does not hold. The caller proves again. */
export class ProofInvalid extends domainError('PROOF_INVALID') {}

/**
 * The node refused the transaction for good; `details.refusal` is its code. Nothing is on chain:
 * the caller may try again.
 */
export class SubmissionRefused extends domainError('SUBMISSION_REFUSED') {}

/**
 * It did not get on chain in time and can't any more; `details.refusal` is the code:
 * `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` where no account of the service could sign for the call
 * while it waited. The caller may try again.
 */
export class SubmissionExpired extends domainError('SUBMISSION_EXPIRED') {}

/** No submission has this id. The caller checks the link that it was given. */
export class SubmissionNotFound extends domainError('SUBMISSION_NOT_FOUND') {}

/**
 * This service holds no submission of the note, on whatever terms. The caller may send the proof.
 */
export class WithdrawalNotFound extends domainError('WITHDRAWAL_NOT_FOUND') {}

/**
 * The relayer gave no quote of this name, or it is long over. The caller asks for a quote, or
 * withdraws without one.
 */
export class QuoteUnknown extends domainError('QUOTE_UNKNOWN') {}

/**
 * The quote's time is over. The caller withdraws without it, if the fee still covers the cost, or
 * asks for another.
 */
export class QuoteExpired extends domainError('QUOTE_EXPIRED') {}

/**
 * The simulation costs more than twice what quotes assume: `details.cost` and `details.assumed`, in
 * fri at the gas prices of now. Nothing was sent and the quote is unused. The caller waits for a
 * cheaper route, or goes without a quote.
 */
export class CostExceedsQuote extends domainError('COST_EXCEEDS_QUOTE') {}

/** Another withdrawal has used the quote. The caller asks for one of its own. */
export class QuoteUsed extends domainError('QUOTE_USED') {}

/**
 * The quote was given for another pool, leaf, operation, chain or fee address. The caller cites the
 * right one.
 */
export class QuoteMismatch extends domainError('QUOTE_MISMATCH') {}

/**
 * No batch of the kind has this size, whatever the pool holds; `details.allowed` says which it has.
 * The caller corrects the count.
 */
export class BatchCountInvalid extends domainError('BATCH_COUNT_INVALID') {}

/**
 * Fewer deposits wait than shall be deployed: `details.undeployed`. Nothing was sent. The caller
 * waits, or asks for fewer.
 */
export class BatchTooLarge extends domainError('BATCH_TOO_LARGE') {}

/**
 * Of the deposits that wait (`details.waiting`) all have to go together, once the youngest has
 * waited long enough: at `details.readyAt`, seconds since the epoch, if no deposit comes before.
 * Nothing was sent. The caller asks for all of them then, or for a full batch.
 */
export class BatchTooYoung extends domainError('BATCH_TOO_YOUNG') {}

/**
 * The full batch would leave fewer deposits than the smallest full batch has. Nothing was sent. The
 * caller requests a count of `details.allowed`, or waits for more deposits.
 */
export class BatchSplitsCrowd extends domainError('BATCH_SPLITS_CROWD') {}

/**
 * Only an operator may have this batch: a deposit alone, or any partial batch where the service
 * says so. Nothing was sent. The caller waits for a full batch.
 */
export class PartialBatchReserved extends domainError('PARTIAL_BATCH_RESERVED') {}

/**
 * Another deployment of the pool was not on chain for good in time. Nothing was sent. The caller
 * tries later.
 */
export class DeploymentInProgress extends domainError('DEPLOYMENT_IN_PROGRESS') {}

/**
 * The payout would not reach the swap pool; `details.expected` is the address that must stand in
 * the proof. The caller proves again.
 */
export class RecipientNotSwapPool extends domainError('RECIPIENT_NOT_SWAP_POOL') {}

/**
 * The tolerance is below `details.minimum` or above `details.maximum`, both fractions. The caller
 * corrects it.
 */
export class SlippageOutOfRange extends domainError('SLIPPAGE_OUT_OF_RANGE') {}

/**
 * The commitment is 0 or no element of the circuit's field: what is committed to it could never be
 * withdrawn. The caller makes a note.
 */
export class CommitmentInvalid extends domainError('COMMITMENT_INVALID') {}

/**
 * The swap pool has a leaf with this commitment: another would be lost to its owner. Nothing was
 * sent. The caller makes another note.
 */
export class CommitmentExists extends domainError('COMMITMENT_EXISTS') {}

/**
 * Nothing begins in the pool now: `details.cause` is `operator`, `configuration`, `reverts`,
 * `losses` or `upstream`, and `details.reason` the operator's words. Nothing was sent; the caller
 * waits. What was accepted before goes on.
 */
export class PoolPaused extends domainError('POOL_PAUSED') {}

/**
 * The gas of this hour is spent, for the pool or in all (`details.scope`: `pool`, `all`), or
 * reverts have cost as much as they may (`losses`): those of deposits, or those that users brought
 * about where the operator has the pool closed then. Nothing was sent; the caller waits.
 */
export class BudgetExhausted extends domainError('BUDGET_EXHAUSTED') {}

/**
 * What this caller asked for has cost the pool as much as one caller's requests may within an hour
 * (`details.cause: losses`), or is still on its way while the pool loses more than it may
 * (`in_flight`). Nothing was sent; the caller waits, others need not.
 */
export class CallerBudgetExhausted extends domainError('CALLER_BUDGET_EXHAUSTED') {}

/**
 * Swaps of this note have reverted too often within a day. Nothing was sent. The caller withdraws
 * the note, or waits.
 */
export class NoteSwapsSuspended extends domainError('NOTE_SWAPS_SUSPENDED') {}

/**
 * As many quotes as may stand in the book, of this caller or of all, wait to be cited. Nothing was
 * promised.
 */
export class TooManyQuotes extends domainError('TOO_MANY_QUOTES') {}

/**
 * The commitment is pinned to the swap of another note, for ever. Nothing was sent, nothing pinned.
 * The caller makes another note.
 */
export class CommitmentInProgress extends domainError('COMMITMENT_IN_PROGRESS') {}

/**
 * Every swap of this note is bound to the commitment and token of the first:
 * `details.newCommitment`, `details.outputToken`. Nothing was sent. The caller repeats that swap,
 * or withdraws the note with another proof.
 */
export class SwapPinned extends domainError('SWAP_PINNED') {}

/**
 * Not all swaps that were shown once are pinned again: after an update, or where the store was
 * lost. Nothing was sent. The caller tries again soon.
 */
export class SwapPinsIncomplete extends domainError('SWAP_PINS_INCOMPLETE') {}

/**
 * A swap of the note is in flight with looser bounds than the request names: `details.minimum` and
 * `details.slippage` are in force, for `details.submissionId`. Nothing was changed. The caller
 * follows that submission, and asks again if it ends without success.
 */
export class StricterThanInFlight extends domainError('STRICTER_THAN_IN_FLIGHT') {}
