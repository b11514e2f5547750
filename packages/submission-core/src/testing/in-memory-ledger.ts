import { systemClock, type Clock, type Felt, type Felts } from '@sotto/kernel';
import { decide as machine } from '../domain/decide.js';
import type { SubmissionEvent } from '../domain/events.js';
import {
  sameRef,
  type Attempt,
  type AttemptRef,
  type Lane,
  type LaneRole,
  type NonceRow,
  type TransactionRow,
  type OpenNonce,
} from '../domain/rows.js';
import { scopeOf, type Decision, type Scope, type View, type Writes } from '../domain/view.js';
import { LedgerUnavailable } from '../errors.js';
import type { Ledger, Recorded } from '../ports/ledger.port.js';
import { brokenConstraint, nameOf, nonceName, type LedgerRows } from './ledger-constraints.js';

export interface InMemoryLedgerOptions {
  /** The store's time, which leases run by. @default systemClock */
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** @default the submission machine */
  readonly decide?: (event: SubmissionEvent, view: View) => Decision;
  /** False: rows are taken whatever constraint they break, to see what the machine's own guards are worth. @default true */
  readonly constraints?: boolean;
}

/** The ledger in Maps: for tests, where nothing has to survive. It refuses what a database refuses. */
export class InMemoryLedger implements Ledger {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #decide: (event: SubmissionEvent, view: View) => Decision;
  readonly #leaseEndsMs = new Map<Felt, number>();
  readonly #calldata = new Map<string, Felts>();
  readonly #signed = new Map<Felt, Uint8Array>();
  #rows: LedgerRows = { lanes: new Map(), attempts: new Map(), nonces: new Map(), transactions: new Map() };

  readonly #constraints: boolean;

  constructor({ clock = systemClock, decide = machine, constraints = true }: InMemoryLedgerOptions = {}) {
    this.#constraints = constraints;
    this.#clock = clock;
    this.#decide = decide;
  }

  async record(event: SubmissionEvent): Promise<Recorded> {
    const scope = scopeOf(event);
    const view = this.#view(scope);
    const decision = this.#decide(event, view);
    const before = scope.key === null ? view.owner : view.lastAttempt;
    if (!decision.written) return { written: false, because: decision.because, attempt: before };
    this.#write(view, decision.writes);
    return { written: true, attempt: decision.writes.attempts?.at(-1) ?? before };
  }

  async attemptById(id: string): Promise<Attempt | null> {
    return this.#attempts((row) => row.id === id).at(0) ?? null;
  }

  async lastAttempt(key: string): Promise<Attempt | null> {
    return this.#last(key);
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
    return this.#nonces(lane)
      .filter(({ state }) => state === 'open')
      .map((row) => ({ row, owner: this.#owner(row), transactions: this.#transactions((other) => isUnder(other, row)) }));
  }

  async nextNonce(lane: Felt): Promise<bigint | null> {
    const highest = this.#highest(lane);
    return highest === null ? null : highest + 1n;
  }

  async transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]> {
    return this.#transactions((row) => sameRef(row.attempt, ref));
  }

  async calldata(id: string): Promise<Felts | null> {
    return this.#calldata.get(id) ?? null;
  }

  async signedBytes(hash: Felt): Promise<Uint8Array | null> {
    return this.#signed.get(hash) ?? null;
  }

  async registerLane(address: Felt, role: LaneRole): Promise<void> {
    const lane = this.#rows.lanes.get(address) ?? { address, role, leasedTo: null, fence: 0n };
    this.#rows.lanes.set(address, { ...lane, role });
  }

  async lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null> {
    const lane = this.#rows.lanes.get(address);
    if (lane === undefined) return null;
    const nowMs = this.#clock.nowMs();
    const free = lane.leasedTo === null || lane.leasedTo === instance || (this.#leaseEndsMs.get(address) ?? 0) <= nowMs;
    if (!free) return null;
    const leased: Lane = { ...lane, leasedTo: instance, fence: lane.fence + 1n };
    this.#rows.lanes.set(address, leased);
    this.#leaseEndsMs.set(address, nowMs + ttlMs);
    return leased;
  }

  async renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean> {
    if (this.#held(address, instance, fence) === null) return false;
    this.#leaseEndsMs.set(address, this.#clock.nowMs() + ttlMs);
    return true;
  }

  async unlease(address: Felt, instance: string, fence: bigint): Promise<void> {
    const lane = this.#held(address, instance, fence);
    if (lane !== null) this.#rows.lanes.set(address, { ...lane, leasedTo: null });
  }

  async wipe(endedBeforeMs: number): Promise<number> {
    const ended = this.#attempts(({ endedAtMs }) => endedAtMs !== null && endedAtMs < endedBeforeMs);
    const wiped = ended.filter(({ id }) => this.#calldata.delete(id));
    for (const { hash, lane, nonce, attempt } of this.#rows.transactions.values()) {
      const isSettled = this.#rows.nonces.get(nonceName({ lane, nonce }))?.state === 'settled';
      if (isSettled || ended.some((row) => sameRef(attempt, { key: row.key, attempt: row.attempt }))) this.#signed.delete(hash);
    }
    return wiped.length;
  }

  #view({ key, lane, nonce }: Scope): View {
    const laneRow = lane === null ? null : (this.#rows.lanes.get(lane) ?? null);
    const lastAttempt = key === null ? null : this.#last(key);
    if (lane === null || nonce === null) {
      return { lastAttempt, lane: laneRow, nonce: null, owner: null, transactions: [], highestNonce: null, liveAbove: false };
    }
    const row = this.#rows.nonces.get(nonceName({ lane, nonce })) ?? null;
    const openAbove = this.#nonces(lane).filter((above) => above.nonce > nonce && above.state === 'open');
    return {
      lastAttempt,
      lane: laneRow,
      nonce: row,
      owner: row === null ? null : this.#owner(row),
      transactions: this.#transactions((transaction) => isUnder(transaction, { lane, nonce })),
      highestNonce: this.#highest(lane),
      liveAbove: openAbove.some(
        (above) => this.#transactions((transaction) => isUnder(transaction, above) && !transaction.dead).length > 0,
      ),
    };
  }

  /** All of it or nothing, as a transaction: on copies, which take the place of the rows once they hold every constraint. */
  #write(view: View, writes: Writes): void {
    const next: LedgerRows = {
      lanes: this.#rows.lanes,
      attempts: new Map(this.#rows.attempts),
      nonces: new Map(this.#rows.nonces),
      transactions: new Map(this.#rows.transactions),
    };
    for (const row of writes.attempts ?? []) {
      put(
        next.attempts,
        nameOf(row),
        row,
        [view.lastAttempt, view.owner].some((known) => known !== null && nameOf(known) === nameOf(row)),
      );
    }
    for (const row of writes.nonces ?? [])
      put(next.nonces, nonceName(row), row, view.nonce !== null && nonceName(view.nonce) === nonceName(row));
    for (const row of writes.transactions ?? [])
      put(
        next.transactions,
        row.hash,
        row,
        view.transactions.some(({ hash }) => hash === row.hash),
      );
    const broken = this.#constraints ? brokenConstraint(next, writes) : null;
    if (broken !== null) throw refused(broken);
    this.#rows = next;
    if (writes.calldata !== undefined) this.#calldata.set(writes.calldata.id, writes.calldata.calldata);
    if (writes.signed !== undefined) this.#signed.set(writes.signed.hash, writes.signed.bytes);
  }

  #attempts(which: (row: Attempt) => boolean): Attempt[] {
    return [...this.#rows.attempts.values()].filter(which);
  }

  #last(key: string): Attempt | null {
    return this.#attempts((row) => row.key === key).reduce<Attempt | null>(
      (last, row) => (last === null || row.attempt > last.attempt ? row : last),
      null,
    );
  }

  #nonces(lane: Felt): NonceRow[] {
    return [...this.#rows.nonces.values()].filter((row) => row.lane === lane).toSorted((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  #highest(lane: Felt): bigint | null {
    return this.#nonces(lane).at(-1)?.nonce ?? null;
  }

  #owner({ owner }: NonceRow): Attempt | null {
    return owner === null ? null : (this.#rows.attempts.get(nameOf(owner)) ?? null);
  }

  #transactions(which: (row: TransactionRow) => boolean): TransactionRow[] {
    return [...this.#rows.transactions.values()].filter(which);
  }

  #held(address: Felt, instance: string, fence: bigint): Lane | null {
    const lane = this.#rows.lanes.get(address);
    return lane?.leasedTo === instance && lane.fence === fence ? lane : null;
  }
}

/** Puts a row in the place of one that was read, or adds it: never over one that wasn't read. */
function put<Row>(rows: Map<string, Row>, name: string, row: Row, wasRead: boolean): void {
  if (!wasRead && rows.has(name)) throw refused('the row is there already');
  rows.set(name, row);
}

function refused(why: string): LedgerUnavailable {
  return new LedgerUnavailable('the ledger store did not answer', { cause: new Error(why) });
}

function isUnder(transaction: TransactionRow, { lane, nonce }: Pick<NonceRow, 'lane' | 'nonce'>): boolean {
  return transaction.lane === lane && transaction.nonce === nonce;
}
