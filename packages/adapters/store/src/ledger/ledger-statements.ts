import type { Felt } from '@sotto/kernel';
import type { LaneRole } from '@sotto/submission-core';
import type { Selectable } from 'kysely';
import {
  ATTEMPT_WAITS,
  NONCE_IS_FINAL,
  NONCE_IS_UNFINAL,
  type AttemptsTable,
  type CalldataTable,
  type NoncesTable,
  type SignedBytesTable,
  type TransactionsTable,
} from '../schema.js';
import { Statement } from '../statement.js';

/**
 * Selects an attempt by its id. The statements of this file read the ledger outside of commands.
 */

export const attemptById = new Statement<{ readonly id: string }, Selectable<AttemptsTable>>(
  (db, { id }) => db.selectFrom('attempts').selectAll().where('id', '=', id),
);

export const waitingAttempts = new Statement<
  { readonly role: LaneRole; readonly limit: bigint },
  Selectable<AttemptsTable>
>((db, { role, limit }) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('role', '=', role)
    .where(ATTEMPT_WAITS)
    .orderBy('seq')
    .limit(limit),
);

export const countedWaiting = new Statement<
  { readonly role: LaneRole },
  { readonly waiting: bigint }
>((db, { role }) =>
  db
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<bigint>().as('waiting'))
    .where('role', '=', role)
    .where(ATTEMPT_WAITS),
);

const unfinalIn = (direction: 'asc' | 'desc') =>
  new Statement<{ readonly lane: Felt; readonly limit: bigint }, Selectable<NoncesTable>>(
    (db, { lane, limit }) =>
      db
        .selectFrom('nonces')
        .selectAll()
        .where('lane', '=', lane)
        .where(NONCE_IS_UNFINAL)
        .where('block_number', 'is not', null)
        .orderBy('block_number', direction)
        .orderBy('nonce', direction)
        .limit(limit),
  );

export const unfinalNoncesOf = { oldest: unfinalIn('asc'), newest: unfinalIn('desc') } as const;

export const finalNoncesOf = new Statement<
  { readonly lane: Felt; readonly limit: bigint },
  Selectable<NoncesTable>
>((db, { lane, limit }) =>
  db
    .selectFrom('nonces')
    .selectAll()
    .where('lane', '=', lane)
    .where(NONCE_IS_FINAL)
    .where('block_number', 'is not', null)
    .orderBy('nonce', 'desc')
    .limit(limit),
);

export const transactionsOfAttempt = new Statement<
  { readonly key: string; readonly attempt: bigint },
  Selectable<TransactionsTable>
>((db, { key, attempt }) =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('attempt_key', '=', key)
    .where('attempt_number', '=', attempt)
    .orderBy('seq'),
);

/**
 * Selects the nonce that settled an attempt. The query starts from the nonce in the attempt's row,
 * because the table of nonces has no index by owner.
 */
export const settledNonceOfAttempt = new Statement<
  { readonly key: string; readonly attempt: bigint },
  Selectable<NoncesTable>
>((db, { key, attempt }) =>
  db
    .selectFrom('attempts')
    .innerJoin('nonces', (join) =>
      join
        .onRef('nonces.lane', '=', 'attempts.lane')
        .onRef('nonces.nonce', '=', 'attempts.nonce')
        .onRef('nonces.owner_key', '=', 'attempts.key')
        .onRef('nonces.owner_attempt', '=', 'attempts.attempt'),
    )
    .selectAll('nonces')
    .where('attempts.key', '=', key)
    .where('attempts.attempt', '=', attempt)
    .where('nonces.state', '=', 'settled'),
);

export const calldataOf = new Statement<{ readonly id: string }, Pick<CalldataTable, 'words'>>(
  (db, { id }) => db.selectFrom('calldata').select('words').where('submission_id', '=', id),
);

/**
 * Selects signed bytes and calldata in one statement, so that no redaction can happen between two
 * reads. Calldata is not needed if the signed bytes are stored with their calldata.
 */
export const signedPartsOf = new Statement<
  { readonly hash: Felt },
  Omit<SignedBytesTable, 'hash'> & {
    readonly words: Uint8Array | null;
    readonly target_to: Felt | null;
    readonly target_entrypoint: string | null;
  }
>((db, { hash }) =>
  db
    .selectFrom('signed_bytes')
    .innerJoin('transactions', 'transactions.hash', 'signed_bytes.hash')
    .leftJoin('attempts', (join) =>
      join
        .onRef('attempts.key', '=', 'transactions.attempt_key')
        .onRef('attempts.attempt', '=', 'transactions.attempt_number')
        .on('signed_bytes.calldata_at', 'is not', null),
    )
    .leftJoin('calldata', 'calldata.submission_id', 'attempts.id')
    .select([
      'signed_bytes.bytes',
      'signed_bytes.sha256',
      'signed_bytes.calldata_at',
      'attempts.target_to',
      'attempts.target_entrypoint',
      'calldata.words',
    ])
    .where('signed_bytes.hash', '=', hash),
);
