import { domainError } from '@sotto/kernel';

/**
 * The address is not a pool of the profile; nothing was read from it. The caller picks a pool from
 * the relayer's list.
 */
export class PoolNotSupported extends domainError('POOL_NOT_SUPPORTED') {}

/**
 * The notes of this pool are outputs of swaps with different amounts, so there is no common
 * denomination. The caller requests the list of pools.
 */
export class PoolWithoutDenomination extends domainError('POOL_WITHOUT_DENOMINATION') {}

/**
 * The pool only supports withdrawals. `details.allowed` lists the pools that support swaps. The
 * caller swaps a note of one of these.
 */
export class PoolNotSwappable extends domainError('POOL_NOT_SWAPPABLE') {}

/** The cost of a swap pool's note depends on its leaf. The caller names the leaf. */
export class LeafIndexRequired extends domainError('LEAF_INDEX_REQUIRED') {}

/**
 * All notes of the pool have the same value, so a leaf index has no meaning. The caller omits it.
 */
export class LeafIndexNotApplicable extends domainError('LEAF_INDEX_NOT_APPLICABLE') {}

/**
 * The proof spends another leaf than the request names. The caller omits the leaf, or makes a new
 * proof.
 */
export class LeafIndexMismatch extends domainError('LEAF_INDEX_MISMATCH') {}

/**
 * No swap at ACCEPTED_ON_L2 has filled the leaf. The caller waits for its swap, or names the leaf
 * from the swap's answer.
 */
export class LeafUnknown extends domainError('LEAF_UNKNOWN') {}

/**
 * The proof has not exactly seven public inputs, or an input is out of range; `details.input` names
 * the first one. The caller makes a new proof.
 */
export class PublicInputOutOfRange extends domainError('PUBLIC_INPUT_OUT_OF_RANGE') {}

/**
 * Another account would earn the fee. `details.expected` is the address that the proof must name.
 * The caller makes a new proof.
 */
export class RelayerMismatch extends domainError('RELAYER_MISMATCH') {}

/**
 * The payout would be burnt, or locked in a contract that can't return it. The caller makes a new
 * proof with another recipient. `details.reason`: `zero`, `too_small` or `contract`.
 */
export class RecipientInvalid extends domainError('RECIPIENT_INVALID') {}

/**
 * The pool's maximum fee does not cover the transaction: `details.cost` exceeds `details.maximum`,
 * both in the fee token's smallest unit. The caller waits.
 */
export class WithdrawalUnprofitable extends domainError('WITHDRAWAL_UNPROFITABLE') {}

/**
 * `details.offered` is below `details.required` (the current cost, or the quote), both in the fee
 * token's smallest unit. The caller makes a new proof.
 */
export class FeeTooLow extends domainError('FEE_TOO_LOW') {}

/**
 * `details.offered` is above `details.maximum`, both in the fee token's smallest unit: the contract
 * would revert. The caller makes a new proof.
 */
export class FeeAbovePoolMaximum extends domainError('FEE_ABOVE_POOL_MAXIMUM') {}

/**
 * The batch is empty or extends beyond the deployed deposits. The caller waits for deployment, or
 * makes a new proof with the deposit's batch.
 */
export class BatchOutOfBounds extends domainError('BATCH_OUT_OF_BOUNDS') {}

/**
 * The root is not among the recent ones that the pool keeps. The caller makes a new proof on the
 * current tree.
 */
export class RootUnknown extends domainError('ROOT_UNKNOWN') {}

/**
 * The note was spent by a transaction of another request: `details.transactionHash`, if it was
 * found. The caller can't withdraw the note again.
 */
export class NullifierSpent extends domainError('NULLIFIER_SPENT') {}

/**
 * Another request for this note (different recipient, relayer or fee) is in flight. A caller with a
 * valid proof gets its `details.submissionId`. The caller waits for its outcome.
 */
export class WithdrawalInProgress extends domainError('WITHDRAWAL_IN_PROGRESS') {}

/** The pairing check failed. The caller makes a new proof. */
export class ProofInvalid extends domainError('PROOF_INVALID') {}

/**
 * The node rejected the transaction permanently; `details.refusal` is its code. No transaction is
 * on chain. The caller may retry.
 */
export class SubmissionRefused extends domainError('SUBMISSION_REFUSED') {}

/**
 * The transaction was not included in time and can't be any more. `details.refusal` is
 * `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` if no account of the service could sign the call while it
 * waited. The caller may retry.
 */
export class SubmissionExpired extends domainError('SUBMISSION_EXPIRED') {}

/** No submission has this id. The caller checks the link. */
export class SubmissionNotFound extends domainError('SUBMISSION_NOT_FOUND') {}

/** This service has no submission of the note, on any terms. The caller may send the proof. */
export class WithdrawalNotFound extends domainError('WITHDRAWAL_NOT_FOUND') {}

/**
 * The relayer has not issued a quote with this id, or it expired long ago. The caller requests a
 * quote, or withdraws without one.
 */
export class QuoteUnknown extends domainError('QUOTE_UNKNOWN') {}

/**
 * The quote has expired. The caller withdraws without it, if the fee still covers the cost, or
 * requests another.
 */
export class QuoteExpired extends domainError('QUOTE_EXPIRED') {}

/**
 * The simulated cost is more than twice the cost that quotes assume: `details.cost` and
 * `details.assumed`, in fri at current gas prices. No transaction was sent and the quote is unused.
 * The caller waits for a cheaper route, or omits the quote.
 */
export class CostExceedsQuote extends domainError('COST_EXCEEDS_QUOTE') {}

/** Another withdrawal has used the quote. The caller requests a new one. */
export class QuoteUsed extends domainError('QUOTE_USED') {}

/**
 * The quote was issued for another pool, leaf, operation, chain or fee address. The caller cites
 * the right one.
 */
export class QuoteMismatch extends domainError('QUOTE_MISMATCH') {}

/**
 * No batch of this kind can have this size, in any state of the pool. `details.allowed` lists the
 * possible sizes. The caller corrects the count.
 */
export class BatchCountInvalid extends domainError('BATCH_COUNT_INVALID') {}

/**
 * Fewer deposits wait (`details.undeployed`) than were requested. No transaction was sent. The
 * caller waits, or requests fewer.
 */
export class BatchTooLarge extends domainError('BATCH_TOO_LARGE') {}

/**
 * A partial batch must contain all waiting deposits (`details.waiting`), and only after the
 * youngest has aged. Without new deposits that is at `details.readyAt`, in seconds since the epoch.
 * No transaction was sent. The caller requests all of them then, or a full batch.
 */
export class BatchTooYoung extends domainError('BATCH_TOO_YOUNG') {}

/**
 * The full batch would leave fewer deposits than the smallest full batch needs. No transaction was
 * sent. The caller requests a count of `details.allowed`, or waits for more deposits.
 */
export class BatchSplitsCrowd extends domainError('BATCH_SPLITS_CROWD') {}

/**
 * Only an operator may deploy this batch: a single deposit, or any partial batch if the service is
 * configured so. No transaction was sent. The caller waits for a full batch.
 */
export class PartialBatchReserved extends domainError('PARTIAL_BATCH_RESERVED') {}

/**
 * Another deployment of the pool did not reach ACCEPTED_ON_L2 in time. No transaction was sent. The
 * caller retries later.
 */
export class DeploymentInProgress extends domainError('DEPLOYMENT_IN_PROGRESS') {}

/**
 * The payout would not go to the swap pool. `details.expected` is the recipient that the proof must
 * name. The caller makes a new proof.
 */
export class RecipientNotSwapPool extends domainError('RECIPIENT_NOT_SWAP_POOL') {}

/**
 * The slippage tolerance is below `details.minimum` or above `details.maximum`, both fractions. The
 * caller corrects it.
 */
export class SlippageOutOfRange extends domainError('SLIPPAGE_OUT_OF_RANGE') {}

/**
 * The commitment is 0 or outside the circuit's field: its note could never be withdrawn. The caller
 * makes a new note.
 */
export class CommitmentInvalid extends domainError('COMMITMENT_INVALID') {}

/**
 * The swap pool already has a leaf with this commitment; a second one could never be spent. No
 * transaction was sent. The caller makes another note.
 */
export class CommitmentExists extends domainError('COMMITMENT_EXISTS') {}

/**
 * The pool accepts no new requests. `details.cause` is `operator`, `configuration`, `reverts`,
 * `losses` or `upstream`; `details.reason` is the operator's text. No transaction was sent; the
 * caller waits. Accepted submissions continue.
 */
export class PoolPaused extends domainError('POOL_PAUSED') {}

/**
 * A budget of the last hour is used up. `details.scope` is `pool` or `all` for gas, or `losses` for
 * losses from deposits or, if the operator's settings close the pool then, from reverts caused by
 * users. No transaction was sent; the caller waits.
 */
export class BudgetExhausted extends domainError('BUDGET_EXHAUSTED') {}

/**
 * Requests of this caller have used up its hourly share of the pool's loss budget (`details.cause:
 * losses`). The cause `in_flight` means that the pool's loss budget is used up while the caller has
 * a request in flight. No transaction was sent. Only this caller has to wait.
 */
export class CallerBudgetExhausted extends domainError('CALLER_BUDGET_EXHAUSTED') {}

/**
 * Swaps of this note have reverted too often within a day. No transaction was sent. The caller
 * withdraws the note, or waits.
 */
export class NoteSwapsSuspended extends domainError('NOTE_SWAPS_SUSPENDED') {}

/**
 * The maximum number of unused quotes is reached, for this caller or for all. No quote was issued.
 */
export class TooManyQuotes extends domainError('TOO_MANY_QUOTES') {}

/**
 * The commitment is permanently pinned to the swap of another note. No transaction was sent and no
 * pin was written. The caller makes another note.
 */
export class CommitmentInProgress extends domainError('COMMITMENT_IN_PROGRESS') {}

/**
 * Every swap of this note is bound to the commitment and token of the first one:
 * `details.newCommitment`, `details.outputToken`. No transaction was sent. The caller repeats that
 * swap, or withdraws the note with another proof.
 */
export class SwapPinned extends domainError('SWAP_PINNED') {}

/**
 * Some earlier swaps are not pinned again yet, after an update or a lost store. No transaction was
 * sent. The caller retries soon.
 */
export class SwapPinsIncomplete extends domainError('SWAP_PINS_INCOMPLETE') {}

/**
 * A swap of the note is in flight with looser bounds than requested. Submission
 * `details.submissionId` has `details.minimum` and `details.slippage`. No bound was changed. The
 * caller follows that submission and retries if it fails.
 */
export class StricterThanInFlight extends domainError('STRICTER_THAN_IN_FLIGHT') {}
