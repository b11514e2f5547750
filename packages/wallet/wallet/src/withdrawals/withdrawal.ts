import { WalletError } from '../errors.js';
import { STARKNET_FIELD } from '../fields.js';
import { Journal, type JournalOptions } from '../journeys/journal.js';
import { Journey } from '../journeys/journey.js';
import { ownError } from '../journeys/own-errors.js';
import { mayHaveLanded } from '../relayers/request-state.js';
import { checkRecipient } from '../recipient.js';
import { AcceptedQuote } from '../signed/accepted-quote.js';
import type { WalletStorage } from '../storage.js';
import {
  WITHDRAWAL_STATES,
  keptQuote,
  type WithdrawalEntry,
  type WithdrawalState,
} from './withdrawal-entry.js';
import type { WithdrawalEvent } from './withdrawal-events.js';
import { WithdrawalRun, type WithdrawalMeans } from './withdrawal-run.js';

export interface WithdrawalOptions extends WithdrawalMeans, JournalOptions {
  /** Address (0x hex) that the withdrawal pays. */
  readonly recipient: string;
  /** Maximum fee, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: bigint;
  /**
   * Quote of one of the relayers. If undefined, a quote is requested and accepted up to `maxFee`.
   */
  readonly quote?: AcceptedQuote;
  readonly storage: WalletStorage;
}

export interface ResumeWithdrawalOptions extends WithdrawalMeans, JournalOptions {
  /** New quote. A withdrawal that needs a new quote continues with this quote. */
  readonly quote?: AcceptedQuote;
  /** New maximum fee. A withdrawal that needs a new quote continues with this maximum. */
  readonly maxFee?: bigint;
}

/** Stored state of a withdrawal, which can be read without running the withdrawal. */
export interface WithdrawalSummary {
  /** Id for {@link Withdrawal.resume}. */
  readonly id: string;
  readonly state: WithdrawalState;
  /** Chain id as 0x hex. The addresses and hashes below are also 0x hex. */
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
const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * Withdrawal through a relayer. A closed tab, a network failure or a failed relayer can neither
 * spend a note twice nor lose the note. The work runs only while its {@link events} are read.
 */
export class Withdrawal extends Journey<WithdrawalEvent> {
  /**
   * Starts or continues the withdrawal of a note.
   * - An unfinished withdrawal to the same recipient continues. A proof that does not exist yet is
   *   created with the given terms.
   * - A withdrawal that failed or needs a new quote starts again.
   * - A settled withdrawal only reports its end.
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
   * Resumes a withdrawal that was started earlier. A finished withdrawal emits only its last event.
   * A withdrawal that needs a new quote continues if a quote or a higher maximum fee is given.
   * @throws WalletError JOURNEY_UNKNOWN; JOURNEY_MISMATCH for another note or pool;
   *   JOURNAL_UNREADABLE; the errors of `begin` for a quote
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
          // Apply the terms only once: a change that another tab makes later must not restart the
          // withdrawal.
          open = {};
          await new WithdrawalRun(options, run, emit, AbortSignal.any([signal, run.lost])).work();
          isTaken = false;
        } catch (error) {
          // Another tab runs the withdrawal now: wait until that run ends or its lease expires.
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
    if (isEnded) return { ...begin, postings: pending };
    const { maxFee, quote } = begin;
    const isSame = quote === null && maxFee === entry.maxFee;
    // The user's latest terms apply to proofs that have not been created yet.
    return entry.state === 'open' && !isSame ? { ...entry, maxFee, quote } : entry;
  }
  return terms !== undefined && entry.state === 'needs-new-quote'
    ? { ...entry, ...terms, state: 'open', error: null, transactionHash: null }
    : entry;
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
