import { WalletError } from '../errors.js';
import { guardTerms, mergedTerms, type GuardOptions } from '../guard/admission.js';
import { mostDelayMs, storedDelay } from '../guard/swap-delay.js';
import { cancelJourney } from '../journeys/cancel.js';
import { Journal, type JournalOptions, type ListOptions } from '../journeys/journal.js';
import { Journey } from '../journeys/journey.js';
import { ownError } from '../journeys/own-errors.js';
import { mayHaveLanded } from '../relayers/request-state.js';
import { parseRecipient } from '../recipient.js';
import { AcceptedQuote } from '../signed/accepted-quote.js';
import type { WalletStorage } from '../storage.js';
import {
  WITHDRAWAL_STATES,
  keptQuote,
  withEnd,
  type WithdrawalEntry,
  type WithdrawalState,
} from './withdrawal-entry.js';
import type { WithdrawalEvent } from './withdrawal-events.js';
import { WithdrawalRun, type WithdrawalMeans } from './withdrawal-run.js';

export interface WithdrawalOptions extends WithdrawalMeans, JournalOptions, GuardOptions {
  /** Address (0x hex) that the withdrawal pays. */
  readonly recipient: string;
  /** Maximum fee, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: bigint;
  /**
   * Quote of one of the relayers. If undefined, a quote is requested and accepted up to `maxFee`.
   */
  readonly quote?: AcceptedQuote;
  /**
   * Maximum delay in ms of a swapped note's withdrawal, at most one day. The delay is random and is
   * drawn once per withdrawal; 0 is no delay. Other notes are not delayed. @default one hour
   */
  readonly waitForSwap?: number;
  readonly storage: WalletStorage;
}

export interface ResumeWithdrawalOptions extends WithdrawalMeans, JournalOptions {
  /** New quote. If the withdrawal needs a new quote, it continues with this quote. */
  readonly quote?: AcceptedQuote;
  /** New maximum fee. If the withdrawal needs a new quote, it continues with this maximum. */
  readonly maxFee?: bigint;
}

/** Stored state of a withdrawal, which can be read without running the withdrawal. */
export interface WithdrawalSummary {
  /** Id for {@link Withdrawal.resume}. */
  readonly id: string;
  readonly state: WithdrawalState;
  /** Chain id as 0x hex. All addresses and hashes in this object are also 0x hex. */
  readonly chainId: string;
  readonly pool: string;
  /** Commitment, which identifies the note to the wallet. */
  readonly commitment: string;
  readonly recipient: string;
  /** Start of the withdrawal, as Unix time in ms. */
  readonly begunAtMs: number;
  readonly transactionHash: string | null;
}

const KIND = 'withdrawal';

/**
 * Withdrawal through a relayer. A closed tab, a network failure or a failed relayer can neither
 * spend a note twice nor lose the note. The work runs only while its {@link events} are read.
 */
export class Withdrawal extends Journey<WithdrawalEvent> {
  /**
   * Starts or continues the withdrawal of a note.
   * - An unfinished withdrawal to the same recipient continues. If it has no proof yet, the proof
   *   is created with the given terms.
   * - If a withdrawal failed or needs a new quote, it starts again.
   * - If a withdrawal is settled, it only reports its end.
   * @throws WalletError RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE, QUOTE_OF_ANOTHER_CHAIN,
   *   QUOTE_OF_ANOTHER_POOL, QUOTE_OF_ANOTHER_RELAYER, FEE_ABOVE_MAXIMUM; TypeError for a quote
   *   that was not accepted
   */
  static begin(options: WithdrawalOptions): Withdrawal {
    const { note, pool, recipient, maxFee, quote, storage } = options;
    parseRecipient(recipient, [pool.address]);
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
      guard: guardTerms(options),
      admission: null,
      delay: { mostMs: mostDelayMs(options.waitForSwap), untilMs: null },
      error: null,
    };
    const id = [pool.chainId, pool.address, hex(note.nullifierHash)]
      .map((part) => BigInt(part).toString(16))
      .join('-');
    return new Withdrawal(id, storage, options, { begin: entry });
  }

  /**
   * Resumes a withdrawal that was started earlier. If the withdrawal is finished, it emits only its
   * last event. A withdrawal that needs a new quote continues if a quote or a higher maximum fee is
   * given.
   * @throws WalletError JOURNEY_UNKNOWN; JOURNEY_MISMATCH if note or pool differ from the stored
   *   withdrawal; JOURNAL_UNREADABLE; the errors of `begin` for a quote
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

  /** Lists all withdrawals in the storage. @throws WalletError JOURNAL_UNREADABLE */
  static async list(
    storage: WalletStorage,
    options: ListOptions = {},
  ): Promise<readonly WithdrawalSummary[]> {
    const all = await journalOf(storage, {}).list(options);
    return all.map(({ id, entry }) => {
      const { state, chainId, pool, commitment, recipient, begunAtMs, transactionHash } = entry;
      return { id, state, chainId, pool, commitment, recipient, begunAtMs, transactionHash };
    });
  }

  /**
   * Cancels a withdrawal that nothing runs in this tab and that has posted no proof. A
   * cancelled withdrawal can be started again.
   * @returns false if a relayer may have a proof, or if the withdrawal has ended or runs elsewhere
   * @throws WalletError JOURNAL_UNREADABLE; any error of the storage
   */
  static async cancel(
    storage: WalletStorage,
    id: string,
    options: JournalOptions = {},
  ): Promise<boolean> {
    return cancelJourney(journalOf(storage, options), id, (entry) =>
      entry.state === 'open' && entry.postings.length === 0
        ? withEnd(entry, { state: 'failed', error: ownError('CANCELLED') })
        : null,
    );
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
          // Apply the terms only once. If a second tab changes the withdrawal later, the terms must
          // not be applied again, because this would restart the withdrawal.
          open = {};
          const both = AbortSignal.any([signal, run.lost]);
          await new WithdrawalRun(options, storage, run, emit, both).work();
          isTaken = false;
        } catch (error) {
          // A second tab has started to run the withdrawal. Wait until that tab ends its run or its
          // lease expires.
          if (!run.lost.aborted || signal.aborted) throw error;
        } finally {
          await run.release();
        }
      }
    });
  }
}

/** Terms that a caller requests for a withdrawal, which may already exist. */
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
    if (isOther) return { ...begin, postings: pending };
    const guarded = { ...begin, ...guardOfRepeat(entry, begin) };
    if (isEnded) return { ...guarded, postings: pending };
    if (entry.state !== 'open') return entry;
    // For proofs that have not been created yet, the user's latest terms apply.
    const { maxFee, quote, guard, delay } = guarded;
    const next = { ...entry, maxFee, quote, guard, delay };
    return quote === null && JSON.stringify(next) === JSON.stringify(entry) ? entry : next;
  }
  return terms !== undefined && entry.state === 'needs-new-quote'
    ? { ...entry, ...terms, state: 'open', error: null, transactionHash: null }
    : entry;
}

/**
 * Returns the guard's part of a withdrawal that is begun again with the same recipient. Earlier
 * overrides and bounds remain valid, and so does an admission that a proof may use.
 */
function guardOfRepeat(
  entry: WithdrawalEntry,
  begin: WithdrawalEntry,
): Pick<WithdrawalEntry, 'guard' | 'admission' | 'delay'> {
  const isKept = entry.state !== 'failed' || entry.postings.length > 0;
  return {
    guard: mergedTerms(entry.guard, begin.guard),
    admission: isKept ? entry.admission : null,
    delay: { ...storedDelay(entry.delay), mostMs: begin.delay.mostMs },
  };
}

function journalOf(storage: WalletStorage, { locks }: JournalOptions): Journal<WithdrawalEntry> {
  return new Journal(storage, KIND, locks === undefined ? {} : { locks }, WITHDRAWAL_STATES);
}

function checkQuote(
  { pool, quote, relayers }: Pick<WithdrawalOptions, 'pool' | 'quote' | 'relayers'>,
  maxFee: bigint,
): void {
  if (quote === undefined) return;
  if (!AcceptedQuote.is(quote))
    throw new TypeError('acceptQuote must accept a quote before it is used');
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
