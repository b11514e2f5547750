import type { Felt } from '@sotto/kernel';
import type { LaneShare } from '@sotto/submission-core';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/** Time after which the row of an expired reservation is deleted, in ms. */
const RESERVATION_IS_KEPT_MS = 60_000;

interface Announcement {
  readonly instance: string;
  readonly lanes: readonly Felt[];
  readonly ttlMs: number;
}

/**
 * Replaces the lanes that the instance has announced, and returns every lane with its holder and
 * its candidates. Called within a transaction.
 */
export async function announceLanes(
  db: Kysely<StoreSchema>,
  dialect: Pick<SqlDialect, 'time'>,
  { instance, lanes, ttlMs }: Announcement,
): Promise<readonly LaneShare[]> {
  const untilMs = timeOf(dialect, ttlMs);
  const removed = db
    .deleteFrom('lane_candidates')
    .where((eb) =>
      eb.or([
        eb('until_ms', '<=', timeOf(dialect)),
        lanes.length === 0
          ? eb('instance', '=', instance)
          : eb.and([eb('instance', '=', instance), eb('lane', 'not in', lanes)]),
      ]),
    )
    .execute();
  const announced =
    lanes.length === 0
      ? null
      : db
          .insertInto('lane_candidates')
          .values(lanes.toSorted().map((lane) => ({ lane, instance, until_ms: untilMs })))
          .onConflict((conflict) =>
            conflict.columns(['lane', 'instance']).doUpdateSet({ until_ms: untilMs }),
          )
          .execute();
  const read = db
    .selectFrom('lanes')
    .leftJoin('lane_candidates', (join) =>
      join
        .onRef('lane_candidates.lane', '=', 'lanes.address')
        .on('lane_candidates.until_ms', '>', timeOf(dialect)),
    )
    .select(['lanes.address', 'lanes.role', 'lanes.leased_to', 'lane_candidates.instance'])
    .select(sql<bigint>`lanes.lease_until_ms - (${timeOf(dialect)})`.as('leased_for_ms'))
    .orderBy('lanes.address')
    .orderBy('lane_candidates.instance')
    .execute();
  // Wait for all statements together: a lost connection fails each of them.
  const [rows] = await Promise.all([read, removed, announced]);
  const shares = new Map<Felt, LaneShare>();
  for (const {
    address,
    role,
    leased_to: leasedTo,
    leased_for_ms: forMs,
    instance: candidate,
  } of rows) {
    const isLeased = leasedTo !== null && forMs > 0n;
    const { candidates = [] } = shares.get(address) ?? {};
    shares.set(address, {
      address,
      role,
      holder: isLeased ? leasedTo : null,
      leasedForMs: isLeased ? Number(forMs) : 0,
      candidates: candidate === null ? candidates : [...candidates, candidate],
    });
  }
  return [...shares.values()];
}

interface Reservation {
  readonly instance: string;
  readonly ids: readonly string[];
  readonly ttlMs: number;
}

/**
 * Reserves those attempts that no other instance has reserved, and returns their ids. Called within
 * a transaction. The rows are written in the order of their ids, so two instances never wait for
 * each other.
 */
export async function reserveAttempts(
  db: Kysely<StoreSchema>,
  dialect: Pick<SqlDialect, 'time'>,
  { instance, ids, ttlMs }: Reservation,
): Promise<readonly string[]> {
  const untilMs = timeOf(dialect, ttlMs);
  const reserved = db
    .insertInto('attempt_reservations')
    .values([...new Set(ids)].toSorted().map((id) => ({ id, instance, until_ms: untilMs })))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ instance, until_ms: untilMs })
        .where((eb) =>
          eb.or([
            eb('attempt_reservations.instance', '=', instance),
            eb('attempt_reservations.until_ms', '<=', timeOf(dialect)),
          ]),
        ),
    )
    .returning('id')
    .execute();
  const rows = await reserved;
  await db
    .deleteFrom('attempt_reservations')
    .where('until_ms', '<', timeOf(dialect, -RESERVATION_IS_KEPT_MS))
    .execute();
  return rows.map(({ id }) => id);
}
