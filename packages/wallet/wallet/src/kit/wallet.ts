import {
  claimDeposit,
  Deposit,
  type DepositOptions,
  type DepositSummary,
} from '../deposits/deposit.js';
import type { DepositAccount } from '../deposits/deposit-account.js';
import type { DepositEvent } from '../deposits/deposit-events.js';
import { WalletError } from '../errors.js';
import { toHex } from '../fields.js';
import type { JournalOptions } from '../journeys/journal.js';
import type { Journey } from '../journeys/journey.js';
import { ownError } from '../journeys/own-errors.js';
import type { Note } from '../notes/note.js';
import { nextNote } from '../notes/next-note.js';
import { recoverNotes } from '../notes/recover-notes.js';
import type { PoolView } from '../pools/pool-view.js';
import { PrivateSwap, type PrivateSwapSummary } from '../swaps/private-swap.js';
import type { PrivateSwapEvent } from '../swaps/swap-events.js';
import { Withdrawal, type WithdrawalSummary } from '../withdrawals/withdrawal.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';
import { RunningAction, type Action, type End, type Work } from './action.js';
import { NoteBook } from './note-book.js';
import { withFewProgressEvents } from './progress.js';
import type { DepositResult, SwapResult, WithdrawalResult } from './results.js';
import { WalletPools, isSame } from './wallet-pools.js';
import {
  LEFT_OUT,
  type ResumedWork,
  type SwapOptions,
  type WalletEvent,
  type WalletNote,
  type WalletParts,
  type WithdrawOptions,
} from './wallet-types.js';

type Kind = WalletEvent['action'];

/**
 * Wallet over one seed. An action runs until it ends or the wallet is closed. After a restart,
 * {@link resumeAll} continues unfinished work. No note is paid twice, also with several tabs:
 * the journals in the storage and the chain decide.
 */
export class Wallet {
  readonly #parts: WalletParts;
  readonly #pools: WalletPools;
  readonly #notes: NoteBook;
  readonly #closed = new AbortController();
  readonly #listeners = new Set<(event: WalletEvent) => void>();
  /** Actions that run in this wallet, by kind and journey id. */
  readonly #running = new Map<string, Action<unknown>>();
  #resuming: Promise<ResumedWork> | null = null;
  /** Ends when the last deposit has its note. */
  #claiming: Promise<unknown> = Promise.resolve();
  /** Note of each pool whose index is used and whose deposit is not stored. */
  readonly #unclaimed = new Map<PoolView, Note>();
  readonly #emit = withFewProgressEvents<WalletEvent>(
    (event) => {
      for (const listener of this.#listeners) callSafely(listener, event);
    },
    (event) => event.type === 'proving' || ('event' in event && event.event.type === 'proving'),
  );

  constructor(parts: WalletParts) {
    this.#parts = parts;
    this.#pools = new WalletPools(parts);
    this.#notes = new NoteBook(parts.keys, parts.storage);
  }

  /**
   * Calls the listener with every event of the wallet's actions. The listener gets at most ten
   * progress events per second.
   * @returns function that removes the listener
   */
  on(listener: (event: WalletEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Stops all actions. Every unfinished result rejects with WALLET_CLOSED. A new wallet over the
   * same storage can continue the work.
   */
  close(): void {
    this.#closed.abort();
  }

  /**
   * Reads the pools and returns the notes of the seed, sorted by pool and index.
   * @throws WalletError as `PoolView.refresh`; STORAGE_MALFORMED, JOURNAL_UNREADABLE; any error of
   *   the storage
   */
  async notes(): Promise<readonly WalletNote[]> {
    const { keys, storage } = this.#parts;
    const views = this.#pools.all.map(({ view }) => view);
    const found = await recoverNotes({ keys, storage, pools: views });
    const known = new Set(found.map(({ note }) => note.commitment));
    const unfinished = (await Deposit.list(storage, LEFT_OUT)).filter(
      ({ state, commitment }) => state === 'open' && !known.has(BigInt(commitment)),
    );
    return [
      ...found.map((one) => this.#pools.noteOf(one)),
      ...unfinished.flatMap((deposit) => this.#pools.depositing(deposit)),
    ];
  }

  /**
   * Deposits the next note of the seed. A deposit into the pool that failed or was cancelled before
   * it reached the chain is started again, so that no index stays unused.
   * @param pool address of one of the wallet's pools
   * @throws WalletError POOL_UNKNOWN; ACCOUNT_MISSING if neither option nor wallet has an account
   */
  deposit(
    pool: string,
    { account = this.#parts.account }: { readonly account?: DepositAccount | null } = {},
  ): Action<DepositResult> {
    const { storage, relayers } = this.#parts;
    const { view, token, amount } = this.#pools.at(pool);
    if (token === null || amount === null)
      throw new WalletError('POOL_UNKNOWN', 'a swap pool accepts no deposits of a wallet');
    const payer = withAccount(account);
    const payment = { token, amount };
    return this.#deposit(view, payment, async () => {
      const means = { pool: view, account: payer, relayers, ...this.#locks };
      const options = await this.#claimed({ ...means, payment, storage });
      return { journey: Deposit.begin(options), note: options.note };
    });
  }

  /**
   * Withdraws a note through a relayer. An unfinished withdrawal of the note to the same recipient
   * continues.
   * @param to address (0x hex) of the recipient
   * @throws WalletError POOL_UNKNOWN, RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE
   */
  withdraw(
    { commitment, pool }: Pick<WalletNote, 'commitment' | 'pool'>,
    to: string,
    options: WithdrawOptions,
  ): Action<WithdrawalResult> {
    const { view } = this.#pools.at(pool);
    this.#pools.checkRecipient({ commitment, pool }, to);
    const { storage } = this.#parts;
    return this.#withdrawal(view, to, async () => {
      const means = await this.#meansOf(view, commitment);
      const journey = Withdrawal.begin({ ...options, ...means, recipient: to, storage });
      return { journey, note: means.note };
    });
  }

  /**
   * Swaps a note privately and withdraws the new note to `to`. If the swap reverts, the note is
   * withdrawn in its own token instead.
   * @param outputToken address (0x hex) of the output token
   * @throws WalletError POOL_UNKNOWN if the wallet has no such pool or no swap pool;
   *   RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE, FELT_MALFORMED
   */
  swap(
    { commitment, pool }: Pick<WalletNote, 'commitment' | 'pool'>,
    outputToken: string,
    { to, ...options }: SwapOptions,
  ): Action<SwapResult> {
    const { view } = this.#pools.at(pool);
    const swapPool = this.#pools.swapPool().view;
    this.#pools.checkRecipient({ commitment, pool }, to);
    const { storage, keys } = this.#parts;
    return this.#swap(view, to, async () => {
      const means = { ...(await this.#meansOf(view, commitment)), swapPool, keys };
      const terms = { ...options, outputToken, recipient: to };
      return { journey: PrivateSwap.begin({ ...terms, ...means, storage }), note: means.note };
    });
  }

  /**
   * Continues all unfinished work of the storage that does not run in this wallet yet. Notes at
   * risk after a reverted swap come first. A call during another call gets the same result.
   * @throws any error of the storage
   */
  resumeAll(): Promise<ResumedWork> {
    this.#resuming ??= this.#resumeAll().finally(() => {
      this.#resuming = null;
    });
    return this.#resuming;
  }

  async #resumeAll(): Promise<ResumedWork> {
    const { storage } = this.#parts;
    const errors: unknown[] = [];
    const readable = { onUnreadable: (error: WalletError) => void errors.push(error) };
    const swaps = (await PrivateSwap.list(storage, readable)).toSorted(
      (one, other) => Number(other.state === 'reverted') - Number(one.state === 'reverted'),
    );
    const withdrawals = await Withdrawal.list(storage, readable);
    const deposits = await Deposit.list(storage, readable);
    const resumes: (() => Promise<Action<DepositResult | WithdrawalResult | SwapResult> | null>)[] =
      [
        ...swaps.filter(isUnfinishedSwap).map((one) => () => this.#resumeSwap(one)),
        ...withdrawals
          .filter(({ state }) => state === 'open')
          .map((one) => () => this.#resumeWithdrawal(one)),
        ...deposits
          .filter(({ state }) => state === 'open' || state === 'deposited')
          .map((one) => () => this.#resumeDeposit(one)),
      ];
    const actions: Action<DepositResult | WithdrawalResult | SwapResult>[] = [];
    for (const resume of resumes) {
      try {
        const action = await resume();
        if (action !== null) actions.push(action);
      } catch (error) {
        errors.push(error);
      }
    }
    return { actions, errors };
  }

  // Actions.

  #deposit(
    pool: PoolView,
    { token, amount }: DepositOptions['payment'],
    begin: Begin<DepositEvent>,
  ): Action<DepositResult> {
    const { storage } = this.#parts;
    return this.#run('deposit', pool, begin, {
      walletEvent: (event, of) => ({ action: 'deposit', ...of, ...event }),
      endOf: async (event, { commitment }) => {
        if (event.type === 'failed') return { error: event.error };
        if (event.type !== 'active') return undefined;
        const place = pool.placeOf(commitment);
        const { leafIndex, batch } = event;
        const result = {
          commitment: toHex(commitment),
          pool: pool.address,
          token,
          amount,
          leafIndex,
          batch,
          transactionHash: place?.transactionHash ?? null,
          depositedAtMs: place?.depositedAtMs ?? null,
        };
        return { result };
      },
      cancel: (id) => Deposit.cancel(storage, id, this.#locks),
      cancelled: { type: 'failed', error: ownError('CANCELLED'), isApproved: 'unknown' },
    });
  }

  #withdrawal(
    pool: PoolView,
    recipient: string,
    begin: Begin<WithdrawalEvent, Note>,
  ): Action<WithdrawalResult> {
    const { storage } = this.#parts;
    return this.#run('withdrawal', pool, begin, {
      walletEvent: (event, of) => ({ action: 'withdrawal', ...of, ...event }),
      endOf: async (event, note) => {
        if (event.type === 'failed' || event.type === 'needs-new-quote')
          return { error: event.error };
        if (event.type !== 'settled') return undefined;
        return { result: this.#pools.resultOf(pool, note, recipient, event.transactionHash) };
      },
      cancel: (id) => Withdrawal.cancel(storage, id, this.#locks),
      cancelled: { type: 'failed', error: ownError('CANCELLED') },
    });
  }

  #swap(
    pool: PoolView,
    recipient: string,
    begin: Begin<PrivateSwapEvent, Note>,
  ): Action<SwapResult> {
    const { storage } = this.#parts;
    return this.#run('swap', pool, begin, {
      walletEvent: (event, of) => ({ action: 'swap', ...of, ...event }),
      endOf: async (event, note, id) => {
        if (event.type === 'failed' || event.type === 'needs-new-quote' || event.type === 'stopped')
          return { error: event.error };
        if (event.type !== 'settled' && event.type !== 'withdrawn') return undefined;
        return { result: await this.#pools.swapResultOf(pool, note, id, recipient, event) };
      },
      cancel: (id) => PrivateSwap.cancel(storage, id, this.#locks),
      cancelled: { type: 'failed', error: ownError('CANCELLED') },
    });
  }

  #run<Event extends { readonly type: string }, Result, Of extends Pick<Note, 'commitment'>>(
    action: Kind,
    pool: PoolView,
    begin: Begin<Event, Of>,
    kind: KindOfAction<Event, Result, Of>,
  ): Action<Result> {
    const started = async (): Promise<Work<Event, Result>> => {
      const { journey, note } = await begin();
      // A write that fails may be made later, so a cancellation must find the record.
      await journey.store();
      const of = { pool: pool.address, commitment: toHex(note.commitment) };
      const emit = (event: Event): void => this.#emit(kind.walletEvent(event, of));
      const key = `${action} ${journey.id}`;
      this.#running.set(key, running);
      running.result.catch(() => undefined).finally(() => this.#forget(key, running));
      return {
        journey,
        emit,
        endOf: (event) => kind.endOf(event, note, journey.id),
        cancel: async () => {
          const isCancelled = await kind.cancel(journey.id);
          if (isCancelled) emit(kind.cancelled);
          return isCancelled;
        },
      };
    };
    const running = new RunningAction(started, this.#closed.signal);
    return running;
  }

  #forget(key: string, action: Action<unknown>): void {
    if (this.#running.get(key) === action) this.#running.delete(key);
  }

  // Unfinished work.

  async #resumeDeposit({ id, pool, commitment, token, amount }: DepositSummary) {
    if (this.#running.has(`deposit ${id}`)) return null;
    const { storage, relayers } = this.#parts;
    const { view } = this.#pools.at(pool);
    const account = withAccount(this.#parts.account);
    const means = { pool: view, account, relayers, ...this.#locks };
    const journey = await Deposit.resume(storage, id, means);
    const note = { commitment: BigInt(commitment) };
    return this.#deposit(view, { token, amount }, async () => ({ journey, note }));
  }

  async #resumeWithdrawal({ id, pool, commitment, recipient }: WithdrawalSummary) {
    if (this.#running.has(`withdrawal ${id}`)) return null;
    const { view } = this.#pools.at(pool);
    const means = await this.#meansOf(view, commitment);
    const journey = await Withdrawal.resume(this.#parts.storage, id, means);
    return this.#withdrawal(view, recipient, async () => ({ journey, note: means.note }));
  }

  async #resumeSwap({ id, pool, commitment, recipient }: PrivateSwapSummary) {
    if (this.#running.has(`swap ${id}`)) return null;
    const { storage, keys } = this.#parts;
    const { view } = this.#pools.at(pool);
    const swapPool = this.#pools.swapPool().view;
    const means = { ...(await this.#meansOf(view, commitment)), swapPool, keys };
    const journey = await PrivateSwap.resume(storage, id, means);
    return this.#swap(view, recipient, async () => ({ journey, note: means.note }));
  }

  /** Chooses notes one after the other, so that two deposits never have the same note. */
  async #claimed(options: Omit<DepositOptions, 'note'>): Promise<DepositOptions> {
    const claimed = this.#claiming.then(() => this.#claim(options));
    this.#claiming = claimed.catch(() => undefined);
    return claimed;
  }

  /**
   * Claims an earlier deposit of this account that failed before it reached the chain, or the
   * deposit of the next note.
   */
  async #claim(options: Omit<DepositOptions, 'note'>): Promise<DepositOptions> {
    const { keys, storage } = this.#parts;
    const { pool, account } = options;
    const failed = (await Deposit.list(storage, LEFT_OUT)).filter(
      ({ state, pool: address, chainId, depositor, commitment }) =>
        state === 'failed' &&
        isSame(address, pool.address) &&
        isSame(chainId, pool.chainId) &&
        isSame(depositor, account.address) &&
        pool.placeOf(BigInt(commitment)) === undefined,
    );
    for (const { commitment } of failed) {
      const found = await this.#notes.find(pool, BigInt(commitment)).catch(() => undefined);
      if (found === undefined) continue;
      const again = { ...options, note: found.note };
      if (await claimDeposit(again)) return again;
    }
    // An index whose deposit could not be stored is used by the next call.
    const note = this.#unclaimed.get(pool) ?? (await nextNote({ keys, pool, storage })).note;
    this.#unclaimed.set(pool, note);
    const next = { ...options, note };
    await claimDeposit(next);
    this.#unclaimed.delete(pool);
    return next;
  }

  get #locks(): JournalOptions {
    const { locks } = this.#parts;
    return locks === undefined ? {} : { locks };
  }

  async #meansOf(pool: PoolView, commitment: string) {
    const { prover, relayers } = this.#parts;
    const { note } = await this.#notes.find(pool, BigInt(commitment));
    return { note, pool, prover, relayers, ...this.#locks };
  }
}

/** Starts or resumes a journey. */
type Begin<
  Event extends { readonly type: string },
  Of extends Pick<Note, 'commitment'> = Pick<Note, 'commitment'>,
> = () => Promise<{ readonly journey: Journey<Event>; readonly note: Of }>;

/** Functions that depend on the kind of an action. */
interface KindOfAction<Event, Result, Of> {
  readonly walletEvent: (event: Event, of: Pick<WalletEvent, 'commitment' | 'pool'>) => WalletEvent;
  readonly endOf: (event: Event, note: Of, id: string) => Promise<End<Result> | undefined>;
  readonly cancel: (id: string) => Promise<boolean>;
  /** Event that is emitted after a cancellation. */
  readonly cancelled: Event;
}

const SWAP_ENDS: ReadonlySet<PrivateSwapSummary['state']> = new Set([
  'settled',
  'withdrawn',
  'needs-new-quote',
  'stopped',
  'failed',
]);

function isUnfinishedSwap({ state }: PrivateSwapSummary): boolean {
  return !SWAP_ENDS.has(state);
}

function withAccount(account: DepositAccount | null): DepositAccount {
  if (account === null) throw new WalletError('ACCOUNT_MISSING', 'a deposit needs an account');
  return account;
}

/**
 * Calls a listener. An exception of the listener is thrown outside the wallet's work, as for the
 * listeners of an `EventTarget`.
 */
function callSafely(listener: (event: WalletEvent) => void, event: WalletEvent): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
