import {
  STEP_NAMES,
  listedAsset,
  type QuotedTerms,
  type StepName,
  type Transfer,
} from '@sotto/bridge-core';
import type { TransfersTable } from '../schema.js';

type TransferColumns = Omit<TransfersTable, 'transaction_id' | 'changed_at_ms'>;

export function toTransfer(row: TransferColumns): Transfer {
  return {
    completedAtSeconds: STEP_NAMES.flatMap((step) => {
      const at = row[`${step}_at`];
      return at === null ? [] : [Number(at)];
    }),
    next: row.next,
    txHashes: Object.fromEntries(
      STEP_NAMES.flatMap((step): [StepName, string][] => {
        const hash = row[`${step}_tx`];
        return hash === null ? [] : [[step, hash]];
      }),
    ),
    refunded: row.refunded === 1n,
    terms: toTerms(row),
    observedAtMs: Number(row.observed_at_ms ?? 0n),
    unconfirmedSinceSeconds: numberOrNull(row.unconfirmed_since),
    isDepositIncomplete: row.deposit_incomplete === 1n,
    amounts: {
      output: row.output_amount,
      shortfall: row.shortfall,
      deposited: row.deposited_amount,
      missing: row.missing_amount,
      refunded: row.refunded_amount,
    },
    reasonText: row.reason_text,
  };
}

/**
 * Returns the terms of a transfer; null if a part of the terms is missing or an asset is no longer
 * listed.
 */
function toTerms(row: TransferColumns): QuotedTerms | null {
  const { amount, estimated_output, recipient, deposit_address } = row;
  const from = listedAsset(row.from_chain ?? '', row.from_token ?? '');
  const to = listedAsset(row.to_chain ?? '', row.to_token ?? '');
  if (from === undefined || to === undefined || amount === null || estimated_output === null)
    return null;
  if (recipient === null || deposit_address === null) return null;
  return {
    from,
    to,
    amount: BigInt(amount),
    estimatedOutput: BigInt(estimated_output),
    recipient,
    depositAddress: deposit_address,
    depositMemo: row.deposit_memo,
    deadlineSeconds: numberOrNull(row.deposit_deadline),
  };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

export function fromTransfer({
  completedAtSeconds,
  next,
  txHashes,
  refunded,
  terms,
  observedAtMs,
  unconfirmedSinceSeconds,
  isDepositIncomplete,
  amounts,
  reasonText,
}: Transfer): TransferColumns {
  const [deposited, swapped, bridged, swappedThere, sent] = completedAtSeconds.map(BigInt);
  return {
    next,
    refunded: refunded ? 1n : 0n,
    output_amount: amounts.output,
    ...fromTerms(terms),
    observed_at_ms: BigInt(observedAtMs),
    unconfirmed_since: unconfirmedSinceSeconds === null ? null : BigInt(unconfirmedSinceSeconds),
    deposit_incomplete: isDepositIncomplete ? 1n : 0n,
    shortfall: amounts.shortfall,
    deposited_amount: amounts.deposited,
    missing_amount: amounts.missing,
    refunded_amount: amounts.refunded,
    reason_text: reasonText,
    deposit_detected_at: deposited ?? null,
    swap_source_token_at: swapped ?? null,
    bridge_to_destination_at: bridged ?? null,
    swap_destination_token_at: swappedThere ?? null,
    send_to_recipient_at: sent ?? null,
    deposit_detected_tx: txHashes.deposit_detected ?? null,
    swap_source_token_tx: txHashes.swap_source_token ?? null,
    bridge_to_destination_tx: txHashes.bridge_to_destination ?? null,
    swap_destination_token_tx: txHashes.swap_destination_token ?? null,
    send_to_recipient_tx: txHashes.send_to_recipient ?? null,
  };
}

type TermColumns = Pick<
  TransferColumns,
  | 'from_chain'
  | 'from_token'
  | 'to_chain'
  | 'to_token'
  | 'amount'
  | 'estimated_output'
  | 'recipient'
  | 'deposit_address'
  | 'deposit_memo'
  | 'deposit_deadline'
>;

function fromTerms(terms: QuotedTerms | null): TermColumns {
  const deadline = terms?.deadlineSeconds ?? null;
  return {
    from_chain: terms?.from.chain ?? null,
    from_token: terms?.from.symbol ?? null,
    to_chain: terms?.to.chain ?? null,
    to_token: terms?.to.symbol ?? null,
    amount: terms?.amount.toString() ?? null,
    estimated_output: terms?.estimatedOutput.toString() ?? null,
    recipient: terms?.recipient ?? null,
    deposit_address: terms?.depositAddress ?? null,
    deposit_memo: terms?.depositMemo ?? null,
    deposit_deadline: deadline === null ? null : BigInt(deadline),
  };
}
