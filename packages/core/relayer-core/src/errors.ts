import { domainError } from '@sotto/kernel';

/**
 * Error for an address that is not a pool of the profile; the service read nothing from the
 * address. The caller chooses a pool from the relayer's list.
 */
export class PoolNotSupported extends domainError('POOL_NOT_SUPPORTED') {}

/**
 * Error for a request that needs a denomination. The notes of this pool are outputs of swaps with
 * different amounts, so the pool has none. The caller requests the list of pools.
 */
export class PoolWithoutDenomination extends domainError('POOL_WITHOUT_DENOMINATION') {}

/**
 * Error for a swap from a pool that supports only withdrawals. `details.allowed` lists the pools
 * that support swaps. The caller swaps a note of one of these pools.
 */
export class PoolNotSwappable extends domainError('POOL_NOT_SWAPPABLE') {}

/**
 * Error for a request without a leaf index. The cost of a swap pool's note depends on its leaf. The
 * caller adds the leaf index.
 */
export class LeafIndexRequired extends domainError('LEAF_INDEX_REQUIRED') {}

/**
 * Error for a leaf index in a pool whose notes all have the same value, where a leaf index has no
 * meaning. The caller omits the leaf index.
 */
export class LeafIndexNotApplicable extends domainError('LEAF_INDEX_NOT_APPLICABLE') {}

/**
 * Error for a proof that spends another leaf than the request's leaf index. The caller omits the
 * leaf index, or creates a new proof.
 */
export class LeafIndexMismatch extends domainError('LEAF_INDEX_MISMATCH') {}

/**
 * Error for a leaf that no swap at ACCEPTED_ON_L2 has filled. The caller waits for its swap, or
 * uses the leaf from the swap's response.
 */
export class LeafUnknown extends domainError('LEAF_UNKNOWN') {}

/**
 * Error for a proof that has not exactly seven public inputs, or has an input out of range.
 * `details.input` is the first such input. The caller creates a new proof.
 */
export class PublicInputOutOfRange extends domainError('PUBLIC_INPUT_OUT_OF_RANGE') {}

/**
 * Error for a proof that would pay the fee to a wrong account. `details.expected` is the address
 * that the proof must contain as its relayer. The caller creates a new proof.
 */
export class RelayerMismatch extends domainError('RELAYER_MISMATCH') {}

/**
 * Error for a payout that would be burnt, or locked in a contract that can't return it.
 * `details.reason` is `zero`, `too_small` or `contract`. The caller creates a new proof with
 * another recipient.
 */
export class RecipientInvalid extends domainError('RECIPIENT_INVALID') {}

/**
 * Error if the pool's maximum fee does not cover the cost of the transaction: `details.cost`
 * exceeds `details.maximum`, both in the fee token's smallest unit. The caller waits.
 */
export class WithdrawalUnprofitable extends domainError('WITHDRAWAL_UNPROFITABLE') {}

/**
 * Error for a fee that is too low: `details.offered` is below `details.required` (the current cost,
 * or the quote), both in the fee token's smallest unit. The caller creates a new proof.
 */
export class FeeTooLow extends domainError('FEE_TOO_LOW') {}

/**
 * Error for a request for STRK that this service does not give. The amount is above
 * `details.maximum`, in fri, or the request is a private swap. A maximum of 0 means that the
 * service gives none. The caller requests less, or withdraws without it.
 */
export class RecipientGasNotOffered extends domainError('RECIPIENT_GAS_NOT_OFFERED') {}

/**
 * Error for a request for STRK that the service cannot give now. The caller's network or all
 * callers have used up the hour's withdrawals with STRK, or the account is short of STRK. No
 * transaction was sent. The caller retries later, or withdraws without it.
 */
export class RecipientGasUnavailable extends domainError('RECIPIENT_GAS_UNAVAILABLE') {}

/**
 * Error for a fee above the pool's maximum: `details.offered` is above `details.maximum`, both in
 * the fee token's smallest unit. The contract would revert. The caller creates a new proof.
 */
export class FeeAbovePoolMaximum extends domainError('FEE_ABOVE_POOL_MAXIMUM') {}

/**
 * Error for a proof whose batch contains no leaf or extends beyond the deployed deposits. The
 * caller waits for the deployment, or creates a new proof with the deposit's batch.
 */
export class BatchOutOfBounds extends domainError('BATCH_OUT_OF_BOUNDS') {}

/**
 * Error for a root that is not among the recent roots that the pool stores. The caller creates a
 * new proof for the current tree.
 */
export class RootUnknown extends domainError('ROOT_UNKNOWN') {}

/**
 * Error for a note that was already spent by a transaction that does not belong to this request.
 * `details.transactionHash` is the spending transaction, if it was found. The caller can't withdraw
 * the note again.
 */
export class NullifierSpent extends domainError('NULLIFIER_SPENT') {}

/**
 * Error while another request for this note with different terms (recipient, relayer or fee) is in
 * flight. A caller with a valid proof gets `details.submissionId`. The caller waits for the outcome
 * of this submission.
 */
export class WithdrawalInProgress extends domainError('WITHDRAWAL_IN_PROGRESS') {}

/** Error for a proof whose pairing check failed. The caller creates a new proof. */
export class ProofInvalid extends domainError('PROOF_INVALID') {}

/**
 * Error for a transaction that the node rejected permanently; `details.refusal` is the node's code.
 * No transaction is on chain. The caller may retry.
 */
export class SubmissionRefused extends domainError('SUBMISSION_REFUSED') {}

/**
 * Error for a transaction that was not included in time and can't be included any more.
 * `details.refusal` is `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` if no account of the service could
 * sign the call while it waited. The caller may retry.
 */
export class SubmissionExpired extends domainError('SUBMISSION_EXPIRED') {}

/** Error for a submission id that does not exist. The caller checks the link. */
export class SubmissionNotFound extends domainError('SUBMISSION_NOT_FOUND') {}

/**
 * Error for a note for which this service has no submission, neither with these terms nor with
 * different ones. The caller may send the proof.
 */
export class WithdrawalNotFound extends domainError('WITHDRAWAL_NOT_FOUND') {}

/**
 * Error for a quote id that this relayer has not issued, or whose quote expired long ago. The
 * caller requests a quote, or withdraws without a quote.
 */
export class QuoteUnknown extends domainError('QUOTE_UNKNOWN') {}

/**
 * Error for a quote that has expired. The caller withdraws without the quote, if the fee still
 * covers the cost, or requests another quote.
 */
export class QuoteExpired extends domainError('QUOTE_EXPIRED') {}

/**
 * Error for a simulated cost above twice the cost that quotes assume: `details.cost` and
 * `details.assumed`, in fri at current gas prices. No transaction was sent and the quote is unused.
 * The caller waits for a cheaper route, or omits the quote.
 */
export class CostExceedsQuote extends domainError('COST_EXCEEDS_QUOTE') {}

/** Error for a quote that another withdrawal has used. The caller requests a new quote. */
export class QuoteUsed extends domainError('QUOTE_USED') {}

/**
 * Error for a quote that was issued for another pool, leaf, operation, chain or fee address. The
 * caller cites the matching quote.
 */
export class QuoteMismatch extends domainError('QUOTE_MISMATCH') {}

/**
 * Error for a count that no batch of this kind can have, in any state of the pool.
 * `details.allowed` lists the possible counts. The caller corrects the count.
 */
export class BatchCountInvalid extends domainError('BATCH_COUNT_INVALID') {}

/**
 * Error for a batch with more deposits than the number that waits (`details.undeployed`). No
 * transaction was sent. The caller waits, or requests fewer deposits.
 */
export class BatchTooLarge extends domainError('BATCH_TOO_LARGE') {}

/**
 * Error for a partial batch that is not allowed yet. Such a batch must contain all waiting deposits
 * (`details.waiting`), and the youngest deposit must have reached the minimum age. If no deposits
 * are added, it reaches this age at `details.readyAt`, in Unix seconds. No transaction was sent.
 * The caller waits until then and requests all deposits, or requests a full batch.
 */
export class BatchTooYoung extends domainError('BATCH_TOO_YOUNG') {}

/**
 * Error for a full batch that would leave fewer deposits than the smallest full batch needs. No
 * transaction was sent. The caller requests a count from `details.allowed`, or waits for more
 * deposits.
 */
export class BatchSplitsCrowd extends domainError('BATCH_SPLITS_CROWD') {}

/**
 * Error for a batch that only an operator may deploy: a single deposit or, if the service is
 * configured so, any partial batch. No transaction was sent. The caller waits for a full batch.
 */
export class PartialBatchReserved extends domainError('PARTIAL_BATCH_RESERVED') {}

/**
 * Error if the pool has another deployment in flight that did not reach ACCEPTED_ON_L2 while the
 * caller waited. No transaction was sent. The caller retries later.
 */
export class DeploymentInProgress extends domainError('DEPLOYMENT_IN_PROGRESS') {}

/**
 * Error for a private swap whose payout would not go to the swap pool. `details.expected` is the
 * recipient that the proof must contain. The caller creates a new proof.
 */
export class RecipientNotSwapPool extends domainError('RECIPIENT_NOT_SWAP_POOL') {}

/**
 * Error for a slippage tolerance below `details.minimum` or above `details.maximum`, both as
 * fractions. The caller corrects the tolerance.
 */
export class SlippageOutOfRange extends domainError('SLIPPAGE_OUT_OF_RANGE') {}

/**
 * Error for a commitment that is 0 or outside the circuit's field. A note with this commitment
 * could never be withdrawn. The caller creates a new note.
 */
export class CommitmentInvalid extends domainError('COMMITMENT_INVALID') {}

/**
 * Error for a commitment that the swap pool already has as a leaf. A second leaf could never be
 * spent. No transaction was sent. The caller creates another note.
 */
export class CommitmentExists extends domainError('COMMITMENT_EXISTS') {}

/**
 * Error while the pool accepts no new requests. `details.cause` is `operator`, `configuration`,
 * `reverts`, `losses` or `upstream`; `details.reason` is the operator's text. No transaction was
 * sent; the caller waits. Accepted submissions continue.
 */
export class PoolPaused extends domainError('POOL_PAUSED') {}

/**
 * Error if a budget of the last hour is used up. `details.scope` is `pool` or `all` for gas, or
 * `losses`. Losses come from deposits or, if the operator's settings close the pool in this case,
 * from reverts caused by users. No transaction was sent; the caller waits.
 */
export class BudgetExhausted extends domainError('BUDGET_EXHAUSTED') {}

/**
 * Error if requests of this caller have used up its hourly share of the pool's loss budget
 * (`details.cause: losses`). The cause `in_flight` means that the pool's loss budget is used up
 * while the caller has a request in flight. The cause `refusals` means that the network has refused
 * too many of its private actions. No transaction was sent. Only this caller has to wait.
 */
export class CallerBudgetExhausted extends domainError('CALLER_BUDGET_EXHAUSTED') {}

/**
 * Error for a note whose swaps have reverted too often within a day. No transaction was sent. The
 * caller withdraws the note, or waits.
 */
export class NoteSwapsSuspended extends domainError('NOTE_SWAPS_SUSPENDED') {}

/**
 * Error if the maximum number of unused quotes is reached, for this caller or for all callers. No
 * quote was issued.
 */
export class TooManyQuotes extends domainError('TOO_MANY_QUOTES') {}

/**
 * Error for a commitment that is permanently pinned to the swap of another note. No transaction was
 * sent and no pin was written. The caller creates another note.
 */
export class CommitmentInProgress extends domainError('COMMITMENT_IN_PROGRESS') {}

/**
 * Error for a swap whose terms differ from the note's pin. Every swap of this note is bound to the
 * commitment and output token of the first swap: `details.newCommitment`, `details.outputToken`. No
 * transaction was sent. The caller repeats the first swap, or withdraws the note with another
 * proof.
 */
export class SwapPinned extends domainError('SWAP_PINNED') {}

/**
 * Error while the pins of some swaps are still missing, after an update or the loss of the store.
 * No transaction was sent. The caller retries soon.
 */
export class SwapPinsIncomplete extends domainError('SWAP_PINS_INCOMPLETE') {}

/**
 * Error for a swap with stricter terms than the note's swap in flight. The swap in flight
 * (`details.submissionId`) has the minimum `details.minimum` and the tolerance `details.slippage`,
 * which were not changed. The caller waits for its outcome and retries if it fails.
 */
export class StricterThanInFlight extends domainError('STRICTER_THAN_IN_FLIGHT') {}
