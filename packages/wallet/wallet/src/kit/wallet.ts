import { Deposit, type DepositSummary } from '../deposits/deposit.js';
import type { DepositAccount } from '../deposits/deposit-account.js';
import type { DepositEvent } from '../deposits/deposit-events.js';
import { WalletError } from '../errors.js';
import type { GuardOptions } from '../guard/admission.js';
import type { JournalOptions } from '../journeys/journal.js';
import type { Journey } from '../journeys/journey.js';
import { ownError } from '../journeys/own-errors.js';
import type { NoteKeys } from '../notes/note-keys.js';
import type { Note } from '../notes/note.js';
import { nextNote } from '../notes/next-note.js';
import { recoverNotes, type FoundNote } from '../notes/recover-notes.js';
import type { Batch, Payment, Place, PoolView } from '../pools/pool-view.js';
import type { Prover } from '../prover.js';
import type { Relayer } from '../relayers/relayers.js';
import type { WalletStorage } from '../storage.js';
import { PrivateSwap, type PrivateSwapSummary } from '../swaps/private-swap.js';
import type { PrivateSwapEvent } from '../swaps/swap-events.js';
import { Withdrawal, type WithdrawalSummary } from '../withdrawals/withdrawal.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';
import { RunningAction, type Action, type End, type Work } from './action.js';
import { NoteBook } from './note-book.js';
import { withFewProgressEvents } from './progress.js';
import type { DepositResult, SwapResult, WithdrawalResult } from './results.js';

/** Open pool of a wallet. */
export interface WalletPool {
  readonly view: PoolView;
  /** Address of the ERC-20 token as 0x hex; null for the swap pool. */
  readonly token: string | null;
  /** Amount of a deposit in the ERC-20 token's smallest unit; null for the swap pool. */
  readonly amount: bigint | null;
  /** Value of a leaf of the swap pool. */
  readonly leafValue?: (
    leafIndex: number,
  ) => { readonly token: string | undefined; readonly amount: bigint } | undefined;
}

/** Parts of a wallet. */
export interface WalletParts extends JournalOptions {
  readonly keys: NoteKeys;
  readonly pools: readonly WalletPool[];
  /** Pool of swapped notes; null if the wallet does not swap. */
  readonly swapPool: WalletPool | null;
  readonly relayers: readonly Relayer[];
  readonly storage: WalletStorage;
  readonly prover: Prover;
  /** Account that pays for deposits; null if the wallet does not deposit. */
  readonly account: DepositAccount | null;
}

/** Note of the wallet. Addresses, commitments and hashes are 0x hex. */
export interface WalletNote {
  /** Identifies the note to this wallet. It is public, but the link to the wallet is private. */
  readonly commitment: string;
  readonly pool: string;
  /** ERC-20 token of the note; null if it is unknown. */
  readonly token: string | null;
  /** Deposited amount, in the ERC-20 token's smallest unit; null if it is unknown. */
  readonly amount: bigint | null;
  /**
   * `depositing`: not on chain yet. `waiting`: on chain, and its batch is not. `active`: can be
   * withdrawn or swapped. `spent`: no value is left.
   */
  readonly status: 'depositing' | 'waiting' | 'active' | 'spent';
  readonly leafIndex: number | null;
  /** Batch whose size is the number of deposits that hide a withdrawal; null while it waits. */
  readonly batch: Batch | null;
  /** Time of the deposit's block as Unix time in ms; null if unknown. */
  readonly depositedAtMs: number | null;
  /** Transaction that spent the note; null while it is unspent. */
  readonly spentBy: string | null;
}

export interface WithdrawOptions extends GuardOptions {
  /** Maximum fee, in the smallest unit of the note's ERC-20 token. */
  readonly maxFee: bigint;
  /** Maximum random delay in ms of a swapped note. @default one hour */
  readonly waitForSwap?: number;
}

export interface SwapOptions extends GuardOptions {
  /** Address (0x hex) that the withdrawal of the new note pays. */
  readonly to: string;
  /** Minimum output, in the output token's smallest unit. */
  readonly minAmountOut: bigint;
  /** Maximum fee of the swap, in the smallest unit of the note's ERC-20 token. */
  readonly maxFee: bigint;
  /** Maximum fee of the new note's withdrawal, in the output token's smallest unit. */
  readonly maxWithdrawalFee: bigint;
  /** Slippage as a fraction. @default the relayer's default slippage */
  readonly slippage?: number;
  /** Maximum random delay in ms of the new note's withdrawal. @default one hour */
  readonly waitForSwap?: number;
}

/** Event of an action, with the note's commitment and its pool, both as 0x hex. */
export type WalletEvent = { readonly commitment: string; readonly pool: string } & (
  | ({ readonly action: 'deposit' } & DepositEvent)
  | ({ readonly action: 'withdrawal' } & WithdrawalEvent)
  | ({ readonly action: 'swap' } & PrivateSwapEvent)
);

/** Unfinished work that {@link Wallet.resumeAll} continues. */
export interface ResumedWork {
  readonly actions: readonly Action<DepositResult | WithdrawalResult | SwapResult>[];
  /**
   * Errors of unfinished work that can't be continued, for example because its stored record is
   * damaged or its account is not the wallet's account.
   */
  readonly errors: readonly unknown[];
}

type Kind = WalletEvent['action'];

/**
 * Wallet over one seed. Its actions run until they end or the wallet is closed; after a restart,
 * {@link resumeAll} continues them. Nothing is paid twice: the journals in the storage and the
 * chain decide, also with several tabs.
 */
export class Wallet {
  readonly #parts: WalletParts;
  readonly #notes: NoteBook;
  readonly #closed = new AbortController();
  readonly #listeners = new Set<(event: WalletEvent) => void>();
  /** Actions that run in this wallet, by kind and journey id. */
  readonly #running = new Map<string, Action<unknown>>();
  readonly #emit = withFewProgressEvents<WalletEvent>(
    (event) => {
      for (const listener of this.#listeners) listener(event);
    },
    (event) => event.type === 'proving' || ('event' in event && event.event.type === 'proving'),
  );

  constructor(parts: WalletParts) {
    this.#parts = parts;
    this.#notes = new NoteBook(parts.keys, parts.storage);
  }

  /**
   * Calls the listener with every event of the wallet's actions. At most ten of them per second
   * report the progress of a proof.
   * @returns function that removes the listener
   */
  on(listener: (event: WalletEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops all actions. Their results reject with WALLET_CLOSED; {@link resumeAll} continues them. */
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
    const views = this.#pools.map(({ view }) => view);
    const found = await recoverNotes({ keys, storage, pools: views });
    const known = new Set(found.map(({ note }) => note.commitment));
    const unfinished = (await Deposit.list(storage, LEFT_OUT)).filter(
      ({ state, commitment }) => state === 'open' && !known.has(BigInt(commitment)),
    );
    return [
      ...found.map((one) => this.#noteOf(one)),
      ...unfinished.flatMap((deposit) => this.#depositing(deposit)),
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
    const { view, token, amount } = this.#poolAt(pool);
    if (token === null || amount === null)
      throw new WalletError('POOL_UNKNOWN', 'a swap pool accepts no deposits of a wallet');
    const payer = withAccount(account);
    return this.#deposit(view, async () => {
      const note = await this.#noteForDeposit(view, payer);
      const payment = { token, amount };
      const means = { pool: view, account: payer, relayers, ...this.#locks };
      return { journey: Deposit.begin({ ...means, note, payment, storage }), note };
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
    const { view } = this.#poolAt(pool);
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
    const { view } = this.#poolAt(pool);
    const swapPool = this.#swapPool().view;
    const { storage, keys } = this.#parts;
    return this.#swap(view, to, async () => {
      const means = { ...(await this.#meansOf(view, commitment)), swapPool, keys };
      const terms = { ...options, outputToken, recipient: to };
      return { journey: PrivateSwap.begin({ ...terms, ...means, storage }), note: means.note };
    });
  }

  /**
   * Continues all unfinished work of the storage that does not run in this wallet yet. Notes at
   * risk after a reverted swap come first.
   * @throws any error of the storage
   */
  async resumeAll(): Promise<ResumedWork> {
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

  #deposit(pool: PoolView, begin: Begin<DepositEvent>): Action<DepositResult> {
    const { storage } = this.#parts;
    return this.#run('deposit', pool, begin, {
      endOf: async (event, { commitment }) => {
        if (event.type === 'failed') return { error: event.error };
        if (event.type !== 'active') return undefined;
        const { token, amount } = this.#poolAt(pool.address);
        const place = pool.placeOf(commitment);
        const { leafIndex, batch } = event;
        const result = {
          commitment: hex(commitment),
          pool: pool.address,
          token: token ?? '',
          amount: amount ?? 0n,
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
      endOf: async (event, note) => {
        if (event.type === 'failed' || event.type === 'needs-new-quote')
          return { error: event.error };
        if (event.type !== 'settled') return undefined;
        return { result: await this.#resultOf(pool, note, recipient, event.transactionHash) };
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
      endOf: async (event, note, id) => {
        if (event.type === 'failed' || event.type === 'needs-new-quote' || event.type === 'stopped')
          return { error: event.error };
        if (event.type !== 'settled' && event.type !== 'withdrawn') return undefined;
        return { result: await this.#swapResultOf(pool, note, id, recipient, event) };
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
      const of = { action, pool: pool.address, commitment: hex(note.commitment) };
      // The three kinds of events have their action in common with this record.
      const emit = (event: Event): void =>
        this.#emit({ ...of, ...event } as unknown as WalletEvent);
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

  async #resumeDeposit({ id, pool, commitment }: DepositSummary) {
    if (this.#running.has(`deposit ${id}`)) return null;
    const { storage, relayers } = this.#parts;
    const { view } = this.#poolAt(pool);
    const account = withAccount(this.#parts.account);
    const means = { pool: view, account, relayers, ...this.#locks };
    const journey = await Deposit.resume(storage, id, means);
    return this.#deposit(view, async () => ({ journey, note: { commitment: BigInt(commitment) } }));
  }

  async #resumeWithdrawal({ id, pool, commitment, recipient }: WithdrawalSummary) {
    if (this.#running.has(`withdrawal ${id}`)) return null;
    const { view } = this.#poolAt(pool);
    const means = await this.#meansOf(view, commitment);
    const journey = await Withdrawal.resume(this.#parts.storage, id, means);
    return this.#withdrawal(view, recipient, async () => ({ journey, note: means.note }));
  }

  async #resumeSwap({ id, pool, commitment, recipient }: PrivateSwapSummary) {
    if (this.#running.has(`swap ${id}`)) return null;
    const { storage, keys } = this.#parts;
    const { view } = this.#poolAt(pool);
    const swapPool = this.#swapPool().view;
    const means = { ...(await this.#meansOf(view, commitment)), swapPool, keys };
    const journey = await PrivateSwap.resume(storage, id, means);
    return this.#swap(view, recipient, async () => ({ journey, note: means.note }));
  }

  /**
   * Returns the note of an earlier deposit of this account that failed before it reached the chain,
   * or the next note.
   */
  async #noteForDeposit(pool: PoolView, account: DepositAccount): Promise<Note> {
    const { keys, storage } = this.#parts;
    const failed = (await Deposit.list(storage, LEFT_OUT)).find(
      ({ id, state, pool: address, chainId, depositor, commitment }) =>
        state === 'failed' &&
        isSame(address, pool.address) &&
        isSame(chainId, pool.chainId) &&
        isSame(depositor, account.address) &&
        pool.placeOf(BigInt(commitment)) === undefined &&
        !this.#running.has(`deposit ${id}`),
    );
    if (failed !== undefined) {
      const found = await this.#notes.find(pool, BigInt(failed.commitment)).catch(() => undefined);
      if (found !== undefined) return found.note;
    }
    return (await nextNote({ keys, pool, storage })).note;
  }

  // Parts.

  get #pools(): readonly WalletPool[] {
    const { pools, swapPool } = this.#parts;
    return swapPool === null ? pools : [...pools, swapPool];
  }

  get #locks(): JournalOptions {
    const { locks } = this.#parts;
    return locks === undefined ? {} : { locks };
  }

  #poolAt(address: string): WalletPool {
    const found = this.#pools.find(({ view }) => isSame(view.address, address));
    if (found === undefined)
      throw new WalletError('POOL_UNKNOWN', 'the wallet was created without this pool');
    return found;
  }

  #swapPool(): WalletPool {
    const { swapPool } = this.#parts;
    if (swapPool === null)
      throw new WalletError('POOL_UNKNOWN', 'the wallet was created without a swap pool');
    return swapPool;
  }

  async #meansOf(pool: PoolView, commitment: string) {
    const { prover, relayers } = this.#parts;
    const { note } = await this.#notes.find(pool, BigInt(commitment));
    return { note, pool, prover, relayers, ...this.#locks };
  }

  // Notes and results.

  #noteOf(found: FoundNote): WalletNote {
    const { note, pool, leafIndex, status } = found;
    const place = pool.placeOf(note.commitment);
    return {
      commitment: hex(note.commitment),
      pool: pool.address,
      ...this.#valueOf(pool, leafIndex),
      // A note of the swap pool is its own batch.
      status,
      leafIndex,
      batch: place?.batch ?? null,
      depositedAtMs: place?.depositedAtMs ?? null,
      spentBy: status === 'spent' ? found.transactionHash : null,
    };
  }

  #depositing({ commitment, pool, token, amount }: DepositSummary): readonly WalletNote[] {
    const none = { leafIndex: null, batch: null, depositedAtMs: null, spentBy: null };
    const isOwn = this.#pools.some(({ view }) => isSame(view.address, pool));
    return isOwn ? [{ commitment, pool, token, amount, status: 'depositing', ...none }] : [];
  }

  #valueOf({ address }: PoolView, leafIndex: number): Pick<WalletNote, 'token' | 'amount'> {
    const { token, amount, leafValue } = this.#poolAt(address);
    const value = leafValue?.(leafIndex);
    return { token: value?.token ?? token, amount: value?.amount ?? amount };
  }

  async #resultOf(
    pool: PoolView,
    note: Note,
    recipient: string,
    transactionHash: string,
  ): Promise<WithdrawalResult> {
    const place: Place | undefined = pool.placeOf(note.commitment);
    const payment: Payment | undefined = pool.paymentOf?.(note.nullifierHash);
    return {
      commitment: hex(note.commitment),
      pool: pool.address,
      token: place === undefined ? null : this.#valueOf(pool, place.leafIndex).token,
      amount: payment?.amount ?? null,
      fee: payment?.fee ?? null,
      recipient,
      batch: place?.batch ?? null,
      transactionHash,
      seenAtMs: Date.now(),
    };
  }

  async #swapResultOf(
    pool: PoolView,
    note: Note,
    id: string,
    recipient: string,
    { type, transactionHash }: { readonly type: string; readonly transactionHash: string },
  ): Promise<SwapResult> {
    const summary = (await PrivateSwap.list(this.#parts.storage, LEFT_OUT)).find(
      (one) => one.id === id,
    );
    const swapTransactionHash = summary?.transactionHash ?? null;
    if (type === 'withdrawn') {
      const paid = await this.#resultOf(pool, note, recipient, transactionHash);
      return { ...paid, outcome: 'withdrawn', swapTransactionHash };
    }
    const { view } = this.#swapPool();
    const index = summary?.outputIndex ?? null;
    const { chainId, address } = view;
    const output = index === null ? note : this.#parts.keys.note({ chainId, pool: address, index });
    const paid = await this.#resultOf(view, output, recipient, transactionHash);
    return { ...paid, commitment: hex(note.commitment), outcome: 'swapped', swapTransactionHash };
  }
}

/** Starts or resumes a journey. */
type Begin<
  Event extends { readonly type: string },
  Of extends Pick<Note, 'commitment'> = Pick<Note, 'commitment'>,
> = () => Promise<{ readonly journey: Journey<Event>; readonly note: Of }>;

/** What the events of one kind of action mean, and how it is cancelled. */
interface KindOfAction<Event, Result, Of> {
  readonly endOf: (event: Event, note: Of, id: string) => Promise<End<Result> | undefined>;
  readonly cancel: (id: string) => Promise<boolean>;
  /** Event that is emitted after a cancellation. */
  readonly cancelled: Event;
}

/** Leaves unreadable records out. {@link Wallet.resumeAll} reports them. */
const LEFT_OUT = { onUnreadable: () => undefined };

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

function isSame(one: string, other: string): boolean {
  return BigInt(one) === BigInt(other);
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
