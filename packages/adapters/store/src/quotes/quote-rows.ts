import type { FeeQuote } from '@sotto/relayer-core';
import type { Insertable, Selectable } from 'kysely';
import type { QuotesTable } from '../schema.js';

export function toFeeQuote(row: Selectable<QuotesTable>): FeeQuote {
  return {
    id: row.id,
    chainId: row.chain_id,
    pool: row.pool,
    relayer: row.relayer,
    feeAmount: BigInt(row.fee_amount),
    expiresAtMs: Number(row.expires_at_ms),
    operation: row.operation,
    leafIndex: row.leaf_index === null ? null : Number(row.leaf_index),
    ...(row.recipient_gas_fri === null ? {} : { recipientGasFri: BigInt(row.recipient_gas_fri) }),
  };
}

export function fromFeeQuote({
  id,
  chainId,
  pool,
  relayer,
  feeAmount,
  expiresAtMs,
  operation,
  leafIndex,
  recipientGasFri,
}: FeeQuote): Omit<Insertable<QuotesTable>, 'served_key'> {
  return {
    id,
    chain_id: chainId,
    pool,
    relayer,
    fee_amount: feeAmount.toString(),
    expires_at_ms: BigInt(expiresAtMs),
    operation,
    leaf_index: leafIndex === null ? null : BigInt(leafIndex),
    recipient_gas_fri: recipientGasFri?.toString() ?? null,
  };
}
