import type { Kysely } from 'kysely';
import type { SqlFlavor } from './flavor.js';
import type { StoreSchema } from './schema.js';

/** Rows of one transaction, so that wiping a day's calldata keeps nobody else waiting. */
const BATCH = 64;

/**
 * Deletes some of the calldata of attempts that ended before a moment, and of the signed bytes that are theirs or of settled
 * nonces. Side tables hold only what is not wiped yet: cross joins make SQLite start from them. Rows that another instance is about to
 * wipe are left to it.
 */
export async function wipeSome(
  db: Kysely<StoreSchema>,
  { rowLocks }: SqlFlavor,
  endedBeforeMs: number,
): Promise<{ readonly attempts: number; readonly transactions: number }> {
  const ended = await db
    .deleteFrom('calldata')
    .where('submission_id', 'in', (eb) =>
      eb
        .selectFrom('calldata as kept')
        .crossJoin('attempts')
        .select('kept.submission_id')
        .whereRef('attempts.id', '=', 'kept.submission_id')
        .where('attempts.ended_at_ms', '<', BigInt(endedBeforeMs))
        .limit(BATCH)
        .$if(rowLocks, (query) => query.forUpdate('kept').skipLocked()),
    )
    .executeTakeFirst();
  const signed = await db
    .deleteFrom('signed_bytes')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('signed_bytes as kept')
        .crossJoin('transactions')
        .crossJoin('nonces')
        .leftJoin('attempts', (join) =>
          join.onRef('attempts.key', '=', 'transactions.attempt_key').onRef('attempts.attempt', '=', 'transactions.attempt_number'),
        )
        .select('kept.hash')
        .whereRef('transactions.hash', '=', 'kept.hash')
        .whereRef('nonces.lane', '=', 'transactions.lane')
        .whereRef('nonces.nonce', '=', 'transactions.nonce')
        .where((where) => where.or([where('nonces.state', '=', 'settled'), where('attempts.ended_at_ms', '<', BigInt(endedBeforeMs))]))
        .limit(BATCH)
        .$if(rowLocks, (query) => query.forUpdate('kept').skipLocked()),
    )
    .executeTakeFirst();
  return { attempts: Number(ended.numDeletedRows), transactions: Number(signed.numDeletedRows) };
}
