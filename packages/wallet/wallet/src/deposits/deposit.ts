import { WalletError } from '../errors.js';
import { cancelJourney } from '../journeys/cancel.js';
import {
  Journal,
  type JournalOptions,
  type ListOptions,
  type JournalRun,
} from '../journeys/journal.js';
import { Journey } from '../journeys/journey.js';
import { newsOnly } from '../journeys/news.js';
import { ownError } from '../journeys/own-errors.js';
import { answerWithin } from '../journeys/sleep.js';
import type { Note } from '../notes/note.js';
import { mayHaveLanded } from '../relayers/request-state.js';
import type { WalletStorage } from '../storage.js';
import { Approvals, type AllowanceEntry, type AllowanceRecord } from './approvals.js';
import {
  DEPOSIT_STATES,
  type DepositEntry,
  type DepositState,
  type ShownApproval,
} from './deposit-entry.js';
import type { DepositEvent } from './deposit-events.js';
import { DepositRun, type DepositMeans } from './deposit-run.js';

export interface DepositOptions extends DepositMeans, JournalOptions {
  /**
   * Note to deposit. The wallet must be able to restore this note after a crash. Notes of
   * `deriveNoteKeys` can be derived again; a note of `createNote` must be stored before this call.
   */
  readonly note: Pick<Note, 'commitment'>;
  /**
   * Payment as it is displayed to the user: the pool's ERC-20 token, and the pool's denomination.
   */
  readonly payment: {
    /** Address of the ERC-20 token as 0x hex. */
    readonly token: string;
    /** Amount in the ERC-20 token's smallest unit. */
    readonly amount: bigint;
  };
  readonly storage: WalletStorage;
}

export type ResumeDepositOptions = DepositMeans & JournalOptions;

/** Stored state of a deposit, which can be read without running the deposit. */
export interface DepositSummary {
  /** Id for {@link Deposit.resume}. */
  readonly id: string;
  readonly state: DepositState;
  /** Chain id as 0x hex. The fields from `pool` to `token` are also 0x hex. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly depositor: string;
  readonly token: string;
  /** Amount in the ERC-20 token's smallest unit. */
  readonly amount: bigint;
  /** Start of the deposit, as Unix time in ms. */
  readonly begunAtMs: number;
  /** Index of the deposit's leaf; null until the deposit is on chain. */
  readonly leafIndex: number | null;
  /**
   * Approval as the deposit last read it from the chain. Null once the deposit is on chain, which
   * uses the approval up.
   */
  readonly isApproved: ShownApproval | null;
}

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * Deposit through a relayer: approval, consent, relayed call, leaf and batch. The work runs only
 * while its {@link events} are read. A deposit never pays twice, because a pool accepts a
 * commitment only once.
 */
export class Deposit extends Journey<DepositEvent> {
  /**
   * Starts or continues the deposit of a note. An unfinished deposit of the same account continues,
   * a failed deposit restarts, and a finished deposit is only reported.
   * @throws WalletError PAYMENT_MALFORMED
   */
  static begin(options: DepositOptions): Deposit {
    const { note, pool, account, payment, storage } = options;
    if (!HEX.test(payment.token) || !HEX.test(account.address) || payment.amount <= 0n)
      throw new WalletError(
        'PAYMENT_MALFORMED',
        'token and account are 0x hex, the amount above 0',
      );
    const commitment = `0x${note.commitment.toString(16)}`;
    const entry: DepositEntry = {
      state: 'open',
      chainId: pool.chainId,
      pool: pool.address,
      commitment,
      depositor: account.address,
      token: payment.token,
      amount: String(payment.amount),
      begunAtMs: Date.now(),
      approval: null,
      isApproved: 'unknown',
      postings: [],
      leafIndex: null,
      batch: null,
      error: null,
    };
    const id = nameOf([pool.chainId, pool.address, commitment]);
    return new Deposit(id, storage, options, entry);
  }

  /**
   * Resumes a deposit that was started earlier. If the deposit is finished, it emits only its last
   * event.
   * @throws WalletError JOURNEY_UNKNOWN; JOURNEY_MISMATCH if pool or account differ from the stored
   *   deposit; JOURNAL_UNREADABLE
   */
  static async resume(
    storage: WalletStorage,
    id: string,
    options: ResumeDepositOptions,
  ): Promise<Deposit> {
    const entry = await journalOf(storage, options).read(id);
    if (entry === undefined)
      throw new WalletError('JOURNEY_UNKNOWN', 'the storage has no such deposit');
    const { pool, account } = options;
    const given = [pool.chainId, pool.address, account.address];
    if (nameOf(given) !== nameOf([entry.chainId, entry.pool, entry.depositor]))
      throw new WalletError('JOURNEY_MISMATCH', 'the deposit is of another pool or account');
    return new Deposit(id, storage, options, undefined);
  }

  /** Lists all deposits in the storage. @throws WalletError JOURNAL_UNREADABLE */
  static async list(
    storage: WalletStorage,
    options: ListOptions = {},
  ): Promise<readonly DepositSummary[]> {
    const all = await journalOf(storage, {}).list(options);
    return all.map(({ id, entry }) => ({
      id,
      state: entry.state,
      chainId: entry.chainId,
      pool: entry.pool,
      commitment: entry.commitment,
      depositor: entry.depositor,
      token: entry.token,
      amount: BigInt(entry.amount),
      begunAtMs: entry.begunAtMs,
      leafIndex: entry.leafIndex,
      isApproved: isPaid(entry) ? null : (entry.isApproved ?? 'unknown'),
    }));
  }

  /**
   * Cancels a deposit that nothing runs in this tab and that has posted no consent. An approval
   * that the account has sent stays in force. A cancelled deposit can be started again.
   * @returns false if a relayer may have a consent, or if the deposit has ended or runs elsewhere
   * @throws WalletError JOURNAL_UNREADABLE; any error of the storage
   */
  static async cancel(
    storage: WalletStorage,
    id: string,
    options: JournalOptions = {},
  ): Promise<boolean> {
    return cancelJourney(journalOf(storage, options), id, (entry): DepositEntry | null =>
      entry.state === 'open' && entry.postings.length === 0
        ? { ...entry, state: 'failed', error: ownError('CANCELLED') }
        : null,
    );
  }

  private constructor(
    id: string,
    storage: WalletStorage,
    options: ResumeDepositOptions,
    begin: DepositEntry | undefined,
  ) {
    const journal = journalOf(storage, options);
    let wish = begin;
    super(id, async (emit, signal) => {
      if (wish !== undefined) await journal.begin(id, wish);
      const onWait = (): void => emit({ type: 'waiting', error: ownError('RUNS_ELSEWHERE') });
      for (let isTaken = true; isTaken;) {
        const run = await journal.take(id, { signal, onWait });
        try {
          if (wish !== undefined && !(await isBegun(run, wish))) {
            const isApproved = await shownApproval(wish, { storage, options, signal });
            emit({ type: 'failed', error: ownError('ANOTHER_DEPOSITOR'), isApproved });
            return;
          }
          wish = undefined;
          await work(run, { storage, options, emit, signal: AbortSignal.any([signal, run.lost]) });
          isTaken = false;
        } catch (error) {
          // A second tab has started to run the deposit. Wait until that tab ends its run or its
          // lease expires.
          if (!run.lost.aborted || signal.aborted) throw error;
        } finally {
          await run.release();
        }
      }
    });
  }
}

interface Work {
  readonly storage: WalletStorage;
  readonly options: ResumeDepositOptions;
  readonly emit: (event: DepositEvent) => void;
  readonly signal: AbortSignal;
}

async function work(
  journal: JournalRun<DepositEntry>,
  { storage, options, emit: emitAll, signal }: Work,
): Promise<void> {
  const emit = newsOnly(emitAll);
  if (journal.entry.state === 'failed') {
    // The chain may have changed since the deposit failed.
    const isApproved = await shownApproval(journal.entry, { storage, options, signal });
    if (isApproved !== journal.entry.isApproved)
      await journal.write({ ...journal.entry, isApproved });
  }
  while (journal.entry.state === 'open' || journal.entry.state === 'deposited') {
    if (journal.entry.state === 'open')
      await inTurn(journal.entry, { storage, options, emit, signal }, (approvals, inTurnSignal) =>
        new DepositRun({ ...options, approvals }, journal, emit, inTurnSignal).pay(),
      );
    else {
      const approvals = approvalsOf(journal.entry, options, unwritten({}));
      await new DepositRun({ ...options, approvals }, journal, emit, signal).awaitBatch();
    }
  }
  const { state, leafIndex, batch, error, isApproved = 'unknown' } = journal.entry;
  if (state === 'active' && leafIndex !== null && batch !== null)
    emit({ type: state, leafIndex, batch });
  else if (state === 'failed' && error !== null) emit({ type: state, error, isApproved });
}

/**
 * Runs `pay` when no other deposit of this account into the pool runs. An approval replaces the
 * previous approval, so two concurrent deposits would use each other's allowance.
 */
async function inTurn(
  entry: DepositEntry,
  { storage, options, emit, signal }: Work,
  pay: (approvals: Approvals, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const turns = turnsIn(storage, options);
  const id = turnOf(entry);
  await turns.begin(id, {});
  const onWait = (): void => emit({ type: 'waiting', error: ownError('ANOTHER_DEPOSIT') });
  const turn = await turns.take(id, { signal, onWait });
  try {
    await pay(approvalsOf(entry, options, turn), AbortSignal.any([signal, turn.lost]));
  } catch (error) {
    // Another deposit of the account runs now: wait for its end.
    if (!turn.lost.aborted || signal.aborted) throw error;
  } finally {
    await turn.release();
  }
}

/** @returns false if another account's deposit of the note is unfinished */
async function isBegun(run: JournalRun<DepositEntry>, wish: DepositEntry): Promise<boolean> {
  const { entry } = run;
  const isPending = entry.state === 'open' || entry.postings.some(mayHaveLanded);
  const isSameAccount = BigInt(entry.depositor) === BigInt(wish.depositor);
  if (isPending && !isSameAccount) return false;
  // If the earlier approval belongs to a different account, it does not apply to this account.
  if (entry.state === 'failed')
    await run.write({
      ...wish,
      isApproved: isSameAccount ? (entry.isApproved ?? 'unknown') : 'unknown',
    });
  return true;
}

/** Maximum time in ms of a read of the approval before a failure is reported. */
const SHOWN_TIMEOUT_MS = 30_000;

/**
 * Reads the approval of a deposit that does not run. @throws the signal's reason when the signal
 * aborts; any error of the storage
 */
async function shownApproval(
  entry: DepositEntry,
  { storage, options, signal }: Omit<Work, 'emit'>,
): Promise<ShownApproval> {
  const kept = (await turnsIn(storage, options).read(turnOf(entry))) ?? {};
  // Another deposit of the account may run now, so this read writes nothing.
  const approvals = approvalsOf(entry, options, unwritten(kept));
  return (
    (await answerWithin(SHOWN_TIMEOUT_MS, signal, (inTime) => approvals.shown(inTime))) ?? 'unknown'
  );
}

function isPaid({ state }: DepositEntry): boolean {
  return state === 'deposited' || state === 'active';
}

/** Returns the journal of allowances, which all deposits of an account into a pool share. */
function turnsIn(storage: WalletStorage, options: JournalOptions): Journal<AllowanceEntry> {
  return new Journal(storage, 'allowance', locksOf(options));
}

function turnOf({ chainId, pool, token, depositor }: DepositEntry): string {
  return nameOf([chainId, pool, token, depositor]);
}

function unwritten(entry: AllowanceEntry): AllowanceRecord {
  return { entry, write: async () => undefined };
}

function approvalsOf(
  { token, depositor: owner, pool: spender }: DepositEntry,
  { pool: { node } }: DepositMeans,
  record: AllowanceRecord,
): Approvals {
  return new Approvals(node, { token, owner, spender }, record);
}

function nameOf(parts: readonly string[]): string {
  return parts.map((part) => BigInt(part).toString(16)).join('-');
}

function journalOf(storage: WalletStorage, options: JournalOptions): Journal<DepositEntry> {
  return new Journal(storage, 'deposit', locksOf(options), DEPOSIT_STATES);
}

function locksOf({ locks }: JournalOptions): JournalOptions {
  return locks === undefined ? {} : { locks };
}
