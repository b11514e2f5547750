import { systemClock, type Clock, type Felt, type Felts } from '@sotto/kernel';
import { decide as machine } from '../domain/decide.js';
import type { SubmissionCommand } from '../domain/events.js';
import type { LaneShare } from '../domain/lane-shares.js';
import {
  refOf,
  sameRef,
  type Attempt,
  type AttemptRef,
  type BlockRef,
  type Lane,
  type LaneRole,
  type NonceRow,
  type OpenNonce,
  type TransactionRow,
} from '../domain/rows.js';
import {
  ownerOf,
  scopeOf,
  type Decision,
  type MachineState,
  type RowChanges,
} from '../domain/machine-state.js';
import type { SignedEnvelope, SignedParts } from '../domain/signed-envelope.js';
import { LedgerOfAnotherChain, LedgerUnavailable } from '../errors.js';
import type {
  AttemptWithTransactions,
  ChainIdentity,
  Ledger,
  LedgerState,
  CommandResult,
} from '../ports/ledger.port.js';
import {
  brokenConstraint,
  isStorable,
  nameOf,
  nonceName,
  type LedgerRows,
} from './ledger-constraints.js';
import { lastOf, noncesOf, transactionsAt, transactionsBy, viewOf } from './ledger-view.js';

export interface InMemoryLedgerOptions {
  /**
   * Clock of the store. If it has a monotonic clock, steps of its wall clock after the ledger's
   * creation have no effect.
   * @default systemClock
   */
  readonly clock?: Pick<Clock, 'nowMs'> & Partial<Pick<Clock, 'monotonicMs'>>;
  /** @default the submission machine */
  readonly decide?: (event: SubmissionCommand, view: MachineState) => Decision;
  /**
   * Set to false to write rows that violate constraints. A test then checks only the conditions of
   * the machine.
   * @default true
   */
  readonly constraints?: boolean;
}

/** Ledger in memory, for tests that need no durability. Rejects the same commands as a database. */
export class InMemoryLedger implements Ledger {
  #nowMs: () => number;
  readonly #decide: (event: SubmissionCommand, view: MachineState) => Decision;
  readonly #constraints: boolean;
  readonly #leaseEndsMs = new Map<Felt, number>();
  /** Ends of the announcements of each instance, by lane. */
  readonly #candidates = new Map<Felt, Map<string, number>>();
  readonly #reservations = new Map<
    string,
    { readonly instance: string; readonly untilMs: number }
  >();
  readonly #calldata = new Map<string, Felts>();
  readonly #signed = new Map<Felt, SignedEnvelope>();
  #rows: LedgerRows = {
    lanes: new Map(),
    attempts: new Map(),
    nonces: new Map(),
    transactions: new Map(),
  };
  #chain: ChainIdentity | null = null;
  #lastBlock: number | null = null;
  #possibleCopySinceMs: number | null = null;

  constructor({
    clock = systemClock,
    decide = machine,
    constraints = true,
  }: InMemoryLedgerOptions = {}) {
    this.#constraints = constraints;
    this.#decide = decide;
    const monotonicMs = clock.monotonicMs?.bind(clock);
    const originMs = monotonicMs === undefined ? 0 : clock.nowMs() - monotonicMs();
    this.#nowMs =
      monotonicMs === undefined ? () => clock.nowMs() : () => Math.round(originMs + monotonicMs());
  }

  /** Returns a ledger with a copy of all stored rows, like a restored backup. */
  copy(): InMemoryLedger {
    const copy = new InMemoryLedger({ decide: this.#decide, constraints: this.#constraints });
    copy.#nowMs = this.#nowMs;
    const { lanes, attempts, nonces, transactions } = this.#rows;
    copy.#rows = {
      lanes: new Map(lanes),
      attempts: new Map(attempts),
      nonces: new Map(nonces),
      transactions: new Map(transactions),
    };
    for (const [address, endsMs] of this.#leaseEndsMs) copy.#leaseEndsMs.set(address, endsMs);
    for (const [id, calldata] of this.#calldata) copy.#calldata.set(id, calldata);
    for (const [hash, envelope] of this.#signed) copy.#signed.set(hash, envelope);
    copy.#chain = this.#chain;
    copy.#lastBlock = this.#lastBlock;
    copy.#possibleCopySinceMs = this.#possibleCopySinceMs;
    return copy;
  }

  /**
   * Marks the ledger as a possible copy, as a store does when it is opened from a copied database.
   */
  markPossibleCopy(): void {
    this.#possibleCopySinceMs = this.#nowMs();
  }

  /** All rows, for code that reads them directly and not through the port. */
  get rows(): LedgerRows {
    return this.#rows;
  }

  async apply(event: SubmissionCommand): Promise<CommandResult> {
    const { key, nonce } = scopeOf(event);
    if (nonce !== null && !isStorable(nonce)) throw refused('integers have 64 bits');
    const view = viewOf(this.#rows, event, this.#nowMs());
    const decision = this.#decide(event, view);
    const before = key === null ? ownerOf(view) : view.lastAttempt;
    if (!decision.applied) return { applied: false, because: decision.because, attempt: before };
    const { attempts = [], nonces = [], transactions = [] } = decision.changes;
    this.#write(view, decision.changes);
    return {
      applied: true,
      attempt: attempts.at(-1) ?? before,
      nonce: nonces.at(-1) ?? null,
      written: { attempts, nonces, transactions },
    };
  }

  async attemptById(id: string): Promise<Attempt | null> {
    return this.#attempts((row) => row.id === id).at(0) ?? null;
  }

  async attemptWithTransactions(id: string): Promise<AttemptWithTransactions | null> {
    const attempt = await this.attemptById(id);
    return attempt === null
      ? null
      : { attempt, transactions: transactionsBy(this.#rows, refOf(attempt)) };
  }

  async lastAttempt(key: string): Promise<Attempt | null> {
    return lastOf(this.#rows, key);
  }

  async attempt(ref: AttemptRef): Promise<Attempt | null> {
    return this.#rows.attempts.get(nameOf(ref)) ?? null;
  }

  async waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]> {
    return this.#attempts((row) => row.state === 'accepted' && row.role === role).slice(0, limit);
  }

  async countWaiting(role: LaneRole): Promise<number> {
    return this.#attempts((row) => row.state === 'accepted' && row.role === role).length;
  }

  async openNonces(lane: Felt): Promise<readonly OpenNonce[]> {
    return noncesOf(this.#rows, lane)
      .filter(({ state }) => state === 'open')
      .map((row) => ({
        row,
        owner: this.#owner(row),
        transactions: transactionsAt(this.#rows, row),
      }));
  }

  async unfinalNonces(
    lane: Felt,
    order: 'newest' | 'oldest',
    limit: number,
  ): Promise<readonly NonceRow[]> {
    const unfinal = noncesOf(this.#rows, lane).filter(
      ({ settlement }) => settlement?.isFinal === false && settlement.block !== null,
    );
    const oldestFirst = unfinal.toSorted((a, b) => heightOf(a) - heightOf(b));
    return (order === 'oldest' ? oldestFirst : oldestFirst.toReversed()).slice(0, limit);
  }

  async finalNonces(lane: Felt, limit: number): Promise<readonly NonceRow[]> {
    return noncesOf(this.#rows, lane)
      .filter(({ settlement }) => settlement?.isFinal === true && settlement.block !== null)
      .toSorted((a, b) => Number(b.nonce - a.nonce))
      .slice(0, limit);
  }

  async transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]> {
    return transactionsBy(this.#rows, ref);
  }

  async inclusionOf(ref: AttemptRef): Promise<BlockRef | null> {
    const row = [...this.#rows.nonces.values()].find(
      ({ owner, state }) => state === 'settled' && sameRef(owner, ref),
    );
    return row?.settlement?.block ?? null;
  }

  async calldata(id: string): Promise<Felts | null> {
    return this.#calldata.get(id) ?? null;
  }

  async signedParts(hash: Felt): Promise<SignedParts | null> {
    const envelope = this.#signed.get(hash);
    if (envelope === undefined) return null;
    const ref = this.#rows.transactions.get(hash)?.attempt ?? null;
    const caller = ref === null ? undefined : this.#rows.attempts.get(nameOf(ref));
    return {
      envelope,
      target: envelope.calldataAt === null ? null : (caller?.target ?? null),
      calldata: this.#calldata.get(caller?.id ?? '') ?? null,
    };
  }

  async state(): Promise<LedgerState> {
    const settlements = [...this.#rows.nonces.values()].map(({ settlement }) => settlement);
    return {
      chain: this.#chain,
      lastBlock: this.#lastBlock,
      nowMs: this.#nowMs(),
      possibleCopySinceMs: this.#possibleCopySinceMs,
      disprovedRefusals: settlements.filter((settlement) => settlement?.disprovesRejection === true)
        .length,
      lanes: this.#lanes(),
    };
  }

  async bindChain({ chainId, genesisHash }: ChainIdentity): Promise<void> {
    this.#chain ??= { chainId, genesisHash };
    if (this.#chain.chainId === chainId && this.#chain.genesisHash === genesisHash) return;
    throw new LedgerOfAnotherChain({ message: 'the ledger holds transactions of another chain' });
  }

  async noteBlock(number: number): Promise<void> {
    this.#lastBlock = Math.max(this.#lastBlock ?? number, number);
  }

  async clearPossibleCopy(sinceMs: number): Promise<void> {
    if (this.#possibleCopySinceMs === sinceMs) this.#possibleCopySinceMs = null;
  }

  async pauseLane(address: Felt, reason: string | null): Promise<boolean> {
    const lane = this.#rows.lanes.get(address);
    if (lane === undefined) return false;
    this.#rows.lanes.set(address, { ...lane, pausedFor: reason });
    return true;
  }

  async registerLane(address: Felt, role: LaneRole): Promise<void> {
    const lane = this.#rows.lanes.get(address) ?? {
      address,
      leasedTo: null,
      fence: 0n,
      nextNonce: null,
      quarantine: null,
      pausedFor: null,
    };
    this.#rows.lanes.set(address, { ...lane, role });
  }

  async lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null> {
    const lane = this.#rows.lanes.get(address);
    if (lane === undefined) return null;
    const nowMs = this.#nowMs();
    const free =
      lane.leasedTo === null ||
      lane.leasedTo === instance ||
      (this.#leaseEndsMs.get(address) ?? 0) <= nowMs;
    if (!free) return null;
    const leased: Lane = { ...lane, leasedTo: instance, fence: lane.fence + 1n };
    this.#rows.lanes.set(address, leased);
    this.#leaseEndsMs.set(address, nowMs + ttlMs);
    return leased;
  }

  async renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean> {
    if (this.#held(address, instance, fence) === null) return false;
    this.#leaseEndsMs.set(address, this.#nowMs() + ttlMs);
    return true;
  }

  async unlease(address: Felt, instance: string, fence: bigint): Promise<void> {
    const lane = this.#held(address, instance, fence);
    if (lane !== null) this.#rows.lanes.set(address, { ...lane, leasedTo: null });
  }

  async handOver(
    address: Felt,
    instance: string,
    fence: bigint,
    to: string,
    ttlMs: number,
  ): Promise<boolean> {
    const lane = this.#held(address, instance, fence);
    const isAble = (this.#candidates.get(address)?.get(to) ?? 0) > this.#nowMs();
    if (lane === null || !isAble) return false;
    this.#rows.lanes.set(address, { ...lane, leasedTo: to, fence: lane.fence + 1n });
    this.#leaseEndsMs.set(address, this.#nowMs() + ttlMs);
    return true;
  }

  async announce(
    instance: string,
    lanes: readonly Felt[],
    ttlMs: number,
  ): Promise<readonly LaneShare[]> {
    const nowMs = this.#nowMs();
    for (const candidates of this.#candidates.values()) candidates.delete(instance);
    for (const lane of lanes) {
      const candidates = this.#candidates.get(lane) ?? new Map<string, number>();
      this.#candidates.set(lane, candidates.set(instance, nowMs + ttlMs));
    }
    return this.#lanes()
      .map(({ address, role, leasedTo }) => {
        const leasedForMs = Math.max(0, (this.#leaseEndsMs.get(address) ?? 0) - nowMs);
        const isLeased = leasedTo !== null && leasedForMs > 0;
        return {
          address,
          role,
          holder: isLeased ? leasedTo : null,
          leasedForMs: isLeased ? leasedForMs : 0,
          candidates: [...(this.#candidates.get(address) ?? [])]
            .flatMap(([name, untilMs]) => (untilMs > nowMs ? [name] : []))
            .toSorted(),
        };
      })
      .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  }

  async reserve(
    attemptIds: readonly string[],
    instance: string,
    ttlMs: number,
  ): Promise<readonly string[]> {
    const nowMs = this.#nowMs();
    return attemptIds.filter((id) => {
      const reserved = this.#reservations.get(id);
      if (reserved !== undefined && reserved.instance !== instance && reserved.untilMs > nowMs)
        return false;
      this.#reservations.set(id, { instance, untilMs: nowMs + ttlMs });
      return true;
    });
  }

  async redact(retentionMs: number): Promise<number> {
    const endedBeforeMs = this.#nowMs() - retentionMs;
    const isOld = (atMs: number | null | undefined): boolean =>
      atMs !== null && atMs !== undefined && atMs < endedBeforeMs;
    const old = this.#attempts(({ endedAtMs }) => isOld(endedAtMs));
    const final = this.#attempts((row) => row.isFinal && !this.#mayBeSentAgain(row));
    const wiped = [...new Set([...old, ...final])].filter(({ id }) => this.#calldata.delete(id));
    for (const { hash, lane, nonce, attempt } of this.#rows.transactions.values()) {
      const settlement = this.#rows.nonces.get(nonceName({ lane, nonce }))?.settlement;
      const isServed = settlement?.isFinal === true || isOld(settlement?.atMs);
      if (isServed || old.some((row) => sameRef(attempt, refOf(row)))) this.#signed.delete(hash);
    }
    return wiped.length;
  }

  /**
   * Writes all of the rows or none, like a database transaction. The changes are made on copies,
   * which replace the rows if all constraints are satisfied.
   */
  #write(view: MachineState, writes: RowChanges): void {
    const { lanes, attempts, nonces, transactions } = this.#rows;
    const next = {
      lanes: new Map(lanes),
      attempts: new Map(attempts),
      nonces: new Map(nonces),
      transactions: new Map(transactions),
    };
    const read = [view.lastAttempt, ...view.callers.map(({ attempt }) => attempt)].flatMap((row) =>
      row === null ? [] : [nameOf(row)],
    );
    const readNonce = view.nonce === null ? null : nonceName(view.nonce);
    for (const row of writes.attempts ?? [])
      put(next.attempts, nameOf(row), row, read.includes(nameOf(row)));
    for (const row of writes.nonces ?? [])
      put(next.nonces, nonceName(row), row, readNonce === nonceName(row));
    for (const row of writes.transactions ?? []) {
      const wasRead = view.transactions.some(({ hash }) => hash === row.hash);
      put(next.transactions, row.hash, row, wasRead);
    }
    for (const { address, nextNonce, quarantine } of writes.lanes ?? []) {
      const lane = lanes.get(address);
      if (lane === undefined) throw refused('a lane that is written has a row');
      next.lanes.set(address, { ...lane, nextNonce, quarantine });
    }
    const broken = this.#constraints ? brokenConstraint(next, writes) : null;
    if (broken !== null) throw refused(broken);
    this.#rows = next;
    if (writes.calldata !== undefined)
      this.#calldata.set(writes.calldata.id, writes.calldata.calldata);
    if (writes.signed !== undefined) this.#signed.set(writes.signed.hash, writes.signed.envelope);
  }

  /**
   * True if the attempt has a transaction that was not refused and whose nonce is open or could be
   * reopened.
   */
  #mayBeSentAgain(row: Attempt): boolean {
    return transactionsBy(this.#rows, refOf(row)).some(
      (stored) =>
        stored.gone !== 'refused' &&
        this.#rows.nonces.get(nonceName(stored))?.settlement?.isFinal !== true,
    );
  }

  #attempts(which: (row: Attempt) => boolean): Attempt[] {
    return [...this.#rows.attempts.values()].filter(which);
  }

  #lanes(): readonly Lane[] {
    return [...this.#rows.lanes.values()];
  }

  #owner({ owner }: NonceRow): Attempt | null {
    return owner === null ? null : (this.#rows.attempts.get(nameOf(owner)) ?? null);
  }

  #held(address: Felt, instance: string, fence: bigint): Lane | null {
    const lane = this.#rows.lanes.get(address);
    return lane?.leasedTo === instance && lane.fence === fence ? lane : null;
  }
}

/**
 * Writes a row: replaces a row that was read, or adds a new one. Never overwrites a row that was
 * not read.
 */
function put<Row>(rows: Map<string, Row>, name: string, row: Row, wasRead: boolean): void {
  if (!wasRead && rows.has(name)) throw refused('the row is there already');
  rows.set(name, row);
}

function refused(why: string): LedgerUnavailable {
  return new LedgerUnavailable({
    message: 'the ledger store did not answer',
    cause: new Error(why),
  });
}

const heightOf = ({ settlement }: NonceRow): number => settlement?.block?.number ?? 0;
