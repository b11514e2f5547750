import { isSottoError, outcomeOf } from '@sotto/client';

import { admit, isConfirmed } from '../guard/admission.js';
import { drawDelayMs, restOfDelayMs, storedDelay, type SwapDelay } from '../guard/swap-delay.js';
import type { JournalOptions, JournalRun } from '../journeys/journal.js';
import { reported, type JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import { newsOnly } from '../journeys/news.js';
import { Pauses } from '../journeys/pauses.js';
import { answerWithin, sleep } from '../journeys/sleep.js';
import { untilRead } from '../journeys/until-read.js';
import type { Note } from '../notes/note.js';
import type { Batch, Place, PoolView } from '../pools/pool-view.js';
import { proveNote } from '../prove-note.js';
import type { Prover } from '../prover.js';
import { isConclusive } from '../relayers/conclusive.js';
import { MEMPOOL_LIFETIME_MS, RequestFollower } from '../relayers/relayed-request.js';
import { RelayerChoice } from '../relayers/relayer-choice.js';
import type { Relayer, RelayersAsked, UsableRelayer } from '../relayers/relayers.js';
import { NOT_SENT, RELAYER_SILENT, mayHaveLanded } from '../relayers/request-state.js';
import { QuoteNotTrusted, acceptQuote } from '../signed/accepted-quote.js';
import type { WalletStorage } from '../storage.js';
import {
  endOf,
  keptQuote,
  withEnd,
  withLastPosting,
  type KeptQuote,
  type Posting,
  type WithdrawalEntry,
} from './withdrawal-entry.js';
import type { WithdrawalEvent } from './withdrawal-events.js';
import { withdrawalRequest } from './withdrawal-request.js';

export interface WithdrawalMeans {
  readonly note: Note;
  readonly pool: PoolView;
  readonly prover: Prover;
  readonly relayers: readonly Relayer[];
}

interface Offer {
  readonly relayer: Relayer;
  readonly quote: KeptQuote;
}

const ANSWER_TIMEOUT_MS = 30_000;
/** Maximum time in ms between two reads of the chain while a swapped note is delayed. */
const DELAY_LOOK_MS = 60_000;
/**
 * Minimum remaining validity of a quote in ms. If less time is left, no proof is created for the
 * quote.
 */
const LEAST_QUOTE_MS = 5_000;

/**
 * Maximum number of stored postings that have ended. If there are more, the oldest are dropped.
 * Dropped postings are rarely needed, because a {@link PoolView} usually returns the recipient that
 * was paid.
 */
const MOST_ENDED = 8;

/**
 * Runs one withdrawal from the state in its journal. Before each step that may reveal the proof,
 * the state is written to the journal.
 */
export class WithdrawalRun {
  readonly #means: WithdrawalMeans & JournalOptions;
  readonly #storage: WalletStorage;
  readonly #journal: JournalRun<WithdrawalEntry>;
  readonly #report: (event: WithdrawalEvent) => void;
  readonly #signal: AbortSignal;
  readonly #choice: RelayerChoice;
  /** Cause of the last failure. The journal does not contain this cause. */
  #cause: unknown;
  readonly #pauses: Pauses;

  constructor(
    means: WithdrawalMeans & JournalOptions,
    storage: WalletStorage,
    journal: JournalRun<WithdrawalEntry>,
    emit: (event: WithdrawalEvent) => void,
    signal: AbortSignal,
  ) {
    this.#means = means;
    this.#storage = storage;
    this.#choice = new RelayerChoice(means.relayers);
    this.#journal = journal;
    this.#report = newsOnly(emit);
    this.#pauses = new Pauses(signal);
    this.#signal = signal;
  }

  get #entry(): WithdrawalEntry {
    return this.#journal.entry;
  }

  /** Runs until the withdrawal ends. @throws the signal's reason; any error of the storage */
  async work(): Promise<void> {
    while (this.#entry.state === 'open') {
      this.#signal.throwIfAborted();
      const last = this.#entry.postings.at(-1);
      await (last?.ended === null ? this.#follow(last) : this.#prepare());
    }
    const end = endOf(this.#entry);
    if (end === undefined) return;
    if (end.type === 'failed' && this.#cause !== undefined)
      this.#report({ ...end, error: { ...end.error, cause: this.#cause } });
    else this.#report(end);
  }

  // Proof that was sent to the relayer.

  async #follow(posting: Posting): Promise<void> {
    const { baseUrl } = posting;
    const request = withdrawalRequest({
      relayer: this.#choice.at(baseUrl),
      pool: this.#means.pool.address,
      posting,
      isDone: async (signal) => (await this.#spentBy(signal)) !== undefined,
    });
    const end = await new RequestFollower(
      request,
      {
        state: () => this.#entry.postings.at(-1) ?? posting,
        save: ({ location, unansweredSinceMs, firstSentMs }) =>
          this.#journal.write(
            withLastPosting(this.#entry, { location, unansweredSinceMs, firstSentMs }),
          ),
      },
      this.#report,
      this.#signal,
    ).follow();
    switch (end.kind) {
      case 'succeeded':
        return this.#spent(end.transactionHash);
      case 'done':
        return this.#spent();
      case 'silent':
        this.#choice.rest(baseUrl);
        return this.#endPosting(RELAYER_SILENT);
      case 'ended':
        await this.#endPosting(end.error.code);
        return this.#refused(baseUrl, end.error);
    }
  }

  async #endPosting(code: string): Promise<void> {
    await this.#journal.write(withLastPosting(this.#entry, { ended: code }));
  }

  /**
   * Handles a conclusive rejection. The next attempt uses the same relayer or a different relayer.
   */
  async #refused(baseUrl: string, error: JourneyError): Promise<void> {
    this.#choice.refused(baseUrl, error);
    // Only this relayer is dismissed for the revert that it reports. A second relayer may succeed
    // with a new proof.
    if (error.code === 'TRANSACTION_REVERTED') this.#choice.dismiss(baseUrl);
    // The recipient is invalid. A different relayer or a different proof cannot change this.
    if (error.code !== 'RECIPIENT_INVALID') return;
    this.#choice.dismiss(baseUrl);
    if (!this.#isPending) await this.#end('failed', error);
  }

  // Checks of a spent note.

  /** @throws any error that occurs while the chain is read */
  async #spentBy(signal: AbortSignal): Promise<string | undefined> {
    const { pool, note } = this.#means;
    await pool.refresh(signal);
    return pool.spentBy(note.nullifierHash);
  }

  /**
   * Determines whether the spent note paid this withdrawal. The chain decides, not the relayer's
   * report.
   * @param paidBy transaction that paid, as reported by its relayer
   */
  async #spent(paidBy?: string): Promise<void> {
    const sinceMs = Date.now();
    for (;;) {
      const transactionHash = await this.#untilRead(() => this.#spentBy(this.#signal));
      if (transactionHash !== undefined) {
        const isOwn = await this.#isOwn(transactionHash, paidBy);
        if (isOwn === true) return this.#settle(transactionHash);
        if (isOwn === false)
          return this.#end('failed', ownError('NOTE_SPENT_ELSEWHERE', { transactionHash }));
        this.#report({
          type: 'unknown',
          error: ownError('SPENT_BY_UNKNOWN', { transactionHash }),
        });
      } else if (Date.now() - sinceMs >= MEMPOOL_LIFETIME_MS) {
        // The chain contradicts the report of the relayer, so the report is ignored.
        return this.#disbelieve();
      } else this.#report({ type: 'unknown', error: ownError('SPENDING_NOT_SEEN') });
      await this.#pauses.pause();
    }
  }

  async #disbelieve(): Promise<void> {
    const last = this.#entry.postings.at(-1);
    if (last?.ended !== null) return;
    this.#choice.dismiss(last.baseUrl);
    this.#choice.lastRefusal = ownError('SPENDING_NOT_SEEN', { relayer: last.baseUrl });
    // The relayer may still have the request and may still put it on chain.
    await this.#endPosting(RELAYER_SILENT);
  }

  /** @returns undefined if no relayer that knows the proof responds now */
  async #isOwn(transactionHash: string, paidBy?: string): Promise<boolean | undefined> {
    const { pool, note } = this.#means;
    const paid = pool.recipientOf?.(note.nullifierHash);
    const { postings, recipient } = this.#entry;
    // The recipient was paid. This check also works if the storage was cleared and no longer has
    // the proof.
    if (paid !== undefined) return paid === BigInt(recipient);
    if (paidBy !== undefined && isSame(paidBy, transactionHash)) return true;
    const answers: (boolean | undefined)[] = [];
    for (const posting of postings.toReversed()) {
      const answer = await this.#hasSent(posting, transactionHash);
      if (answer === true) return true;
      answers.push(answer);
    }
    return answers.includes(undefined) ? undefined : false;
  }

  /**
   * Finds the relayer's submission of a proof by sending the proof again. The note is spent, so the
   * relayer sends no second transaction, and returns a submission only if its terms are identical.
   */
  async #hasSent(posting: Posting, transactionHash: string): Promise<boolean | undefined> {
    if (posting.calldata === null) return false;
    const request = withdrawalRequest({
      relayer: this.#choice.at(posting.baseUrl),
      pool: this.#means.pool.address,
      posting,
      isDone: async (signal) => (await this.#spentBy(signal)) !== undefined,
    });
    const answer = await answerWithin(ANSWER_TIMEOUT_MS, this.#signal, (signal) =>
      request.post(signal),
    );
    if (answer?.data !== undefined) {
      const sent = outcomeOf({ ...answer.data, code: null });
      return 'transactionHash' in sent && sent.transactionHash !== null
        ? isSame(sent.transactionHash, transactionHash)
        : undefined;
    }
    if (answer === undefined || !isSottoError(answer.error))
      return mayHaveLanded(posting) ? undefined : false;
    const { error, response } = answer;
    const isOther =
      request.doneCodes.includes(String(error.code)) || isConclusive(response.status, error);
    return isOther || !mayHaveLanded(posting) ? false : undefined;
  }

  // Steps before a relayer receives a proof.

  async #prepare(): Promise<void> {
    const { note, pool } = this.#means;
    const spentBy = await this.#untilRead(() => this.#spentBy(this.#signal));
    if (spentBy !== undefined) return this.#spent();
    const place = pool.placeOf(note.commitment);
    if (place === undefined) return this.#end('failed', ownError('NOTE_NOT_DEPOSITED'));
    const { leafIndex } = place;
    const batch = pool.kind === 'swap' ? { start: leafIndex, size: 1 } : place.batch;
    if (batch === undefined) return this.#end('failed', ownError('NOTE_WAITS_FOR_BATCH'));
    if (!(await this.#isAdmitted({ ...place, batch }))) return;
    const offer = await this.#offer(leafIndex);
    if (offer === undefined) return;
    if (await this.#askAgain(offer.relayer.baseUrl)) return;
    await this.#prove(offer, leafIndex, batch);
  }

  // Guard.

  /** @returns false if the guard refused the withdrawal, or while a swapped note is delayed */
  async #isAdmitted(place: Place): Promise<boolean> {
    const { admission, postings, recipient, guard: terms } = this.#entry;
    // A proof that a relayer has seen was admitted.
    if (!isConfirmed(admission) && postings.length === 0) {
      const refused = await admit({
        ...this.#means,
        place,
        recipient,
        terms,
        storage: this.#storage,
        signal: this.#signal,
        onWait: () => this.#report({ type: 'waiting', error: ownError('ANOTHER_CHECK') }),
        store: (next) => this.#write({ admission: next, delay: this.#drawnDelay() }),
      });
      if (refused !== undefined) {
        await this.#end('failed', refused);
        return false;
      }
    }
    return this.#means.pool.kind !== 'swap' || this.#hasWaited();
  }

  #drawnDelay(): SwapDelay {
    const delay = storedDelay(this.#entry.delay);
    if (this.#means.pool.kind !== 'swap' || delay.untilMs !== null) return delay;
    return { ...delay, untilMs: Date.now() + drawDelayMs(delay.mostMs) };
  }

  /** Warns of the link between swap and withdrawal, and waits for a part of the drawn delay. */
  async #hasWaited(): Promise<boolean> {
    const delay = storedDelay(this.#entry.delay);
    const leftMs = restOfDelayMs(delay, Date.now());
    const untilMs = Date.now() + leftMs;
    if (this.#entry.postings.length > 0) return true;
    this.#report({ type: 'waiting', error: ownError('SWAP_LINKED', { untilMs }) });
    if (leftMs === 0) return true;
    // The clock was set back, or the user has named a shorter delay.
    if (delay.untilMs !== untilMs) await this.#write({ delay: { ...delay, untilMs } });
    await sleep(Math.min(leftMs, DELAY_LOOK_MS), this.#signal);
    return false;
  }

  /** Reopens the posting of a relayer that did not respond for a time and responds again. */
  async #askAgain(baseUrl: string): Promise<boolean> {
    const { postings } = this.#entry;
    const silent = postings.find(
      (posting) => posting.baseUrl === baseUrl && posting.ended === RELAYER_SILENT,
    );
    if (silent === undefined) return false;
    const others = postings.filter((posting) => posting !== silent);
    await this.#write({ postings: [...others, { ...silent, ended: null }] });
    return true;
  }

  async #prove({ relayer, quote }: Offer, leafIndex: number, batch: Batch): Promise<void> {
    const { note, pool, prover } = this.#means;
    const { recipient } = this.#entry;
    const proving = await proveNote(
      prover,
      { note, pool, leafIndex, batch, recipient, quote },
      this.#signal,
      this.#report,
    );
    if ('error' in proving) {
      if (proving.error.code !== 'ARTEFACT_UNAVAILABLE')
        return this.#endUnlessPending('failed', proving.error);
      this.#report({ type: this.#isPending ? 'unknown' : 'waiting', error: proving.error });
      return this.#pauses.pause();
    }
    const { calldata } = proving;
    this.#pauses.reset();
    const { baseUrl } = relayer;
    const posting: Posting = {
      ...NOT_SENT,
      baseUrl,
      quoteId: quote.quoteId,
      calldata,
      ended: null,
    };
    const { postings } = this.#entry;
    const forgotten = new Set(postings.filter((one) => !mayHaveLanded(one)).slice(0, -MOST_ENDED));
    const kept = postings.filter((one) => !forgotten.has(one));
    await this.#write({ quote: null, postings: [...kept, posting] });
  }

  // Selection of a relayer and its quote.

  /**
   * @returns undefined if no relayer makes an offer yet (after a pause), or if the withdrawal has
   *   ended
   */
  async #offer(leafIndex: number): Promise<Offer | undefined> {
    const { pool } = this.#means;
    const asked = await this.#choice.ask({
      chainId: pool.chainId,
      pool: pool.address,
      operation: pool.kind === 'swap' ? 'swap-pool-withdrawal' : 'withdrawal',
      signal: this.#signal,
    });
    let tooDear = false;
    for (const usable of this.#inOrder(asked)) {
      const quote = this.#quoteInHand(usable) ?? (await this.#askQuote(usable, leafIndex));
      if (quote === 'too-dear') tooDear = true;
      else if (quote !== undefined) return { relayer: usable.relayer, quote };
    }
    return this.#withoutOffer(asked, tooDear);
  }

  /**
   * Returns the usable relayers: first the relayer of the accepted quote, then the other relayers
   * in the sequence of the list.
   */
  #inOrder({ usable }: RelayersAsked): readonly UsableRelayer[] {
    const key = this.#entry.quote?.signerKey;
    const isQuoted = ({ relayer }: UsableRelayer): boolean => relayer.signerKey === key;
    return [...usable.filter(isQuoted), ...usable.filter((relayer) => !isQuoted(relayer))];
  }

  #quoteInHand({ relayer }: UsableRelayer): KeptQuote | undefined {
    const { quote } = this.#entry;
    const isGood =
      quote?.signerKey === relayer.signerKey && quote.expiresAtMs - Date.now() >= LEAST_QUOTE_MS;
    return isGood && quote !== null ? quote : undefined;
  }

  async #askQuote(
    { relayer, client }: UsableRelayer,
    leafIndex: number,
  ): Promise<KeptQuote | 'too-dear' | undefined> {
    const { pool } = this.#means;
    const { baseUrl, signerKey } = relayer;
    const answer = await answerWithin(ANSWER_TIMEOUT_MS, this.#signal, (signal) =>
      client.POST('/api/relayer/quote', {
        body: { poolAddress: pool.address, ...(pool.kind === 'swap' ? { leafIndex } : {}) },
        signal,
      }),
    );
    if (answer?.data === undefined) {
      await this.#refused(
        baseUrl,
        isSottoError(answer?.error)
          ? reported(answer.error, baseUrl)
          : ownError('RELAYER_UNREACHABLE', { relayer: baseUrl }),
      );
      return undefined;
    }
    try {
      const maxFee = BigInt(this.#entry.maxFee);
      const { chainId, address } = pool;
      return keptQuote(acceptQuote(answer.data, { signerKey, chainId, pool: address, maxFee }));
    } catch (error) {
      if (!(error instanceof QuoteNotTrusted)) throw error;
      if (error.code === 'FEE_ABOVE_MAXIMUM') return 'too-dear';
      this.#choice.dismiss(baseUrl);
      return undefined;
    }
  }

  async #withoutOffer(asked: RelayersAsked, tooDear: boolean): Promise<undefined> {
    const error = this.#choice.whyNone(asked);
    if (tooDear) await this.#endUnlessPending('needs-new-quote', ownError('FEE_ABOVE_MAXIMUM'));
    else if (this.#choice.isExhausted) await this.#endUnlessPending('failed', error);
    else {
      this.#report({ type: this.#isPending ? 'unknown' : 'waiting', error });
      await this.#pauses.pause();
    }
  }

  // Methods that end the withdrawal.

  /** True if a relayer may have put the withdrawal on chain, or may still do so. */
  get #isPending(): boolean {
    return this.#entry.postings.some(mayHaveLanded);
  }

  async #settle(transactionHash: string): Promise<void> {
    await this.#journal.write(withEnd(this.#entry, { state: 'settled', transactionHash }));
  }

  /** Ends the withdrawal, or waits while a relayer may still put the withdrawal on chain. */
  async #endUnlessPending(state: 'failed' | 'needs-new-quote', error: JourneyError): Promise<void> {
    if (!this.#isPending) return this.#end(state, error);
    this.#report({ type: 'unknown', error });
    await this.#pauses.pause();
  }

  async #end(
    state: 'failed' | 'needs-new-quote',
    { cause, ...error }: JourneyError,
  ): Promise<void> {
    this.#cause = cause;
    await this.#journal.write(withEnd(this.#entry, { state, error }));
  }

  async #write(change: Partial<WithdrawalEntry>): Promise<void> {
    await this.#journal.write({ ...this.#entry, ...change });
  }

  // Helper methods.

  async #untilRead<T>(read: () => Promise<T>): Promise<T> {
    return untilRead(read, {
      signal: this.#signal,
      pauses: this.#pauses,
      onFailure: (error) => this.#report({ type: this.#isPending ? 'unknown' : 'waiting', error }),
    });
  }
}

function isSame(hash: string, other: string): boolean {
  return BigInt(hash) === BigInt(other);
}
