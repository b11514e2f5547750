import type { Felt } from '@sotto/kernel';
import {
  isLive,
  type Attempt,
  type AttemptRef,
  type Lane,
  type NonceRow,
  type Settlement,
  type TransactionRow,
} from '../domain/rows.js';
import type { RowChanges } from '../domain/machine-state.js';

/** Rows by their primary keys, in the order in which they were first written. */
export interface LedgerRows {
  readonly lanes: Map<Felt, Lane>;
  readonly attempts: Map<string, Attempt>;
  readonly nonces: Map<string, NonceRow>;
  readonly transactions: Map<string, TransactionRow>;
}

export const nameOf = ({ key, attempt }: AttemptRef): string => `${attempt}|${key}`;
export const nonceName = ({ lane, nonce }: Pick<NonceRow, 'lane' | 'nonce'>): string =>
  `${lane}|${nonce}`;

/** Returns true if an integer column can store the number: 64 bits, signed. */
export const isStorable = (integer: bigint): boolean => BigInt.asIntN(64, integer) === integer;

/**
 * Returns the first constraint of the transition table that the written rows violate; null if they
 * satisfy all constraints.
 */
export function brokenConstraint(rows: LedgerRows, writes: RowChanges): string | null {
  const { attempts = [], nonces = [], transactions = [], lanes = [], calldata, signed } = writes;
  const broken =
    attempts.map((row) => ofAttempt(rows, row)).find(isBroken) ??
    nonces.map((row) => ofNonce(rows, row)).find(isBroken) ??
    transactions.map((row) => ofTransaction(rows, row)).find(isBroken) ??
    lanes.map(ofLane).find(isBroken);
  if (broken !== undefined) return broken;
  if (calldata !== undefined && ![...rows.attempts.values()].some(({ id }) => id === calldata.id))
    return 'calldata of an attempt';
  if (signed !== undefined && !rows.transactions.has(signed.hash)) return 'bytes of a transaction';
  return null;
}

const isBroken = (constraint: string | null): constraint is string => constraint !== null;

function ofAttempt({ lanes, attempts }: LedgerRows, row: Attempt): string | null {
  const others = [...attempts.values()].filter((other) => nameOf(other) !== nameOf(row));
  const live = isLive(row.state) ? others.filter(({ state }) => isLive(state)) : [];
  if (row.attempt < 1) return 'attempts are numbered from one';
  if (others.some(({ id }) => id === row.id)) return 'one attempt per id';
  if (live.some(({ key }) => key === row.key)) return 'one live attempt per key';
  if (
    row.nonce !== null &&
    live.some(({ lane, nonce }) => lane === row.lane && nonce === row.nonce)
  )
    return 'one live attempt per nonce';
  if ([row.lane, row.avoidLane].some((lane) => lane !== null && !lanes.has(lane)))
    return 'lane of an attempt';
  if ((row.lane === null) !== (row.nonce === null)) return 'lane with nonce';
  if ((row.nonce === null) !== ['accepted', 'refused', 'expired'].includes(row.state))
    return 'nonce by state';
  if ((row.endedAtMs === null) !== isLive(row.state)) return 'end time by state';
  if ((row.transactionHash !== null) !== ['succeeded', 'reverted'].includes(row.state))
    return 'receipt by state';
  if ((row.rejectionCode !== null) !== ['refused', 'expired'].includes(row.state))
    return 'code by state';
  if (row.isFinal && row.transactionHash === null) return 'final by receipt';
  return null;
}

function ofNonce({ lanes, attempts }: LedgerRows, row: NonceRow): string | null {
  if (!lanes.has(row.lane)) return 'lane of a nonce';
  if (row.nonce < 0n) return 'nonces from zero';
  if (!isStorable(row.through) || row.through < row.nonce) return 'ranges run upwards';
  if (row.through > row.nonce && (row.state === 'open' || row.owner !== null))
    return 'ranges are settled';
  if (row.version < 1) return 'versions from one';
  if (row.owner !== null && !attempts.has(nameOf(row.owner))) return 'owner of a nonce';
  if ((row.settlement !== null) !== (row.state === 'settled')) return 'settlement by state';
  return row.settlement === null ? null : ofSettlement(row.settlement);
}

function ofSettlement({ hash, isForeign, execution, block }: Settlement): string | null {
  if (hash === null && (!isForeign || execution !== null || block !== null))
    return 'settlement by hash';
  return null;
}

function ofTransaction(
  { attempts, nonces, transactions }: LedgerRows,
  row: TransactionRow,
): string | null {
  const sameStep = (other: TransactionRow): boolean =>
    other.hash !== row.hash &&
    nonceName(other) === nonceName(row) &&
    other.priceStep === row.priceStep &&
    other.kind === row.kind;
  if ([...transactions.values()].some(sameStep))
    return 'one transaction per lane, nonce, price step and kind';
  if (!nonces.has(nonceName(row))) return 'nonce of a transaction';
  if (row.attempt !== null && !attempts.has(nameOf(row.attempt))) return 'attempt of a transaction';
  if ((row.attempt !== null) !== (row.kind === 'call')) return 'attempt by kind';
  if (row.priceStep < 0) return 'price steps from zero';
  if (
    (row.sendCount === 0) !== (row.claimFence === null) ||
    (row.claimFence === null) !== (row.claimedAtMs === null)
  )
    return 'claim whole';
  return null;
}

function ofLane({ nextNonce, quarantine }: Lane): string | null {
  if (nextNonce !== null && (nextNonce < 0n || !isStorable(nextNonce)))
    return 'next nonce from zero';
  if (
    quarantine !== null &&
    (nextNonce === null || quarantine.until < 0n || !isStorable(quarantine.until))
  )
    return 'quarantine of a lane';
  return null;
}
