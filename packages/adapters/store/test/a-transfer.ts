import type { Transfer } from '@sotto/bridge-core';

/** Transfer that is in progress. */
export const aTransfer: Transfer = {
  completedAtSeconds: [1_800_000_000, 1_800_000_010],
  next: 'processing',
  txHashes: { deposit_detected: '0xdeb0' },
  refunded: false,
  terms: null,
  observedAtMs: 1_800_000_000_000,
  unconfirmedSinceSeconds: null,
  isDepositIncomplete: false,
  amounts: { output: null, shortfall: null, deposited: null, missing: null, refunded: null },
  reasonText: null,
};
