import { WalletError } from '../errors.js';
import { STARKNET_FIELD } from '../fields.js';
import { Journal, type JournalOptions } from '../journeys/journal.js';
import { Journey } from '../journeys/journey.js';
import { ownError } from '../journeys/own-errors.js';
import { mayHaveLanded } from '../relayers/request-state.js';
import { checkRecipient } from '../recipient.js';
import { AcceptedQuote } from '../signed/accepted-quote.js';
import type { WalletStorage } from '../storage.js';
import { keptQuote, type WithdrawalEntry, type WithdrawalState } from './withdrawal-entry.js';
import type { WithdrawalEvent } from './withdrawal-events.js';
import { WithdrawalRun, type WithdrawalMeans } from './withdrawal-run.js';

export interface WithdrawalOptions extends WithdrawalMeans, JournalOptions {
  /** 0x hex: who is paid. */
  readonly recipient: string;
  /** The most that may be paid as fee, in the smallest unit of the pool's token. */
  readonly maxFee: bigint;
  /** Of one of the relayers. Without it one is asked for, and taken up to `maxFee`. */
  readonly quote?: AcceptedQuote;
  readonly storage: WalletStorage;
}

export interface ResumeWithdrawalOptions extends WithdrawalMeans, JournalOptions {
  /** For a withdrawal that needs a new quote: it goes on with this one. */
  readonly quote?: AcceptedQuote;
  /** For a withdrawal that needs a new quote: it goes on with this maximum. */
  readonly maxFee?: bigint;
}

/** What a wallet may show of a withdrawal without working on it. */
export interface WithdrawalSummary {
  /** For {@link Withdrawal.resume}. */
  readonly id: string;
  readonly state: WithdrawalState;
  /** 0x hex, as all that follow. */
  readonly chainId: string;
  readonly pool: string;
  /** Of the note, by which the wallet finds it among its notes. */
  readonly commitment: string;
  readonly recipient: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  readonly transactionHash: string | null;
}

const KIND = 'withdrawal';
const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * A withdrawal through a relayer that no closed tab, cut network or dead relayer can make spend a
 * note twice or lose. It is worked on while its {@link events} are read.
 */
export class Withdrawal extends Journey<WithdrawalEvent> {
  /**
   * The withdrawal of a note: one that is under way to the same recipient goes on, where a proof
   * that is still to be made has the terms that are given now; one that has failed or needs a new
   * quote is begun again, and one that has settled says so.
   * @throws WalletError RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE, QUOTE_OF_ANOTHER_CHAIN,
   *   QUOTE_OF_ANOTHER_POOL, QUOTE_OF_ANOTHER_RELAYER, FEE_ABOVE_MAXIMUM; TypeError for a quote
   *   that was not accepted
   */
  static begin(options: WithdrawalOptions): Withdrawal {
    const { note, pool, recipient, maxFee, quote, storage } = options;
    if (!HEX.test(recipient) || BigInt(recipient) === 0n || BigInt(recipient) >= STARKNET_FIELD)
      throw new WalletError('RECIPIENT_MALFORMED', 'the recipient is no Starknet address');
    checkRecipient(BigInt(recipient), [pool.address]);
    checkQuote(options, maxFee);
    const entry: WithdrawalEntry = {
      state: 'open',
      chainId: pool.chainId,
      pool: pool.address,
      commitment: hex(note.commitment),
      nullifierHash: hex(note.nullifierHash),
      recipient,
      maxFee: String(maxFee),
      begunAtMs: Date.now(),
      quote: quote === undefined ? null : keptQuote(quote),
      postings: [],
      transactionHash: null,
      error: null,
    };
    const id = [pool.chainId, pool.address, hex(note.nullifierHash)]
      .map((part) => BigInt(part).toString(16))
      .join('-');
    return new Withdrawal(id, storage, options, { begin: entry });
  }

  /**
   * A withdrawal that was begun earlier. Where it has ended, its events are that end; where it
   * needs a new quote and is given one (or a higher maximum) it goes on.
   * @throws WalletError JOURNEY_UNKNOWN; JOURNEY_MISMATCH: it is of another note or pool;
   *   JOURNAL_UNREADABLE; what `begin` throws for a quote
   */
  static async resume(
    storage: WalletStorage,
    id: string,
    options: ResumeWithdrawalOptions,
  ): Promise<Withdrawal> {
    const entry = await journalOf(storage, options).read(id);
    if (entry === undefined)
      throw new WalletError('JOURNEY_UNKNOWN', 'the storage has no such withdrawal');
    const { note, pool, quote, maxFee = BigInt(entry.maxFee) } = options;
    if (
      BigInt(entry.nullifierHash) !== note.nullifierHash ||
      BigInt(entry.pool) !== BigInt(pool.address) ||
      BigInt(entry.chainId) !== BigInt(pool.chainId)
    )
      throw new WalletError('JOURNEY_MISMATCH', 'the withdrawal is of another note or pool');
    checkQuote(options, maxFee);
    const isChanged = quote !== undefined || options.maxFee !== undefined;
    const terms = {
      maxFee: String(maxFee),
      quote: quote === undefined ? null : keptQuote(quote),
    };
    return new Withdrawal(id, storage, options, isChanged ? { terms } : {});
  }

  /** All withdrawals that the storage knows. @throws WalletError JOURNAL_UNREADABLE */
  static async list(storage: WalletStorage): Promise<readonly WithdrawalSummary[]> {
    const all = await journalOf(storage, {}).list();
    return all.map(({ id, entry }) => {
      const { state, chainId, pool, commitment, recipient, begunAtMs, transactionHash } = entry;
      return { id, state, chainId, pool, commitment, recipient, begunAtMs, transactionHash };
    });
  }

  private constructor(
    id: string,
    storage: WalletStorage,
    options: WithdrawalMeans & JournalOptions,
    wish: Wish,
  ) {
    const journal = journalOf(storage, options);
    let open = wish;
    super(id, async (emit, signal) => {
      if (open.begin !== undefined) await journal.begin(id, open.begin);
      const onWait = (): void => emit({ type: 'waiting', error: ownError('RUNS_ELSEWHERE') });
      for (let isTaken = true; isTaken;) {
        const run = await journal.take(id, { signal, onWait });
        try {
          const next = wished(run.entry, open);
          if (next === 'another-recipient') {
            const { transactionHash } = run.entry;
            const paid = transactionHash === null ? {} : { transactionHash };
            emit({ type: 'failed', error: ownError('ANOTHER_RECIPIENT', paid) });
            return;
          }
          if (next !== run.entry) await run.write(next);
          // Once: what another tab makes of it after that is not begun again.
          open = {};
          await new WithdrawalRun(options, run, emit, AbortSignal.any([signal, run.lost])).work();
          isTaken = false;
        } catch (error) {
          // Another tab has it now: this one waits until that has ended or is gone.
          if (!run.lost.aborted || signal.aborted) throw error;
        } finally {
          await run.release();
        }
      }
    });
  }
}

/** What a caller wants of a withdrawal that may be there already. */
interface Wish {
  readonly begin?: WithdrawalEntry;
  readonly terms?: Pick<WithdrawalEntry, 'maxFee' | 'quote'>;
}

function wished(
  entry: WithdrawalEntry,
  { begin, terms }: Wish,
): WithdrawalEntry | 'another-recipient' {
  const pending = entry.postings.filter(mayHaveLanded);
  if (begin !== undefined) {
    const isOther = BigInt(begin.recipient) !== BigInt(entry.recipient);
    const isEnded = entry.state === 'failed' || entry.state === 'needs-new-quote';
    if (isOther && (!isEnded || pending.length > 0)) return 'another-recipient';
    if (isEnded) return { ...begin, postings: pending };
    const { maxFee, quote } = begin;
    const isSame = quote === null && maxFee === entry.maxFee;
    // What the user agreed to last counts for what is not proven yet.
    return entry.state === 'open' && !isSame ? { ...entry, maxFee, quote } : entry;
  }
  return terms !== undefined && entry.state === 'needs-new-quote'
    ? { ...entry, ...terms, state: 'open', error: null, transactionHash: null }
    : entry;
}

function journalOf(storage: WalletStorage, { locks }: JournalOptions): Journal<WithdrawalEntry> {
  return new Journal(storage, KIND, locks === undefined ? {} : { locks });
}

function checkQuote(
  { pool, quote, relayers }: Pick<WithdrawalOptions, 'pool' | 'quote' | 'relayers'>,
  maxFee: bigint,
): void {
  if (quote === undefined) return;
  if (!AcceptedQuote.is(quote)) throw new TypeError('a quote has to be accepted by acceptQuote');
  if (BigInt(quote.chainId) !== BigInt(pool.chainId))
    throw new WalletError('QUOTE_OF_ANOTHER_CHAIN', 'the quote is for another chain');
  if (BigInt(quote.pool) !== BigInt(pool.address))
    throw new WalletError('QUOTE_OF_ANOTHER_POOL', 'the quote is for another pool');
  if (!relayers.some(({ signerKey }) => signerKey === quote.signerKey))
    throw new WalletError('QUOTE_OF_ANOTHER_RELAYER', 'the quote is of none of the relayers');
  if (quote.fee > maxFee)
    throw new WalletError('FEE_ABOVE_MAXIMUM', 'the quote’s fee is above the maximum');
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
