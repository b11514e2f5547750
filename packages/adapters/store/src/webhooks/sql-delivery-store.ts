import { unguessableId } from '@sotto/kernel';
import type { Claim, Delivery, DeliveryStore, Topic } from '@sotto/webhook-core';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { momentBefore, timeOf, type SqlDialect } from '../sql-dialect.js';

/**
 * Maximum number of times that the addition of a notification is tried. The number of instances
 * that add notifications of one topic concurrently is far lower.
 */
const TRIES = 100;

interface DeliveryRow {
  readonly id: string;
  readonly kind: Delivery['kind'];
  readonly subject: string;
  readonly component: string;
  readonly endpoint: string;
  readonly version: bigint;
  readonly sequence: bigint;
  readonly delivered_state: string | null;
  readonly wanted_state: string | null;
  readonly waited_ms: bigint | null;
  readonly failures: bigint;
}

const COLUMNS = [
  'id',
  'kind',
  'subject',
  'component',
  'endpoint',
  'version',
  'sequence',
  'delivered_state',
  'wanted_state',
  'failures',
] as const;

/** Condition that must equal the predicate of the index `webhook_deliveries_undelivered`. */
const UNDELIVERED = sql<boolean>`(delivered_state is null or wanted_state is not null)`;

/** Rows from which webhook messages are built, stored in a SQL database. */
export class SqlDeliveryStore implements DeliveryStore {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  async add(
    topic: Topic,
    endpoint: string,
    most: number,
    begun?: Delivery,
  ): Promise<'added' | 'known' | 'full'> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const ofTopic = await this.db
        .selectFrom('webhook_deliveries')
        .select(['endpoint', 'slot'])
        .where('kind', '=', topic.kind)
        .where('subject', '=', topic.subject)
        .where('component', '=', topic.component)
        .execute();
      if (ofTopic.some((row) => row.endpoint === endpoint)) return 'known';
      if (ofTopic.length >= most) return 'full';
      const taken = new Set(ofTopic.map(({ slot }) => Number(slot)));
      const slot = Array.from({ length: most }, (_, i) => i).find((i) => !taken.has(i));
      if (slot === undefined) return 'full';
      if (await this.#insert(topic, endpoint, slot, begun)) return 'added';
      // Another instance was faster: its row is visible to the next read.
    }
    throw new Error('the endpoint slot was lost to another instance in every attempt');
  }

  async ofKind(kind: Topic['kind']): Promise<readonly Delivery[]> {
    const rows = await this.db
      .selectFrom('webhook_deliveries')
      .select([...COLUMNS, this.#waitedMs])
      .where('kind', '=', kind)
      .execute();
    return rows.map(deliveryOf);
  }

  async count(endpoint: string): Promise<number> {
    const { rows } = await this.db
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.countAll<bigint>().as('rows'))
      .where('endpoint', '=', endpoint)
      .executeTakeFirstOrThrow();
    return Number(rows);
  }

  async countUndelivered(endpoint: string): Promise<number> {
    const { rows } = await this.db
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.countAll<bigint>().as('rows'))
      .where('endpoint', '=', endpoint)
      .where(UNDELIVERED)
      .executeTakeFirstOrThrow();
    return Number(rows);
  }

  async claim(endpoint: string, { limit, leaseMs }: Claim): Promise<readonly Delivery[]> {
    const now = await momentBefore(this.db, this.dialect, 0);
    const rows = await this.db
      .updateTable('webhook_deliveries')
      .set({ due_at_ms: timeOf(this.dialect, leaseMs), version: sql`version + 1` })
      .where('id', 'in', (eb) => {
        const due = eb
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('endpoint', '=', endpoint)
          .where('due_at_ms', '<=', now)
          .orderBy('due_at_ms')
          .limit(limit);
        return this.dialect.rowLocks ? due.forUpdate().skipLocked() : due;
      })
      .returning([...COLUMNS, this.#waitedMs])
      .execute();
    return rows.map(deliveryOf);
  }

  async want(delivery: Delivery, state: string, leaseMs: number): Promise<Delivery | null> {
    const row = await this.#held(delivery)
      .set({
        wanted_state: state,
        wanted_since_ms: timeOf(this.dialect),
        sequence: sql`sequence + 1`,
        failures: 0n,
        due_at_ms: timeOf(this.dialect, leaseMs),
      })
      .returning([...COLUMNS, this.#waitedMs])
      .executeTakeFirst();
    return row === undefined ? null : deliveryOf(row);
  }

  async settle(delivery: Delivery, state: string | null, dueInMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#held(delivery)
      .set({
        delivered_state: state,
        wanted_state: null,
        wanted_since_ms: null,
        failures: 0n,
        due_at_ms: timeOf(this.dialect, dueInMs),
      })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async postpone(delivery: Delivery, failures: number, dueInMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#held(delivery)
      .set({ failures: BigInt(failures), due_at_ms: timeOf(this.dialect, dueInMs) })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async remove({ id, version }: Delivery): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('webhook_deliveries')
      .where('id', '=', id)
      .where('version', '=', BigInt(version))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async makeDue(endpoint: string): Promise<void> {
    const now = await momentBefore(this.db, this.dialect, 0);
    await this.db
      .updateTable('webhook_deliveries')
      .set({ due_at_ms: timeOf(this.dialect) })
      .where('endpoint', '=', endpoint)
      .where(UNDELIVERED)
      .where('due_at_ms', '>', now)
      .execute();
  }

  async forget(olderThanMs: number, limit: number): Promise<number> {
    const before = await momentBefore(this.db, this.dialect, olderThanMs);
    const { numDeletedRows } = await this.db
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('added_at_ms', '<', before)
          .where((or) => or.or([or('kind', '=', 'submission'), or('due_at_ms', '<', before)]))
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async #insert(topic: Topic, endpoint: string, slot: number, begun?: Delivery): Promise<boolean> {
    const { kind, subject, component } = topic;
    const waitedMs = begun?.waitedMs ?? null;
    const { numInsertedOrUpdatedRows = 0n } = await this.db
      .insertInto('webhook_deliveries')
      .values({
        id: begun?.id ?? unguessableId(),
        kind,
        subject,
        component,
        endpoint,
        slot: BigInt(slot),
        version: 1n,
        sequence: BigInt(begun?.sequence ?? 0),
        delivered_state: begun?.deliveredState ?? null,
        wanted_state: begun?.wantedState ?? null,
        wanted_since_ms: waitedMs === null ? null : timeOf(this.dialect, -Math.round(waitedMs)),
        failures: BigInt(begun?.failures ?? 0),
        due_at_ms: timeOf(this.dialect),
        added_at_ms: timeOf(this.dialect),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }

  /**
   * Builds an update of the row that applies only if the row still has the version that this
   * instance has read.
   */
  #held({ id, version }: Delivery) {
    return this.db
      .updateTable('webhook_deliveries')
      .set({ version: sql`version + 1` })
      .where('id', '=', id)
      .where('version', '=', BigInt(version));
  }

  get #waitedMs() {
    return sql<bigint | null>`${timeOf(this.dialect)} - wanted_since_ms`.as('waited_ms');
  }
}

function deliveryOf(row: DeliveryRow): Delivery {
  const { id, kind, subject, component, endpoint } = row;
  return {
    id,
    kind,
    subject,
    component,
    endpoint,
    version: Number(row.version),
    sequence: Number(row.sequence),
    deliveredState: row.delivered_state,
    wantedState: row.wanted_state,
    waitedMs: row.waited_ms === null ? null : Number(row.waited_ms),
    failures: Number(row.failures),
  };
}
