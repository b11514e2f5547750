import { toFelt, type Felt } from '@sotto/kernel';
import {
  boundsFor,
  type Attempt,
  type LaneClaim,
  type NonceRow,
  type ResourceBounds,
  type SignedTransaction,
  type TransactionRow,
  type View,
} from '../../src/index.js';
import { LANE, submission } from '../unit/world.js';

export const CEILING_FRI = 100_000_000_000n;
const bounds = boundsFor(submission().limits, { l2GasFri: 8_000_000_000n, l1GasFri: 1n, l1DataGasFri: 1n });

/** The bounds of a withdrawal at one price of L2 gas. */
export function pricedAt(maxPriceFri: bigint, tipFri = 0n): ResourceBounds {
  return { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri }, tipFri };
}

export const row: NonceRow = {
  lane: LANE,
  nonce: 5n,
  state: 'open',
  owner: { key: submission().key, attempt: 2 },
  settledBy: null,
  gasPaidFri: null,
};
export const freeRow: NonceRow = { ...row, owner: null };

/** Second attempt of its key, at nonce 5. */
export const attempt: Attempt = {
  ...submission(),
  id: 'id',
  attempt: 2,
  state: 'broadcast',
  lane: LANE,
  nonce: 5n,
  readmit: false,
  acceptedAtMs: 1_000,
  deadlineMs: 1_000_000,
  endedAtMs: null,
  refusalCode: null,
  transactionHash: null,
  revertReason: null,
  gasPaidFri: null,
};
export const waiting: Attempt = { ...attempt, state: 'accepted', lane: null, nonce: null };
export const prepared: Attempt = { ...attempt, state: 'prepared' };

export const HASH = toFelt('0xaa');
/** The attempt's call, with its first send claimed. */
export function sent(change: Partial<TransactionRow> = {}): TransactionRow {
  return {
    hash: HASH,
    lane: LANE,
    nonce: 5n,
    kind: 'call',
    attempt: row.owner,
    priceStep: 0,
    bounds,
    claims: 1,
    claimFence: 7n,
    claimedAtMs: 2_000,
    dead: false,
    refusalCode: null,
    seen: null,
    ...change,
  };
}

export function signed(maxPriceFri = 24_000_000_000n, hash: Felt = toFelt('0xbb')): SignedTransaction {
  return { hash, bounds: pricedAt(maxPriceFri), bytes: new Uint8Array([1]) };
}

export const claimOf: LaneClaim = { lane: LANE, nonce: 5n, fence: 7n };

/** The lane under fence 7, with the attempt's call out under nonce 5. */
export function view(change: Partial<View> = {}): View {
  return {
    lastAttempt: attempt,
    lane: { address: LANE, role: 'relay', leasedTo: 'one', fence: 7n },
    nonce: row,
    owner: attempt,
    transactions: [sent()],
    highestNonce: 5n,
    liveAbove: false,
    ...change,
  };
}
