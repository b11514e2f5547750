import { sql, type Kysely } from 'kysely';
import { SETTLED_NONCE_IS_KEPT, type StoreSchema } from '../schema.js';
import { underEveryOpenNonce } from '../ledger/open-nonces.js';

/**
 * Returns the newest time in the rows that indexes can find. A reopened store continues from this
 * time if the wall clock was set back. Leases are renewed every few seconds, so few rows are newer
 * than the last lease.
 */
export async function newestTime(db: Kysely<StoreSchema>): Promise<number> {
  const lanes = await db
    .selectFrom('lanes')
    .select((eb) => [
      eb.fn.max('leased_at_ms').as('leased'),
      eb.fn.max('quarantine_since_ms').as('quarantined'),
    ])
    .executeTakeFirst();
  const accepted = await db
    .selectFrom('attempts')
    .select('accepted_at_ms')
    .orderBy('seq', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  const ended = await db
    .selectFrom('attempts')
    .select((eb) => eb.fn.max('ended_at_ms').as('at'))
    .executeTakeFirst();
  const claimed = await db
    .selectFrom('transactions')
    .select('claimed_at_ms')
    .orderBy('seq', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  const claimedAgain = await underEveryOpenNonce(db)
    .select((eb) => eb.fn.max('transactions.claimed_at_ms').as('at'))
    .executeTakeFirst();
  const settled = await db
    .selectFrom('nonces')
    .select((eb) => eb.fn.max('settled_at_ms').as('at'))
    .where(SETTLED_NONCE_IS_KEPT)
    .executeTakeFirst();
  const held = await db
    .selectFrom('task_leases')
    .select((eb) => eb.fn.max('held_at_ms').as('at'))
    .executeTakeFirst();
  const times = [
    lanes?.leased,
    lanes?.quarantined,
    accepted?.accepted_at_ms,
    ended?.at,
    claimed?.claimed_at_ms,
    claimedAgain?.at,
    settled?.at,
    held?.at,
  ];
  return Math.max(0, ...times.map((at) => Number(at ?? 0n)));
}
