import type { ExecutionStatus, TransactionRow } from '@sotto/submission-core';
import type { Insertable, Selectable } from 'kysely';
import { bigintOrNull, numberOrNull, refOrNull } from './rows.js';
import type { TransactionsTable } from '../schema.js';

/** Columns of a transaction that the state machine reads. */
export const TRANSACTION = [
  'hash',
  'lane',
  'nonce',
  'kind',
  'attempt_key',
  'attempt_number',
  'price_step',
  'l2_max_amount',
  'l2_max_price_fri',
  'l1_max_amount',
  'l1_max_price_fri',
  'l1_data_max_amount',
  'l1_data_max_price_fri',
  'tip_fri',
  'claims',
  'claim_fence',
  'claimed_at_ms',
  'claim_node',
  'gone',
  'refusal_code',
  'seen_execution',
  'seen_revert_reason',
] as const satisfies readonly (keyof TransactionsTable)[];

export type TransactionColumns = Pick<Selectable<TransactionsTable>, (typeof TRANSACTION)[number]>;

export function toTransaction(row: TransactionColumns): TransactionRow {
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
      l1DataGas: {
        maxAmount: BigInt(row.l1_data_max_amount),
        maxPriceFri: BigInt(row.l1_data_max_price_fri),
      },
      tipFri: BigInt(row.tip_fri),
    },
    sendCount: claims(row.claims),
    claimFence: row.claim_fence,
    claimedAtMs: numberOrNull(row.claimed_at_ms),
    claimNode: row.claim_node,
    gone: row.gone,
    rejectionCode: row.refusal_code,
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
    claims: BigInt(transaction.sendCount),
    claim_fence: transaction.claimFence,
    claimed_at_ms: bigintOrNull(transaction.claimedAtMs),
    claim_node: transaction.claimNode,
    gone: transaction.gone,
    refusal_code: transaction.rejectionCode,
    seen_execution: transaction.seen?.execution ?? null,
    seen_revert_reason: transaction.seen?.revertReason ?? null,
  };
}

function seen(
  execution: ExecutionStatus | null,
  revertReason: string | null,
): TransactionRow['seen'] {
  return execution === null ? null : { execution, revertReason };
}

function claims(count: bigint): 0 | 1 | 2 {
  if (count === 0n) return 0;
  return count === 1n ? 1 : 2;
}
