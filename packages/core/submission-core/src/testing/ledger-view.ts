import type { Felt } from '@sotto/kernel';
import type { SubmissionCommand } from '../domain/events.js';
import {
  isLandable,
  isLive,
  refOf,
  sameRef,
  type Attempt,
  type AttemptRef,
  type NonceRow,
  type TransactionRow,
} from '../domain/rows.js';
import {
  readsOf,
  scopeOf,
  type Caller,
  type Executed,
  type MachineState,
  type ReadScope,
} from '../domain/machine-state.js';
import { nameOf, nonceName, type LedgerRows } from './ledger-constraints.js';

type Place = Pick<NonceRow, 'lane' | 'nonce'>;

/** Returns the input of `decide` for a command, selected from all rows. */
export function viewOf(rows: LedgerRows, event: SubmissionCommand, nowMs: number): MachineState {
  const { key, lane, nonce } = scopeOf(event);
  const lastAttempt = key === null ? null : lastOf(rows, key);
  const place = lane === null || nonce === null ? null : { lane, nonce };
  const reads = readsOf(event);
  return {
    nowMs: reads.lanes ? nowMs : 0,
    lastAttempt,
    lastAttemptIsUnfinal: lastAttempt !== null && isUnfinal(rows, refOf(lastAttempt)),
    lastAttemptExecutedBy:
      lastAttempt === null ? null : executedBy(rows, refOf(lastAttempt), place),
    lane: lane === null || !reads.lanes ? null : (rows.lanes.get(lane) ?? null),
    lanes: reads.lanes ? [...rows.lanes.values()] : [],
    unconsumed:
      event.type === 'end_quarantine'
        ? event.lanes.filter((address) => hasUnconsumed(rows, address))
        : [],
    nonce: place === null ? null : coveringRow(rows, place),
    callers: place === null ? [] : callersAt(rows, place, reads),
    transactions: place === null ? [] : transactionsAt(rows, place),
    liveAbove: reads.liveAbove && place !== null && hasLifeAbove(rows, place),
  };
}

/**
 * Returns the attempt of a key that matters for decisions: the live attempt, otherwise a succeeded
 * one, otherwise the last one.
 */
export function lastOf(rows: LedgerRows, key: string): Attempt | null {
  const ofKey = [...rows.attempts.values()].filter((row) => row.key === key);
  return (
    ofKey.find(({ state }) => isLive(state)) ??
    ofKey.find(({ state }) => state === 'succeeded') ??
    highestOf(rows, key)
  );
}

function highestOf({ attempts }: LedgerRows, key: string): Attempt | null {
  const ofKey = [...attempts.values()].filter((row) => row.key === key);
  return ofKey.reduce<Attempt | null>(
    (last, row) => (last === null || row.attempt > last.attempt ? row : last),
    null,
  );
}

export function noncesOf({ nonces }: LedgerRows, lane: Felt): NonceRow[] {
  return [...nonces.values()]
    .filter((row) => row.lane === lane)
    .toSorted((a, b) => (a.nonce < b.nonce ? -1 : 1));
}

export function transactionsAt({ transactions }: LedgerRows, place: Place): TransactionRow[] {
  return [...transactions.values()].filter(
    (row) => row.lane === place.lane && row.nonce === place.nonce,
  );
}

export function transactionsBy({ transactions }: LedgerRows, ref: AttemptRef): TransactionRow[] {
  return [...transactions.values()].filter((row) => sameRef(row.attempt, ref));
}

function coveringRow(rows: LedgerRows, { lane, nonce }: Place): NonceRow | null {
  const exact = rows.nonces.get(nonceName({ lane, nonce }));
  return (
    exact ?? noncesOf(rows, lane).find((row) => row.nonce <= nonce && nonce <= row.through) ?? null
  );
}

function callersAt(
  rows: LedgerRows,
  place: Place,
  { callers: wanted }: Pick<ReadScope, 'callers'>,
): Caller[] {
  if (wanted === 'none') return [];
  const owner = rows.nonces.get(nonceName(place))?.owner ?? null;
  const calls = transactionsAt(rows, place).flatMap(({ attempt }) =>
    attempt === null ? [] : [nameOf(attempt)],
  );
  const names = new Set(owner === null ? calls : [...calls, nameOf(owner)]);
  return [...rows.attempts.values()]
    .filter((attempt) => names.has(nameOf(attempt)))
    .map((attempt) => ({
      attempt,
      isLast: highestOf(rows, attempt.key)?.attempt === attempt.attempt,
      isUnfinal: wanted === 'histories' && isUnfinal(rows, refOf(attempt)),
      executedBy: wanted === 'histories' ? executedBy(rows, refOf(attempt), place) : null,
    }));
}

/**
 * True if a transaction of the attempt could still land or be undone. There are two cases. First:
 * the transaction was not refused, and its nonce is settled but not final. Second: the transaction
 * is landable, and its nonce is open and held by another attempt.
 */
function isUnfinal(rows: LedgerRows, ref: AttemptRef): boolean {
  return transactionsBy(rows, ref).some(({ gone, ...place }) => {
    const row = rows.nonces.get(nonceName(place));
    return row?.state === 'open'
      ? gone === null && !sameRef(row.owner, ref)
      : gone !== 'refused' && row?.settlement?.isFinal === false;
  });
}

/**
 * Returns the settlement of another nonce by a transaction of the attempt. If several exist,
 * returns the oldest settlement that SUCCEEDED; if none succeeded, the oldest settlement. Null if
 * no settlement exists.
 */
function executedBy(rows: LedgerRows, ref: AttemptRef, place: Place | null): Executed | null {
  const found = transactionsBy(rows, ref).flatMap(({ hash, lane, nonce }): Executed[] => {
    const settlement = rows.nonces.get(nonceName({ lane, nonce }))?.settlement ?? null;
    const isElsewhere = lane !== place?.lane || nonce !== place.nonce;
    if (
      !isElsewhere ||
      settlement?.hash !== hash ||
      settlement.isForeign ||
      settlement.execution === null
    )
      return [];
    return [{ lane, nonce, hash, feeFri: settlement.feeFri, execution: settlement.execution }];
  });
  return found.find(({ execution }) => execution === 'SUCCEEDED') ?? found[0] ?? null;
}

function hasUnconsumed(rows: LedgerRows, address: Felt): boolean {
  const until = rows.lanes.get(address)?.quarantine?.until ?? 0n;
  return noncesOf(rows, address).some(({ state, nonce }) => state === 'open' && nonce < until);
}

function hasLifeAbove(rows: LedgerRows, place: Place): boolean {
  const above = noncesOf(rows, place.lane).filter(
    ({ state, nonce }) => state === 'open' && nonce > place.nonce,
  );
  return above.some((row) => transactionsAt(rows, row).some(isLandable));
}
