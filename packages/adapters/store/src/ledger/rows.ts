import type { Attempt, AttemptRef, NonceRow, Settlement, Terms } from '@sotto/submission-core';
import type { Insertable, Selectable } from 'kysely';
import type { AttemptsTable, Decimal, NoncesTable } from '../schema.js';

/** Columns of an attempt that the state machine reads. */
export const ATTEMPT = [
  'key',
  'attempt',
  'id',
  'state',
  'effect',
  'fingerprint',
  'kind',
  'subject',
  'memo',
  'role',
  'target_to',
  'target_entrypoint',
  'limit_l2_gas',
  'limit_l1_gas',
  'limit_l1_data_gas',
  'price_multiplier',
  'fee_amount',
  'fee_token',
  'cost_fri',
  'strk_usd_e8',
  'fee_token_usd_e8',
  'bounds',
  'lane',
  'nonce',
  'readmit',
  'accepted_at_ms',
  'deadline_ms',
  'deadline_block',
  'ended_at_ms',
  'refusal_code',
  'transaction_hash',
  'revert_reason',
  'gas_paid_fri',
  'replay_protected',
  'avoid_lane',
  'is_final',
  'undone_hash',
  'undone_execution',
  'undone_at_ms',
] as const satisfies readonly (keyof AttemptsTable)[];

export type AttemptColumns = Pick<Selectable<AttemptsTable>, (typeof ATTEMPT)[number]>;

/** Converts the columns of an attempt to its domain value, without I/O. */
export function toAttempt(row: AttemptColumns): Attempt {
  return {
    key: row.key,
    attempt: Number(row.attempt),
    id: row.id,
    state: row.state,
    effect: row.effect,
    fingerprint: row.fingerprint,
    kind: row.kind,
    subject: row.subject,
    memo: row.memo,
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
    deadlineBlock: numberOrNull(row.deadline_block),
    endedAtMs: numberOrNull(row.ended_at_ms),
    rejectionCode: row.refusal_code,
    transactionHash: row.transaction_hash,
    revertReason: row.revert_reason,
    gasPaidFri: amountOrNull(row.gas_paid_fri),
    replayProtected: row.replay_protected === 1n,
    avoidLane: row.avoid_lane,
    isFinal: row.is_final === 1n,
    undone: undone(row),
  };
}

export function fromAttempt(attempt: Attempt): Insertable<AttemptsTable> {
  const { limits, terms, undone: taken } = attempt;
  return {
    key: attempt.key,
    attempt: BigInt(attempt.attempt),
    id: attempt.id,
    state: attempt.state,
    effect: attempt.effect,
    fingerprint: attempt.fingerprint,
    kind: attempt.kind,
    subject: attempt.subject,
    memo: attempt.memo,
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
    bounds: terms?.bounds ?? null,
    lane: attempt.lane,
    nonce: attempt.nonce,
    readmit: flag(attempt.readmit),
    accepted_at_ms: BigInt(attempt.acceptedAtMs),
    deadline_ms: BigInt(attempt.deadlineMs),
    deadline_block: bigintOrNull(attempt.deadlineBlock),
    ended_at_ms: bigintOrNull(attempt.endedAtMs),
    refusal_code: attempt.rejectionCode,
    transaction_hash: attempt.transactionHash,
    revert_reason: attempt.revertReason,
    gas_paid_fri: decimalOrNull(attempt.gasPaidFri),
    replay_protected: flag(attempt.replayProtected),
    avoid_lane: attempt.avoidLane,
    is_final: flag(attempt.isFinal),
    undone_hash: taken?.transactionHash ?? null,
    undone_execution: taken?.execution ?? null,
    undone_at_ms: bigintOrNull(taken?.undoneAtMs ?? null),
    wiped: 0n,
  };
}

export function toNonce(row: Selectable<NoncesTable>): NonceRow {
  return {
    lane: row.lane,
    nonce: row.nonce,
    through: row.through,
    state: row.state,
    version: Number(row.version),
    owner: refOrNull(row.owner_key, row.owner_attempt),
    settlement: settlement(row),
  };
}

export function fromNonce({
  lane,
  nonce,
  through,
  state,
  version,
  owner,
  settlement: by,
}: NonceRow): Insertable<NoncesTable> {
  return {
    lane,
    nonce,
    through,
    state,
    version: BigInt(version),
    owner_key: owner?.key ?? null,
    owner_attempt: bigintOrNull(owner?.attempt ?? null),
    settled_by: by?.hash ?? null,
    is_foreign: flagOrNull(by?.isForeign),
    execution: by?.execution ?? null,
    block_number: bigintOrNull(by?.block?.number ?? null),
    block_hash: by?.block?.hash ?? null,
    fee_fri: decimalOrNull(by?.feeFri),
    disproves_refusal: flagOrNull(by?.disprovesRejection),
    settled_at_ms: bigintOrNull(by?.atMs ?? null),
    is_final: flagOrNull(by?.isFinal),
    wiped: 0n,
  };
}

/** Returns true if `row` is the attempt with the reference `ref`. */
export function isAttempt(row: Attempt | null, ref: AttemptRef): boolean {
  return row !== null && row.key === ref.key && row.attempt === ref.attempt;
}

export function toTerms(
  row: Pick<
    Selectable<AttemptsTable>,
    'fee_amount' | 'fee_token' | 'cost_fri' | 'strk_usd_e8' | 'fee_token_usd_e8' | 'bounds'
  >,
): Terms | null {
  const { bounds, fee_amount, fee_token, cost_fri, strk_usd_e8, fee_token_usd_e8 } = row;
  if (
    fee_amount === null ||
    fee_token === null ||
    cost_fri === null ||
    strk_usd_e8 === null ||
    fee_token_usd_e8 === null
  )
    return null;
  return {
    feeAmount: BigInt(fee_amount),
    feeToken: fee_token,
    costFri: BigInt(cost_fri),
    strkUsdE8: BigInt(strk_usd_e8),
    feeTokenUsdE8: BigInt(fee_token_usd_e8),
    ...(bounds === null ? {} : { bounds }),
  };
}

export function refOrNull(key: string | null, attempt: bigint | null): AttemptRef | null {
  return key === null || attempt === null ? null : { key, attempt: Number(attempt) };
}

function undone({
  undone_hash,
  undone_execution,
  undone_at_ms,
}: AttemptColumns): Attempt['undone'] {
  if (undone_hash === null || undone_execution === null || undone_at_ms === null) return null;
  return {
    transactionHash: undone_hash,
    execution: undone_execution,
    undoneAtMs: Number(undone_at_ms),
  };
}

function settlement(row: Selectable<NoncesTable>): Settlement | null {
  if (row.state === 'open') return null;
  return {
    hash: row.settled_by,
    isForeign: row.is_foreign === 1n,
    execution: row.execution,
    block:
      row.block_number === null || row.block_hash === null
        ? null
        : { number: Number(row.block_number), hash: row.block_hash },
    feeFri: amountOrNull(row.fee_fri),
    disprovesRejection: row.disproves_refusal === 1n,
    atMs: Number(row.settled_at_ms),
    isFinal: row.is_final === 1n,
  };
}

const flag = (value: boolean): bigint => (value ? 1n : 0n);
export const flagOrNull = (value: boolean | undefined): bigint | null =>
  value === undefined ? null : flag(value);
export const numberOrNull = (value: bigint | null): number | null =>
  value === null ? null : Number(value);
export const bigintOrNull = (value: number | null): bigint | null =>
  value === null ? null : BigInt(value);
const amountOrNull = (value: Decimal | null): bigint | null =>
  value === null ? null : BigInt(value);
const decimalOrNull = (value: bigint | null | undefined): Decimal | null =>
  value?.toString() ?? null;
