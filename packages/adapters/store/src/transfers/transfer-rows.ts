import { STEP_NAMES, type StepName, type Transfer } from '@sotto/bridge-core';
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
    outputAmount: row.output_amount,
  };
}

export function fromTransfer({
  completedAtSeconds,
  next,
  txHashes,
  refunded,
  outputAmount,
}: Transfer): TransferColumns {
  const [deposited, swapped, bridged, swappedThere, sent] = completedAtSeconds.map(BigInt);
  return {
    next,
    refunded: refunded ? 1n : 0n,
    output_amount: outputAmount,
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
