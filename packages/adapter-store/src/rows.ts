import type { FeeQuote } from '@sotto/relayer-core';
import type { Attempt, AttemptRef, ExecutionStatus, Lane, NonceRow, Terms, TransactionRow } from '@sotto/submission-core';
import type { Insertable, Selectable } from 'kysely';
import type { AttemptsTable, Decimal, LanesTable, NoncesTable, QuotesTable, TransactionsTable } from './schema.js';

/** Columns ↔ domain values, without I/O. */
export function toAttempt(row: Selectable<AttemptsTable>): Attempt {
  return {
    key: row.key,
    attempt: Number(row.attempt),
    id: row.id,
    state: row.state,
    fingerprint: row.fingerprint,
    role: row.role,
    target: { to: row.target_to, entrypoint: row.target_entrypoint },
    limits: {
      l2Gas: BigInt(row.limit_l2_gas),
      l1Gas: BigInt(row.limit_l1_gas),
      l1DataGas: BigInt(row.limit_l1_data_gas),
      priceMultiplier: BigInt(row.price_multiplier),
    },
    terms: toTerms(row),
    lane: row.lane,
    nonce: row.nonce,
    readmit: row.readmit === 1n,
    acceptedAtMs: Number(row.accepted_at_ms),
    deadlineMs: Number(row.deadline_ms),
    endedAtMs: numberOrNull(row.ended_at_ms),
    refusalCode: row.refusal_code,
    transactionHash: row.transaction_hash,
    revertReason: row.revert_reason,
    gasPaidFri: amountOrNull(row.gas_paid_fri),
  };
}

export function fromAttempt(attempt: Attempt): Insertable<AttemptsTable> {
  const { limits, terms } = attempt;
  return {
    key: attempt.key,
    attempt: BigInt(attempt.attempt),
    id: attempt.id,
    state: attempt.state,
    fingerprint: attempt.fingerprint,
    role: attempt.role,
    target_to: attempt.target.to,
    target_entrypoint: attempt.target.entrypoint,
    limit_l2_gas: limits.l2Gas.toString(),
    limit_l1_gas: limits.l1Gas.toString(),
    limit_l1_data_gas: limits.l1DataGas.toString(),
    price_multiplier: limits.priceMultiplier.toString(),
    fee_amount: decimalOrNull(terms?.feeAmount),
    fee_token: terms?.feeToken ?? null,
    cost_fri: decimalOrNull(terms?.costFri),
    strk_usd_e8: decimalOrNull(terms?.strkUsdE8),
    fee_token_usd_e8: decimalOrNull(terms?.feeTokenUsdE8),
    lane: attempt.lane,
    nonce: attempt.nonce,
    readmit: flag(attempt.readmit),
    accepted_at_ms: BigInt(attempt.acceptedAtMs),
    deadline_ms: BigInt(attempt.deadlineMs),
    ended_at_ms: bigintOrNull(attempt.endedAtMs),
    refusal_code: attempt.refusalCode,
    transaction_hash: attempt.transactionHash,
    revert_reason: attempt.revertReason,
    gas_paid_fri: decimalOrNull(attempt.gasPaidFri),
  };
}

export function toNonce(row: Selectable<NoncesTable>): NonceRow {
  return {
    lane: row.lane,
    nonce: row.nonce,
    state: row.state,
    owner: refOrNull(row.owner_key, row.owner_attempt),
    settledBy: row.settled_by,
    gasPaidFri: amountOrNull(row.gas_paid_fri),
  };
}

export function fromNonce({ lane, nonce, state, owner, settledBy, gasPaidFri }: NonceRow): Insertable<NoncesTable> {
  return {
    lane,
    nonce,
    state,
    owner_key: owner?.key ?? null,
    owner_attempt: bigintOrNull(owner?.attempt ?? null),
    settled_by: settledBy,
    gas_paid_fri: decimalOrNull(gasPaidFri),
  };
}

export function toTransaction(row: Selectable<TransactionsTable>): TransactionRow {
  return {
    hash: row.hash,
    lane: row.lane,
    nonce: row.nonce,
    kind: row.kind,
    attempt: refOrNull(row.attempt_key, row.attempt_number),
    priceStep: Number(row.price_step),
    bounds: {
      l2Gas: { maxAmount: BigInt(row.l2_max_amount), maxPriceFri: BigInt(row.l2_max_price_fri) },
      l1Gas: { maxAmount: BigInt(row.l1_max_amount), maxPriceFri: BigInt(row.l1_max_price_fri) },
      l1DataGas: { maxAmount: BigInt(row.l1_data_max_amount), maxPriceFri: BigInt(row.l1_data_max_price_fri) },
      tipFri: BigInt(row.tip_fri),
    },
    claims: claims(row.claims),
    claimFence: row.claim_fence,
    claimedAtMs: numberOrNull(row.claimed_at_ms),
    dead: row.dead === 1n,
    refusalCode: row.refusal_code,
    seen: seen(row.seen_execution, row.seen_revert_reason),
  };
}

export function fromTransaction(transaction: TransactionRow): Insertable<TransactionsTable> {
  const { attempt, bounds } = transaction;
  return {
    hash: transaction.hash,
    lane: transaction.lane,
    nonce: transaction.nonce,
    kind: transaction.kind,
    attempt_key: attempt?.key ?? null,
    attempt_number: bigintOrNull(attempt?.attempt ?? null),
    price_step: BigInt(transaction.priceStep),
    l2_max_amount: bounds.l2Gas.maxAmount.toString(),
    l2_max_price_fri: bounds.l2Gas.maxPriceFri.toString(),
    l1_max_amount: bounds.l1Gas.maxAmount.toString(),
    l1_max_price_fri: bounds.l1Gas.maxPriceFri.toString(),
    l1_data_max_amount: bounds.l1DataGas.maxAmount.toString(),
    l1_data_max_price_fri: bounds.l1DataGas.maxPriceFri.toString(),
    tip_fri: bounds.tipFri.toString(),
    claims: BigInt(transaction.claims),
    claim_fence: transaction.claimFence,
    claimed_at_ms: bigintOrNull(transaction.claimedAtMs),
    dead: flag(transaction.dead),
    refusal_code: transaction.refusalCode,
    seen_execution: transaction.seen?.execution ?? null,
    seen_revert_reason: transaction.seen?.revertReason ?? null,
  };
}

export function toLane({ address, role, leased_to, fence }: Omit<Selectable<LanesTable>, 'lease_until_ms'>): Lane {
  return { address, role, leasedTo: leased_to, fence };
}

export function toFeeQuote(row: Selectable<QuotesTable>): FeeQuote {
  return {
    id: row.id,
    chainId: row.chain_id,
    pool: row.pool,
    relayer: row.relayer,
    feeAmount: BigInt(row.fee_amount),
    expiresAtMs: Number(row.expires_at_ms),
  };
}

export function fromFeeQuote({
  id,
  chainId,
  pool,
  relayer,
  feeAmount,
  expiresAtMs,
}: FeeQuote): Omit<Insertable<QuotesTable>, 'served_key'> {
  return { id, chain_id: chainId, pool, relayer, fee_amount: feeAmount.toString(), expires_at_ms: BigInt(expiresAtMs) };
}

/** True when `row` is the attempt that `ref` names. */
export function isAttempt(row: Attempt | null, ref: AttemptRef): boolean {
  return row !== null && row.key === ref.key && row.attempt === ref.attempt;
}

export function toTerms(
  row: Pick<Selectable<AttemptsTable>, 'fee_amount' | 'fee_token' | 'cost_fri' | 'strk_usd_e8' | 'fee_token_usd_e8'>,
): Terms | null {
  const { fee_amount, fee_token, cost_fri, strk_usd_e8, fee_token_usd_e8 } = row;
  if (fee_amount === null || fee_token === null || cost_fri === null || strk_usd_e8 === null || fee_token_usd_e8 === null) return null;
  return {
    feeAmount: BigInt(fee_amount),
    feeToken: fee_token,
    costFri: BigInt(cost_fri),
    strkUsdE8: BigInt(strk_usd_e8),
    feeTokenUsdE8: BigInt(fee_token_usd_e8),
  };
}

function refOrNull(key: string | null, attempt: bigint | null): AttemptRef | null {
  return key === null || attempt === null ? null : { key, attempt: Number(attempt) };
}

function seen(execution: ExecutionStatus | null, revertReason: string | null): TransactionRow['seen'] {
  return execution === null ? null : { execution, revertReason };
}

function claims(count: bigint): 0 | 1 | 2 {
  if (count === 0n) return 0;
  return count === 1n ? 1 : 2;
}

const flag = (value: boolean): bigint => (value ? 1n : 0n);
const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));
const bigintOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
const amountOrNull = (value: Decimal | null): bigint | null => (value === null ? null : BigInt(value));
const decimalOrNull = (value: bigint | null | undefined): Decimal | null => value?.toString() ?? null;
