import type { Felt, Felts } from '@sotto/kernel';
import {
  LedgerOfAnotherChain,
  decide as machine,
  ownerOf,
  scopeOf,
  type Attempt,
  type AttemptRef,
  type AttemptWithTransactions,
  type BlockRef,
  type ChainIdentity,
  type Decision,
  type Lane,
  type LaneRole,
  type Ledger,
  type LedgerState,
  type NonceRow,
  type OpenNonce,
  type CommandResult,
  type LaneShare,
  type SignedParts,
  type SubmissionCommand,
  type TransactionRow,
  type MachineState,
} from '@sotto/submission-core';
import type { Kysely } from 'kysely';
import { timeOf, type SqlDialect } from '../sql-dialect.js';
import { loadAttemptWithTransactions } from './attempt-with-transactions.js';
import { toFelts } from './calldata.js';
import { GroupedCommands } from './grouped-commands.js';
import { loadState } from './lanes.js';
import { announceLanes, reserveAttempts } from './lane-shares.js';
import { loadOpenNonces } from './open-nonces.js';
import { LANE, toLane } from './lane-rows.js';
import { toAttempt, toNonce } from './rows.js';
import { toTransaction } from './transaction-rows.js';
import type { StoreSchema } from '../schema.js';
import {
  attemptById,
  calldataOf,
  countedWaiting,
  finalNoncesOf,
  settledNonceOfAttempt,
  signedPartsOf,
  transactionsOfAttempt,
  unfinalNoncesOf,
  waitingAttempts,
} from './ledger-statements.js';
import { loadAttempt, loadLastAttempt, loadView } from './view.js';
import { Redaction } from './redaction.js';
import { applyWrites } from './write.js';

/** Ledger that is stored in a SQL database. */
export class SqlLedger implements Ledger {
  readonly #wipe: Redaction;
  readonly #commands: GroupedCommands;
  readonly #reads: Kysely<StoreSchema>;
  /** Read of the state that has not begun yet; null if there is none. */
  #nextState: Promise<LedgerState> | null = null;
  /**
   * Resolves when every command that was submitted before this call has settled. Used to close the
   * store.
   */
  readonly idle = (): Promise<void> => this.#commands.idle();

  /** @param decide state machine; tests replace it to check the database's constraints */
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
    private readonly decide: (event: SubmissionCommand, view: MachineState) => Decision = machine,
  ) {
    this.#wipe = new Redaction(db, dialect);
    this.#reads = dialect.reads(db);
    this.#commands = new GroupedCommands(db, dialect, (within, event) =>
      this.#recordIn(within, event),
    );
  }

  apply(event: SubmissionCommand): Promise<CommandResult> {
    return this.#commands.apply(event);
  }

  async attemptById(id: string): Promise<Attempt | null> {
    const row = await attemptById.first(this.#reads, { id });
    return row === undefined ? null : toAttempt(row);
  }

  attemptWithTransactions(id: string): Promise<AttemptWithTransactions | null> {
    return loadAttemptWithTransactions(this.#reads, id);
  }

  lastAttempt(key: string): Promise<Attempt | null> {
    return loadLastAttempt(this.#reads, key);
  }

  attempt(ref: AttemptRef): Promise<Attempt | null> {
    return loadAttempt(this.#reads, ref);
  }

  async waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]> {
    const rows = await waitingAttempts.all(this.#reads, { role, limit: BigInt(limit) });
    return rows.map(toAttempt);
  }

  async countWaiting(role: LaneRole): Promise<number> {
    const counted = await countedWaiting.first(this.#reads, { role });
    return Number(counted?.waiting);
  }

  openNonces(lane: Felt): Promise<readonly OpenNonce[]> {
    return loadOpenNonces(this.#reads, lane);
  }

  async unfinalNonces(
    lane: Felt,
    order: 'newest' | 'oldest',
    limit: number,
  ): Promise<readonly NonceRow[]> {
    const rows = await unfinalNoncesOf[order].all(this.#reads, { lane, limit: BigInt(limit) });
    return rows.map(toNonce);
  }

  async finalNonces(lane: Felt, limit: number): Promise<readonly NonceRow[]> {
    const rows = await finalNoncesOf.all(this.#reads, { lane, limit: BigInt(limit) });
    return rows.map(toNonce);
  }

  async transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]> {
    const rows = await transactionsOfAttempt.all(this.#reads, {
      key: ref.key,
      attempt: BigInt(ref.attempt),
    });
    return rows.map(toTransaction);
  }

  async inclusionOf(ref: AttemptRef): Promise<BlockRef | null> {
    const row = await settledNonceOfAttempt.first(this.#reads, {
      key: ref.key,
      attempt: BigInt(ref.attempt),
    });
    return row === undefined ? null : (toNonce(row).settlement?.block ?? null);
  }

  async calldata(id: string): Promise<Felts | null> {
    const row = await calldataOf.first(this.db, { id });
    return row === undefined ? null : toFelts(row.words);
  }

  async signedParts(hash: Felt): Promise<SignedParts | null> {
    const row = await signedPartsOf.first(this.db, { hash });
    if (row === undefined) return null;
    const { bytes, sha256, calldata_at: at, target_to: to, target_entrypoint: entrypoint } = row;
    return {
      envelope: { bytes, sha256, calldataAt: at === null ? null : Number(at) },
      target: to === null || entrypoint === null ? null : { to, entrypoint },
      calldata: row.words === null ? null : toFelts(row.words),
    };
  }

  /** Calls of the same tick share one read, which begins after all of them. */
  state(): Promise<LedgerState> {
    this.#nextState ??= new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      this.#nextState = null;
      return loadState(this.db, this.dialect);
    });
    return this.#nextState;
  }

  async bindChain({ chainId, genesisHash }: ChainIdentity): Promise<void> {
    await this.db
      .updateTable('chain')
      .set({ chain_id: chainId, genesis_hash: genesisHash })
      .where('chain_id', 'is', null)
      .execute();
    const bound = await this.db
      .selectFrom('chain')
      .select(['chain_id', 'genesis_hash'])
      .executeTakeFirstOrThrow();
    if (bound.chain_id === chainId && bound.genesis_hash === genesisHash) return;
    throw new LedgerOfAnotherChain({ message: 'the ledger holds transactions of another chain' });
  }

  async noteBlock(number: number): Promise<void> {
    await this.db
      .updateTable('chain')
      .set({ last_block: BigInt(number) })
      .where((eb) => eb.or([eb('last_block', 'is', null), eb('last_block', '<', BigInt(number))]))
      .execute();
  }

  async clearPossibleCopy(sinceMs: number): Promise<void> {
    await this.db
      .updateTable('chain')
      .set({ possible_copy_since_ms: null })
      .where('possible_copy_since_ms', '=', BigInt(sinceMs))
      .execute();
  }

  async pauseLane(address: Felt, reason: string | null): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('lanes')
      .set({ paused_for: reason })
      .where('address', '=', address)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async registerLane(address: Felt, role: LaneRole): Promise<void> {
    await this.db
      .insertInto('lanes')
      .values({ ...NEW_LANE, address, role })
      .onConflict((conflict) => conflict.column('address').doUpdateSet({ role }))
      .execute();
  }

  async lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null> {
    const row = await this.dialect.write(this.db, (within) =>
      within
        .updateTable('lanes')
        .set((eb) => ({
          leased_to: instance,
          fence: eb('fence', '+', 1n),
          ...this.#leasedFor(ttlMs),
        }))
        .where('address', '=', address)
        .where((eb) =>
          eb.or([
            eb('leased_to', 'is', null),
            eb('leased_to', '=', instance),
            eb('lease_until_ms', '<=', timeOf(this.dialect)),
          ]),
        )
        .returning(LANE)
        .executeTakeFirst(),
    );
    return row === undefined ? null : toLane(row);
  }

  async renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.dialect.write(this.db, (within) =>
      within
        .updateTable('lanes')
        .set(this.#leasedFor(ttlMs))
        .where('address', '=', address)
        .where('leased_to', '=', instance)
        .where('fence', '=', fence)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  async unlease(address: Felt, instance: string, fence: bigint): Promise<void> {
    await this.db
      .updateTable('lanes')
      .set({ leased_to: null, lease_until_ms: 0n })
      .where('address', '=', address)
      .where('leased_to', '=', instance)
      .where('fence', '=', fence)
      .execute();
  }

  async handOver(
    address: Felt,
    instance: string,
    fence: bigint,
    to: string,
    ttlMs: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.dialect.write(this.db, (within) =>
      within
        .updateTable('lanes')
        .set((eb) => ({
          leased_to: to,
          fence: eb('fence', '+', 1n),
          ...this.#leasedFor(ttlMs),
        }))
        .where('address', '=', address)
        .where('leased_to', '=', instance)
        .where('fence', '=', fence)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('lane_candidates')
              .select('instance')
              .where('lane', '=', address)
              .where('instance', '=', to)
              .where('until_ms', '>', timeOf(this.dialect)),
          ),
        )
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  announce(instance: string, lanes: readonly Felt[], ttlMs: number): Promise<readonly LaneShare[]> {
    return this.dialect.write(this.db, (within) =>
      announceLanes(within, this.dialect, { instance, lanes, ttlMs }),
    );
  }

  async reserve(
    attemptIds: readonly string[],
    instance: string,
    ttlMs: number,
  ): Promise<readonly string[]> {
    if (attemptIds.length === 0) return [];
    return this.dialect.write(this.db, (within) =>
      reserveAttempts(within, this.dialect, { instance, ids: attemptIds, ttlMs }),
    );
  }

  redact(retentionMs: number): Promise<number> {
    return this.#wipe.run(retentionMs);
  }

  #leasedFor(ttlMs: number) {
    return { lease_until_ms: timeOf(this.dialect, ttlMs), leased_at_ms: timeOf(this.dialect) };
  }

  async #recordIn(db: Kysely<StoreSchema>, event: SubmissionCommand): Promise<CommandResult> {
    const view = await loadView(db, this.dialect, event);
    const decision = this.decide(event, view);
    const before = scopeOf(event).key === null ? ownerOf(view) : view.lastAttempt;
    if (!decision.applied) return { applied: false, because: decision.because, attempt: before };
    const { attempts = [], nonces = [], transactions = [] } = decision.changes;
    await applyWrites(db, view, decision.changes);
    return {
      applied: true,
      attempt: attempts.at(-1) ?? before,
      nonce: nonces.at(-1) ?? null,
      written: { attempts, nonces, transactions },
    };
  }
}

const NEW_LANE = { leased_to: null, fence: 0n, lease_until_ms: 0n, leased_at_ms: 0n } as const;
