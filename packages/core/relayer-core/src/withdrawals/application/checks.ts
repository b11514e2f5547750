import {
  QueueFull,
  requestsSame,
  isLive,
  SimulationReverted,
  simulationReverted,
  type Attempt,
} from '@sotto/submission-core';
import { unspendableReason, type DomainError, type Felt } from '@sotto/kernel';
import {
  BatchOutOfBounds,
  BudgetExhausted,
  FeeAbovePoolMaximum,
  FeeTooLow,
  NullifierSpent,
  PoolNotSupported,
  PoolPaused,
  ProofInvalid,
  PublicInputOutOfRange,
  QuoteUnknown,
  RecipientInvalid,
  RelayerMismatch,
  RootUnknown,
  WithdrawalInProgress,
  WithdrawalUnprofitable,
} from '../../errors.js';
import type { FeeQuote, QuotedOperation } from '../../fees/domain/fee-quote.js';
import { citationRejection } from '../../fees/domain/quote-citation.js';
import { costExceedsQuote } from '../../fees/domain/quote-ceiling.js';
import { unprofitable } from '../../fees/domain/unprofitable.js';
import {
  check,
  leafIndexOf,
  type WithdrawalCheck,
  type WithdrawalCost,
} from './admission-facts.js';

/** Settings of the admission checks that differ between withdrawals and private swaps. */
export interface CheckTerms {
  readonly chainId: Felt;
  /** Address that earns the fees. The proof must contain this address as its relayer. */
  readonly feeAddress: Felt;
  /**
   * Operation for which the proof is used. A cited quote must be for this operation. @default
   * withdraw
   */
  readonly operation?: QuotedOperation;
  /** Additional check of the pool. @default none */
  readonly pool?: WithdrawalCheck;
  /**
   * Check of the recipient. @default rejects only recipients that are known to be unable to spend
   */
  readonly recipient?: WithdrawalCheck;
  /**
   * Contracts from which a payout could not be recovered, for example pools and tokens. Withdrawals
   * to these contracts are rejected. @default none
   */
  readonly notRecipients?: readonly Felt[];
  /**
   * Check that runs after the pairing check has passed.
   * @default the simulation of the withdrawal, which shows the proof to the node
   */
  readonly afterPairing?: WithdrawalCheck;
}

function recipientIsPayable(notRecipients: readonly Felt[]): WithdrawalCheck {
  const contracts = new Set(notRecipients);
  return check('recipient', RecipientInvalid.code, ['request'], ({ request }) => {
    const reason = unspendableReason(request.statement.recipient, contracts);
    return reason === null ? null : new RecipientInvalid({ details: { reason } });
  });
}

/**
 * Returns the checks of a withdrawal, cheapest first. The caller gets the code of the first failed
 * check in this order, even if the facts of a later check were read earlier. A cited quote replaces
 * the price check: the service accepts the quoted fee at any gas price. Only the amount of gas must
 * be close to the amount that the quote assumed, and the fee must cover the present price of STRK
 * for the recipient.
 */
export function withdrawalChecks({
  chainId,
  feeAddress,
  notRecipients = [],
  operation = 'withdraw',
  pool,
  recipient,
  afterPairing,
}: CheckTerms): readonly WithdrawalCheck[] {
  return [
    check('pool_served', PoolNotSupported.code, ['pool']),
    ...(pool === undefined ? [] : [pool]),
    check('proof_layout', 'PROOF_LAYOUT_INVALID', ['proof']),
    check('public_inputs', PublicInputOutOfRange.code, ['request']),
    check('relayer', RelayerMismatch.code, ['request'], ({ request }) =>
      request.statement.relayer === feeAddress
        ? null
        : new RelayerMismatch({ details: { expected: feeAddress } }),
    ),
    recipient ?? recipientIsPayable(notRecipients),
    check(
      'queue',
      QueueFull.code,
      ['queue', 'gate'],
      ({ queue, gate }) => queue ?? (gate instanceof QueueFull ? gate : null),
    ),
    check('pool_open', PoolPaused.code, ['gate'], ({ gate }) =>
      gate instanceof PoolPaused ? gate : null,
    ),
    check('budget', BudgetExhausted.code, ['gate'], ({ gate }) =>
      gate instanceof PoolPaused || gate instanceof QueueFull ? null : gate,
    ),
    check('quote', QuoteUnknown.code, ['request', 'citation'], ({ request, citation }) =>
      citationRejection(citation, {
        chainId,
        pool: request.pool.address,
        relayer: feeAddress,
        operation,
        leafIndex: leafIndexOf(request),
        recipientGasFri: request.recipientGasFri,
      }),
    ),
    check(
      'fee_payable',
      WithdrawalUnprofitable.code,
      ['citation', 'cost', 'chain'],
      ({ citation, cost, chain }) =>
        citation.kind === 'quote' ? null : unprofitable(cost.feeToken, chain.maxFee),
    ),
    check(
      'fee_covers_cost',
      FeeTooLow.code,
      ['request', 'citation', 'cost'],
      ({ request: { statement }, citation, cost }) => {
        const required =
          citation.kind === 'quote' ? quotedFee(citation.quote, cost) : cost.feeToken;
        return (
          feeTooLow(statement.fee, required) ??
          (citation.kind === 'quote' ? costExceedsQuote(cost) : null)
        );
      },
    ),
    check(
      'fee_within_maximum',
      FeeAbovePoolMaximum.code,
      ['request', 'chain'],
      ({ request: { statement }, chain }) =>
        statement.fee <= chain.maxFee
          ? null
          : new FeeAbovePoolMaximum({
              details: { offered: String(statement.fee), maximum: String(chain.maxFee) },
            }),
    ),
    check(
      'batch',
      BatchOutOfBounds.code,
      ['request', 'chain'],
      ({ request: { statement }, chain }) =>
        statement.batchSize >= 1 &&
        statement.batchStart + statement.batchSize <= chain.nextIndex - chain.undeployedCount
          ? null
          : new BatchOutOfBounds(),
    ),
    check('root_known', RootUnknown.code, ['chain'], ({ chain }) =>
      chain.rootKnown ? null : new RootUnknown(),
    ),
    check('nullifier_unspent', NullifierSpent.code, ['chain'], ({ chain }) =>
      chain.nullifierSpent ? noteSpent(chain.spentBy) : null,
    ),
    check('not_in_ledger', WithdrawalInProgress.code, ['request', 'last'], ({ request, last }) =>
      last === null || requestsSame(last, request.requested) ? null : conflictWith(last, 'anybody'),
    ),
    check('pairing', ProofInvalid.code, ['pairingHolds'], ({ pairingHolds }) =>
      pairingHolds ? null : new ProofInvalid(),
    ),
    afterPairing ?? WOULD_NOT_REVERT,
  ];
}

/**
 * Returns the minimum fee of a withdrawal that cites a quote. The quote remains binding when the
 * gas becomes dearer. But the recipient keeps the STRK, so a fee below its present price would sell
 * it below the market price.
 */
function quotedFee({ feeAmount }: Pick<FeeQuote, 'feeAmount'>, cost: WithdrawalCost): bigint {
  return feeAmount > cost.recipientGas ? feeAmount : cost.recipientGas;
}

const WOULD_NOT_REVERT = check(
  'simulation',
  SimulationReverted.code,
  ['simulation'],
  ({ simulation }) => (simulation.ok ? null : simulationReverted(simulation.reason)),
);

/**
 * Returns the error if the offered fee is below the required fee, both in the fee token's smallest
 * unit. Null otherwise.
 */
export function feeTooLow(offered: bigint, required: bigint): FeeTooLow | null {
  return offered >= required
    ? null
    : new FeeTooLow({ details: { offered: String(offered), required: String(required) } });
}

/**
 * Seconds after which a caller should repeat a request whose note is blocked by an attempt. The
 * attempt may have ended by then.
 */
const HOLDER_RETRY_AFTER_SECONDS = 5;

/**
 * Returns the error for a request whose note is blocked by `holder`, an attempt with other terms.
 * Null if that attempt has ended without success.
 * @param to `prover` if the caller has a valid proof of the note. Only a prover's error contains
 *   the id of the attempt
 */
export function conflictWith(holder: Attempt, to: 'anybody' | 'prover'): DomainError | null {
  if (isLive(holder.state)) {
    const named = to === 'prover' ? { details: { submissionId: holder.id } } : {};
    return new WithdrawalInProgress({ ...named, retryAfterSeconds: HOLDER_RETRY_AFTER_SECONDS });
  }
  return holder.state === 'succeeded' ? noteSpent(holder.transactionHash) : null;
}

/** @param by hash of the spending transaction, if known */
function noteSpent(by: Felt | null = null): NullifierSpent {
  return new NullifierSpent(by === null ? {} : { details: { transactionHash: by } });
}
