import { toFelt, type Felt } from '@sotto/kernel';
import {
  boundsFor,
  type Attempt,
  type BlockRef,
  type Caller,
  type Lane,
  type LaneSlot,
  type NonceRow,
  type ResourceBounds,
  type SignedTransaction,
  type TransactionRow,
  type MachineState,
} from '../../src/index.js';
import { LANE, submission } from '../unit/world.js';

export const CEILING_FRI = 100_000_000_000n;
const bounds = boundsFor(submission().limits, {
  l2GasFri: 8_000_000_000n,
  l1GasFri: 1n,
  l1DataGasFri: 1n,
});

/** Returns the resource bounds of a withdrawal at this L2 gas price. */
export function pricedAt(maxPriceFri: bigint, tipFri = 0n): ResourceBounds {
  return { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri }, tipFri };
}

export const BLOCK: BlockRef = { number: 100, hash: toFelt('0xb10c') };
export const HASH = toFelt('0xaa');

/** Row of nonce 5 after one write: open and held by the attempt. */
export const row: NonceRow = {
  lane: LANE,
  nonce: 5n,
  through: 5n,
  state: 'open',
  version: 1,
  owner: { key: submission().key, attempt: 2 },
  settlement: null,
};
export const freeRow: NonceRow = { ...row, owner: null };
export const settledRow: NonceRow = {
  ...row,
  state: 'settled',
  settlement: {
    hash: HASH,
    isForeign: false,
    execution: 'SUCCEEDED',
    block: BLOCK,
    feeFri: 3n,
    disprovesRejection: false,
    atMs: 4_000,
    isFinal: false,
  },
};

/** Second attempt of its key, in flight at nonce 5. */
export const attempt: Attempt = {
  ...submission(),
  id: 'id',
  attempt: 2,
  state: 'broadcast',
  lane: LANE,
  nonce: 5n,
  readmit: false,
  avoidLane: null,
  acceptedAtMs: 1_000,
  deadlineMs: 1_000_000,
  deadlineBlock: null,
  endedAtMs: null,
  rejectionCode: null,
  transactionHash: null,
  revertReason: null,
  gasPaidFri: null,
  isFinal: false,
  undone: null,
};
export const waiting: Attempt = { ...attempt, state: 'accepted', lane: null, nonce: null };

/** Returns an attempt that has a call under the nonce, and no transactions under other nonces. */
export function caller(change: Partial<Caller> = {}): Caller {
  return { attempt, isLast: true, isUnfinal: false, executedBy: null, ...change };
}

/** Returns the transaction with the attempt's call, with a claim to its first send. */
export function sent(change: Partial<TransactionRow> = {}): TransactionRow {
  return {
    hash: HASH,
    lane: LANE,
    nonce: 5n,
    kind: 'call',
    attempt: row.owner,
    priceStep: 0,
    bounds,
    sendCount: 1,
    claimFence: 7n,
    claimedAtMs: 2_000,
    claimNode: 'node-0',
    gone: null,
    rejectionCode: null,
    seen: null,
    ...change,
  };
}

export function signed(
  maxPriceFri = 24_000_000_000n,
  hash: Felt = toFelt('0xbb'),
): SignedTransaction {
  return { hash, bounds: pricedAt(maxPriceFri), bytes: new Uint8Array([1]), calldataAt: null };
}

export const claimOf: LaneSlot = { lane: LANE, nonce: 5n, fence: 7n };

export const lane: Lane = {
  address: LANE,
  role: 'relay',
  leasedTo: 'one',
  fence: 7n,
  nextNonce: 6n,
  quarantine: null,
  pausedFor: null,
};

/**
 * Returns the machine's state with the lane under fence 7 and the attempt's call in flight under
 * nonce 5.
 */
export function view(change: Partial<MachineState> = {}): MachineState {
  return {
    nowMs: 9_000,
    lastAttempt: attempt,
    lastAttemptIsUnfinal: false,
    lastAttemptExecutedBy: null,
    lane,
    lanes: [change.lane ?? lane],
    unconsumed: [],
    nonce: row,
    callers: [caller()],
    transactions: [sent()],
    liveAbove: false,
    ...change,
  };
}
