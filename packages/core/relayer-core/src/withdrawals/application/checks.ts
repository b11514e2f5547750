import {
  QueueFull,
  asksForSame,
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
import type { QuotedOperation } from '../../fees/domain/fee-quote.js';
import { citationRefusal } from '../../fees/domain/quote-citation.js';
import { costExceedsQuote } from '../../fees/domain/quote-ceiling.js';
import { unprofitable } from '../../fees/domain/unprofitable.js';
import { leafIndexOf } from './admission-facts.js';
import { check, type Check } from './check.js';

/** What differs between the admission checks of withdrawals and of private swaps. */
export interface CheckTerms {
  readonly chainId: Felt;
  /** Earns the fees: it must stand in the proof. */
  readonly feeAddress: Felt;
  /** What the proof is for: a quote serves nothing else. @default withdraw */
  readonly operation?: QuotedOperation;
  /** What else is asked of the pool. @default nothing */
  readonly pool?: Check;
  /** Accepts the recipient. @default one that can spend what it is paid, as far as is known */
  readonly recipient?: Check;
  /** Contracts that can't give back what they are paid: pools, tokens. @default none */
  readonly notRecipients?: readonly Felt[];
  /**
   * What is judged once the pairing holds.
   * @default the simulation of the withdrawal, which shows the proof to the node
   */
  readonly afterPairing?: Check;
}

function recipientIsPayable(notRecipients: readonly Felt[]): Check {
  const contracts = new Set(notRecipients);
  return check('recipient', RecipientInvalid.code, ['request'], ({ request }) => {
    const reason = unspendableReason(request.statement.recipient, contracts);
    return reason === null ? null : new RecipientInvalid({ details: { reason } });
  });
}

/**
 * The checks of a withdrawal, cheapest first. The caller gets the code of the first one that fails,
 * in this order, however early or late its facts were known. A quote takes the place of the price:
 * the promise is kept whatever prices do, as long as the gas stays near what the quote assumed.
 */
export function withdrawalChecks({
  chainId,
  feeAddress,
  notRecipients = [],
  operation = 'withdraw',
  pool,
  recipient,
  afterPairing,
}: CheckTerms): readonly Check[] {
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
      citationRefusal(citation, {
        chainId,
        pool: request.pool.address,
        relayer: feeAddress,
        operation,
        leafIndex: leafIndexOf(request),
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
        const required = citation.kind === 'quote' ? citation.quote.feeAmount : cost.feeToken;
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
      last === null || asksForSame(last, request.asked) ? null : conflictWith(last, 'anybody'),
    ),
    check('pairing', ProofInvalid.code, ['pairingHolds'], ({ pairingHolds }) =>
      pairingHolds ? null : new ProofInvalid(),
    ),
    afterPairing ?? WOULD_NOT_REVERT,
  ];
}

const WOULD_NOT_REVERT = check(
  'simulation',
  SimulationReverted.code,
  ['simulation'],
  ({ simulation }) => (simulation.ok ? null : simulationReverted(simulation.reason)),
);

/**
 * The refusal of a fee below what is required, both in the fee token's smallest unit; null of any
 * other.
 */
export function feeTooLow(offered: bigint, required: bigint): FeeTooLow | null {
  return offered >= required
    ? null
    : new FeeTooLow({ details: { offered: String(offered), required: String(required) } });
}

/** When the attempt that holds a note is worth another look. */
const HOLDER_RETRY_AFTER_SECONDS = 5;

/**
 * The refusal of a request whose note is claimed by an attempt with other terms; null when that
 * attempt has ended without success.
 * @param to the attempt is named only to a caller whose proof of the note holds
 */
export function conflictWith(holder: Attempt, to: 'anybody' | 'prover'): DomainError | null {
  if (isLive(holder.state)) {
    const named = to === 'prover' ? { details: { submissionId: holder.id } } : {};
    return new WithdrawalInProgress({ ...named, retryAfterSeconds: HOLDER_RETRY_AFTER_SECONDS });
  }
  return holder.state === 'succeeded' ? noteSpent(holder.transactionHash) : null;
}

/** @param by the transaction, where it is known */
function noteSpent(by: Felt | null = null): NullifierSpent {
  return new NullifierSpent(by === null ? {} : { details: { transactionHash: by } });
}
