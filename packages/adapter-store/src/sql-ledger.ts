import { Felts, type Felt } from '@sotto/kernel';
import {
  decide as machine,
  scopeOf,
  type Attempt,
  type AttemptRef,
  type Decision,
  type Lane,
  type LaneRole,
  type Ledger,
  type OpenNonce,
  type Recorded,
  type SubmissionEvent,
  type TransactionRow,
  type View,
} from '@sotto/submission-core';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { answered } from './answered.js';
import type { SqlFlavor } from './flavor.js';
import { loadOpenNonces } from './open-nonces.js';
import { toAttempt, toLane, toTransaction } from './rows.js';
import {
  ATTEMPT_WAITS,
  type AttemptsTable,
  type CalldataTable,
  type SignedBytesTable,
  type StoreSchema,
  type TransactionsTable,
} from './schema.js';
import { Statement } from './statement.js';
import { highestNonce, loadAttempt, loadLastAttempt, loadView } from './view.js';
import { wipeSome } from './wipe.js';
import { applyWrites } from './write.js';

/** Where writers run side by side, the loser of an insert reads again; more losses in a row than this are no accident. */
const MAX_RUNS = 5;

/** The ledger on a SQL database. Any error of the store, constraint violations included, becomes `LedgerUnavailable`. */
export class SqlLedger implements Ledger {
  /** @param decide the machine. Tests put another in its place to see the database refuse what it must. */
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly flavor: SqlFlavor,
    private readonly decide: (event: SubmissionEvent, view: View) => Decision = machine,
  ) {}

  record(event: SubmissionEvent): Promise<Recorded> {
    return answered(async () => {
      for (let run = 1; ; run += 1) {
        try {
          return await this.db.transaction().execute((db) => this.#recordIn(db, event));
        } catch (error) {
          if (run === MAX_RUNS || !this.flavor.lostRace(error)) throw error;
        }
      }
    });
  }

  attemptById(id: string): Promise<Attempt | null> {
    return answered(async () => {
      const row = await attemptById.first(this.db, { id });
      return row === undefined ? null : toAttempt(row);
    });
  }

  lastAttempt(key: string): Promise<Attempt | null> {
    return answered(() => loadLastAttempt(this.db, key));
  }

  attempt(ref: AttemptRef): Promise<Attempt | null> {
    return answered(() => loadAttempt(this.db, ref));
  }

  waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]> {
    return answered(async () => {
      const rows = await waitingAttempts.all(this.db, { role, limit: BigInt(limit) });
      return rows.map(toAttempt);
    });
  }

  countWaiting(role: LaneRole): Promise<number> {
    return answered(async () => {
      const counted = await countedWaiting.first(this.db, { role });
      return Number(counted?.waiting);
    });
  }

  openNonces(lane: Felt): Promise<readonly OpenNonce[]> {
    return answered(() =>
      this.db
        .transaction()
        .setAccessMode('read only')
        .setIsolationLevel('repeatable read')
        .execute((db) => loadOpenNonces(db, lane)),
    );
  }

  nextNonce(lane: Felt): Promise<bigint | null> {
    return answered(async () => {
      const highest = await highestNonce(this.db, lane);
      return highest === null ? null : highest + 1n;
    });
  }

  transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]> {
    return answered(async () => {
      const rows = await transactionsOfAttempt.all(this.db, { key: ref.key, attempt: BigInt(ref.attempt) });
      return rows.map(toTransaction);
    });
  }

  calldata(id: string): Promise<Felts | null> {
    return answered(async () => {
      const row = await calldataOf.first(this.db, { id });
      return row === undefined ? null : Felts.fromBytes(row.words);
    });
  }

  signedBytes(hash: Felt): Promise<Uint8Array | null> {
    return answered(async () => {
      const row = await signedBytesOf.first(this.db, { hash });
      return row?.bytes ?? null;
    });
  }

  registerLane(address: Felt, role: LaneRole): Promise<void> {
    return answered(async () => {
      await this.db
        .insertInto('lanes')
        .values({ address, role, leased_to: null, fence: 0n, lease_until_ms: 0n })
        .onConflict((conflict) => conflict.column('address').doUpdateSet({ role }))
        .execute();
    });
  }

  lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null> {
    return answered(async () => {
      const row = await this.db
        .updateTable('lanes')
        .set((eb) => ({ leased_to: instance, fence: eb('fence', '+', 1n), lease_until_ms: this.flavor.nowMs(ttlMs) }))
        .where('address', '=', address)
        .where((eb) =>
          eb.or([eb('leased_to', 'is', null), eb('leased_to', '=', instance), eb('lease_until_ms', '<=', this.flavor.nowMs())]),
        )
        .returning(['address', 'role', 'leased_to', 'fence'])
        .executeTakeFirst();
      return row === undefined ? null : toLane(row);
    });
  }

  renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean> {
    return answered(async () => {
      const { numUpdatedRows } = await this.db
        .updateTable('lanes')
        .set({ lease_until_ms: this.flavor.nowMs(ttlMs) })
        .where('address', '=', address)
        .where('leased_to', '=', instance)
        .where('fence', '=', fence)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  unlease(address: Felt, instance: string, fence: bigint): Promise<void> {
    return answered(async () => {
      await this.db
        .updateTable('lanes')
        .set({ leased_to: null, lease_until_ms: 0n })
        .where('address', '=', address)
        .where('leased_to', '=', instance)
        .where('fence', '=', fence)
        .execute();
    });
  }

  wipe(endedBeforeMs: number): Promise<number> {
    return answered(async () => {
      let attempts = 0;
      for (;;) {
        const wiped = await this.db.transaction().execute((db) => wipeSome(db, this.flavor, endedBeforeMs));
        attempts += wiped.attempts;
        if (wiped.attempts + wiped.transactions === 0) break;
      }
      await this.flavor.forgetWiped();
      return attempts;
    });
  }

  async #recordIn(db: Transaction<StoreSchema>, event: SubmissionEvent): Promise<Recorded> {
    const scope = scopeOf(event);
    const view = await loadView(db, this.flavor, scope);
    const decision = this.decide(event, view);
    const before = scope.key === null ? view.owner : view.lastAttempt;
    if (!decision.written) return { written: false, because: decision.because, attempt: before };
    await applyWrites(db, view, decision.writes);
    return { written: true, attempt: decision.writes.attempts?.at(-1) ?? before };
  }
}

const attemptById = new Statement<{ readonly id: string }, Selectable<AttemptsTable>>((db, { id }) =>
  db.selectFrom('attempts').selectAll().where('id', '=', id),
);

const waitingAttempts = new Statement<{ readonly role: LaneRole; readonly limit: bigint }, Selectable<AttemptsTable>>(
  (db, { role, limit }) => db.selectFrom('attempts').selectAll().where('role', '=', role).where(ATTEMPT_WAITS).orderBy('seq').limit(limit),
);

const countedWaiting = new Statement<{ readonly role: LaneRole }, { readonly waiting: bigint }>((db, { role }) =>
  db
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<bigint>().as('waiting'))
    .where('role', '=', role)
    .where(ATTEMPT_WAITS),
);

const transactionsOfAttempt = new Statement<{ readonly key: string; readonly attempt: bigint }, Selectable<TransactionsTable>>(
  (db, { key, attempt }) =>
    db.selectFrom('transactions').selectAll().where('attempt_key', '=', key).where('attempt_number', '=', attempt).orderBy('seq'),
);

const calldataOf = new Statement<{ readonly id: string }, Pick<CalldataTable, 'words'>>((db, { id }) =>
  db.selectFrom('calldata').select('words').where('submission_id', '=', id),
);

const signedBytesOf = new Statement<{ readonly hash: Felt }, Pick<SignedBytesTable, 'bytes'>>((db, { hash }) =>
  db.selectFrom('signed_bytes').select('bytes').where('hash', '=', hash),
);
