import type { TraceNonce, TraceState } from '../../src/traces.mjs';
import { sameRef, type Attempt, type AttemptRef } from '@sotto/submission-core';
import type { InMemoryLedger } from '@sotto/submission-core/testing';
import { placeOf, type TraceNames } from './trace-names.js';

/**
 * Rows as words, so that differences are readable. Attempts have keys such as `A1`, and nonces have
 * keys such as `L0n0`.
 */
export interface RowsInWords {
  readonly attempts: Readonly<Record<string, string>>;
  readonly nonces: Readonly<Record<string, NonceInWords>>;
}

interface NonceInWords {
  readonly state: 'open' | 'settled' | 'final';
  /**
   * Version of the row; null if the nonce is final, since no later command contains its version.
   */
  readonly version: number | null;
  /** Attempt that holds the nonce while it is open. */
  readonly owner: string | null;
  /** Block that settled the nonce, while the nonce is not final. */
  readonly block: string | null;
  readonly consumer: string | null;
  readonly transactions: Readonly<Record<string, string>>;
}

/** Data of the player that must be copied together with a ledger. */
export interface Known {
  /** References of attempts, by the model's names such as `A1`. */
  readonly refs: Map<string, AttemptRef>;
  /**
   * Difference between a row's version and the model's version. Imported rows begin with an
   * additional write.
   */
  readonly ahead: Map<string, number>;
}

/** Returns the rows that a trace expects after a step. */
export function expectedRows({ attempts, nonces }: TraceState): RowsInWords {
  // Nonces that were already final when the ledger was lost have no row in the new ledger.
  const known = nonces.filter(({ state, version }) => state !== 'final' || version > 0);
  return {
    attempts: Object.fromEntries(
      attempts.map(({ id, state, lane, nonce, call, place }) => [
        id,
        `${state === 'broadcast' ? `broadcast L${lane}n${nonce}` : outcomeIn(state, place)} call ${call ?? 0}`,
      ]),
    ),
    nonces: Object.fromEntries(
      known.map((row) => [`L${row.lane}n${row.nonce}`, expectedNonce(row)]),
    ),
  };
}

function expectedNonce({
  state,
  version,
  owner,
  block,
  consumer,
  transactions,
}: TraceNonce): NonceInWords {
  return {
    state,
    version: state === 'final' ? null : version,
    owner: state === 'open' ? owner : null,
    block: state === 'settled' ? block : null,
    consumer: state === 'open' ? null : (consumer ?? null),
    transactions: Object.fromEntries(
      Object.entries(transactions).map(([tx, it]) => [tx, standing(it, state === 'final')]),
    ),
  };
}

/**
 * Returns the rows of a ledger in the words of a trace. @param reportsPlaces true to report the
 * nonce of each outcome, as `place` in a trace does
 */
export function rowsInWords(
  rows: InMemoryLedger['rows'],
  names: TraceNames,
  { refs, ahead }: Known,
  reportsPlaces: boolean,
): RowsInWords {
  const attemptOf = (ref: AttemptRef): string =>
    [...refs].find(([, known]) => sameRef(known, ref))?.[0] ?? `unknown ${ref.key}`;
  const attempts = [...rows.attempts.values()].map(
    (row) => [attemptOf(row), withCall(row, reportsPlaces)] as const,
  );
  const nonces = [...rows.nonces.values()].map((row): readonly [string, NonceInWords] => {
    const { state, version, owner, settlement } = row;
    const isFinal = settlement?.isFinal === true;
    const place = placeOf(row);
    const under = [...rows.transactions.values()].filter(
      (transaction) => placeOf(transaction) === place,
    );
    const hash = settlement?.hash ?? null;
    const consumer = hash === null ? null : names.nameOf(hash);
    const inWords = {
      state: isFinal ? 'final' : state,
      version: isFinal ? null : version - (ahead.get(place) ?? 0),
      owner: state === 'settled' || owner === null ? null : attemptOf(owner),
      block:
        isFinal || settlement === null || settlement.block === null
          ? null
          : `b${settlement.block.number}`,
      consumer: settlement?.isForeign === true ? 'foreign' : consumer,
      transactions: Object.fromEntries(
        under.map((transaction) => [
          names.nameOf(transaction.hash),
          standing({ gone: transaction.gone, claims: transaction.sendCount }, isFinal),
        ]),
      ),
    } as const;
    return [place, inWords];
  });
  return { attempts: Object.fromEntries(attempts), nonces: Object.fromEntries(nonces) };
}

/** Describes a transaction's row. Claims are omitted if nothing will be sent any more. */
function standing(
  { gone, claims }: { gone: 'refused' | 'lost' | null; claims: number },
  isFinal: boolean,
): string {
  return gone ?? (isFinal ? 'landed' : `${claims} claims`);
}

const outcomeIn = (state: string, place: string | null): string =>
  place === null ? state : `${state} ${place}`;

const withCall = (attempt: Attempt, reportsPlaces: boolean): string =>
  `${stateOf(attempt, reportsPlaces)} call ${/^call (\d+)/.exec(attempt.fingerprint)?.[1] ?? 0}`;

function stateOf({ state, lane, nonce, transactionHash }: Attempt, reportsPlaces: boolean): string {
  if (state === 'refused' || state === 'expired') return 'ended';
  const place = lane === null || nonce === null ? null : placeOf({ lane, nonce });
  return outcomeIn(state, transactionHash === null || reportsPlaces ? place : null);
}
