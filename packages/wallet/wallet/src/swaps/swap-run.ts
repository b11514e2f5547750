import { isSottoError } from '@sotto/client';

import { WalletError } from '../errors.js';
import { admit, isConfirmed, storedTerms } from '../guard/admission.js';
import type { JournalOptions, JournalRun } from '../journeys/journal.js';
import { reported, type JourneyError } from '../journeys/journey-error.js';
import { newsOnly } from '../journeys/news.js';
import { ownError } from '../journeys/own-errors.js';
import { Pauses } from '../journeys/pauses.js';
import { answerWithin } from '../journeys/sleep.js';
import { untilRead } from '../journeys/until-read.js';
import { nextNote } from '../notes/next-note.js';
import type { NoteKeys } from '../notes/note-keys.js';
import type { Note } from '../notes/note.js';
import type { Place, PoolView } from '../pools/pool-view.js';
import { proveNote } from '../prove-note.js';
import type { Prover } from '../prover.js';
import {
  MEMPOOL_LIFETIME_MS,
  RequestFollower,
  type RelayedRequest,
} from '../relayers/relayed-request.js';
import { RelayerChoice } from '../relayers/relayer-choice.js';
import { clientOf, type Relayer, type UsableRelayer } from '../relayers/relayers.js';
import { NOT_SENT } from '../relayers/request-state.js';
import { QuoteNotTrusted, acceptQuote, type AcceptedQuote } from '../signed/accepted-quote.js';
import type { WalletStorage } from '../storage.js';
import { Withdrawal } from '../withdrawals/withdrawal.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';
import { rescueNote } from './rescue-note.js';
import type { PrivateSwapState, SwapEntry, SwapPosting } from './swap-entry.js';
import { swapError } from './swap-errors.js';
import type { PrivateSwapEvent } from './swap-events.js';

export interface PrivateSwapMeans {
  /** Note in `pool` that is swapped. */
  readonly note: Note;
  readonly pool: PoolView;
  /** Swap pool, from a source that the wallet trusts, because the proof pays the swap pool. */
  readonly swapPool: PoolView;
  /** Keys that derive the new note. */
  readonly keys: NoteKeys;
  readonly prover: Prover;
  readonly relayers: readonly Relayer[];
  /**
   * Reaction to a reverted swap, whose proof is public. `withdraw` withdraws the note plainly at
   * once, to the swap's recipient and for at most the swap's `maxFee`. With `stop`, the caller must
   * withdraw the note.
   * @default 'withdraw'
   */
  readonly onRevert?: 'withdraw' | 'stop';
}

interface Offer {
  readonly relayer: Relayer;
  readonly quote: AcceptedQuote;
}

const ADVICE =
  'The note is not swapped. Its proof was shown to a relayer, and does not protect whom the swap is for. ' +
  'Withdraw the note plainly, soon; or swap it again, with the same relayer.';
const REVERTED_ADVICE =
  'The swap has reverted and its proof is public: anyone can use it to make the note worthless. ' +
  'The note has to be withdrawn plainly, now.';
const RESCUE_ADVICE =
  'The note is still at risk, because the proof of its reverted swap is public. ' +
  'Withdraw the note plainly, now: start the swap again with a higher maximum fee or other relayers, ' +
  'or send the withdrawal from your own account.';
const OUTPUT_ADVICE = 'The note is swapped, and the new note is yours. Withdraw it again later.';

/** Maximum number of automatic attempts in one run, with a new proof or with the same proof. */
const MOST_TRIES = 3;
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Runs one private swap from the state in its journal. The new note and the relayer are written to
 * the journal before any relayer can see the proof.
 */
export class SwapRun {
  readonly #means: PrivateSwapMeans & JournalOptions;
  readonly #storage: WalletStorage;
  readonly #journal: JournalRun<SwapEntry>;
  readonly #report: (event: PrivateSwapEvent) => void;
  readonly #signal: AbortSignal;
  /** Relayers to use: all relayers or, once a relayer has seen a proof, only that relayer. */
  #choice: RelayerChoice;
  /** Unix time in ms since which the swap's only relayer has made no offer. */
  #silentSinceMs: number | undefined;
  #tries = 0;
  readonly #pauses: Pauses;

  constructor(
    means: PrivateSwapMeans & JournalOptions,
    storage: WalletStorage,
    journal: JournalRun<SwapEntry>,
    emit: (event: PrivateSwapEvent) => void,
    signal: AbortSignal,
  ) {
    this.#means = means;
    this.#storage = storage;
    this.#journal = journal;
    this.#report = newsOnly(emit);
    this.#pauses = new Pauses(signal);
    this.#signal = signal;
    const { relayer: only } = journal.entry;
    this.#choice = new RelayerChoice(
      means.relayers.filter(({ baseUrl }) => only === null || baseUrl === only),
    );
  }

  get #entry(): SwapEntry {
    return this.#journal.entry;
  }

  /**
   * Runs until the swap ends.
   * @throws WalletError JOURNEY_MISMATCH if the new note was derived with keys other than these
   *   keys; the signal's reason; any error of the storage
   */
  async work(): Promise<void> {
    for (let { state } = this.#entry; isWorkedOn(state); { state } = this.#entry) {
      this.#signal.throwIfAborted();
      const { output, posting } = this.#entry;
      if (state === 'reverted') {
        if (!(await this.#isRescued())) return;
      } else if (output === null) await this.#chooseOutput();
      else if (posting !== null) await this.#follow(posting);
      else await this.#prepare();
    }
    if (this.#entry.state === 'swapped') await this.#withdraw();
    else this.#reportEnd();
  }

  // Choice of the new note.

  async #chooseOutput(): Promise<void> {
    const { keys, swapPool: pool } = this.#means;
    const { index, note } = await nextNote({ keys, pool, storage: this.#storage });
    await this.#write({ output: { index, commitment: hex(note.commitment) } });
  }

  #outputNote(): Note {
    const { keys, swapPool } = this.#means;
    const { output, chainId } = this.#entry;
    if (output === null) throw new Error('the new note is not chosen yet');
    const note = keys.note({ chainId, pool: swapPool.address, index: output.index });
    if (note.commitment !== BigInt(output.commitment))
      throw new WalletError('JOURNEY_MISMATCH', 'the swap’s new note is of other keys');
    return note;
  }

  // Proof that was sent to the relayer.

  async #follow(posting: SwapPosting): Promise<void> {
    const request = this.#request(this.#choice.at(this.#entry.relayer ?? ''), posting);
    const end = await new RequestFollower(
      request,
      {
        state: () => this.#entry.posting ?? posting,
        save: ({ location, unansweredSinceMs, firstSentMs }) =>
          this.#write({ posting: { ...posting, location, unansweredSinceMs, firstSentMs } }),
      },
      this.#report,
      this.#signal,
    ).follow();
    switch (end.kind) {
      case 'succeeded':
      case 'done':
        return this.#conclude();
      case 'silent':
        // The relayer may still have the proof. So the next start of the swap queries this relayer
        // first.
        return this.#stop(end.error);
      case 'ended':
        return this.#refused(end.error);
    }
  }

  #request(relayer: Relayer, { calldata, quoteId }: SwapPosting): RelayedRequest {
    const client = clientOf(relayer);
    const { pool: wbtcPool, outputToken, minAmountOut, slippage } = this.#entry;
    const newCommitment = hex(this.#outputNote().commitment);
    return {
      baseUrl: relayer.baseUrl,
      client,
      // Each of these codes means that a swap may be on chain already. The chain shows which swap.
      doneCodes: ['NULLIFIER_SPENT', 'COMMITMENT_EXISTS'],
      isDone: async (signal) => {
        const { pool, note } = this.#means;
        await pool.refresh(signal);
        return pool.spentBy(note.nullifierHash) !== undefined;
      },
      post: async (signal) => {
        const { data, error, response } = await client.POST('/api/relayer/private-swap', {
          params: { header: { prefer: 'respond-async' } },
          body: {
            wbtcPool,
            proofCalldata: [...calldata],
            newCommitment,
            outputToken,
            minAmountOut,
            quoteId,
            ...(slippage === null ? {} : { slippage }),
          },
          signal,
        });
        if (data !== undefined && 'admissible' in data)
          throw new Error('the relayer has answered a dry run');
        return data === undefined ? { error, response } : { data, response };
      },
      lookUp: (signal) =>
        client.POST('/api/relayer/submissions/lookup', {
          body: { poolAddress: wbtcPool, calldata: [...calldata] },
          signal,
        }),
    };
  }

  /** Handles a conclusive rejection: this relayer can't put the proof on chain. */
  async #refused(error: JourneyError): Promise<void> {
    this.#tries += 1;
    // Write the error and the state together. If a run ended between two writes, the next run would
    // swap the note again.
    if (error.code === 'TRANSACTION_REVERTED')
      return this.#write({ posting: null, state: 'reverted', error });
    await this.#write({ posting: null });
    if (this.#tries >= MOST_TRIES || error.retry === 'never' || error.retry === 'later')
      return this.#stop(error);
    this.#report({ type: 'waiting', error });
    await this.#pauses.pause();
  }

  /**
   * Withdraws the note plainly. The proof is public, so the note is at risk until it is spent.
   * @returns false if the note is unspent and the user has to act. The swap then remains
   *   `reverted`: the next start tries again, and never swaps the note
   */
  async #isRescued(): Promise<boolean> {
    const error = this.#entry.error ?? swapError('SWAP_NOT_SEEN');
    this.#report({ type: 'reverted', error, advice: REVERTED_ADVICE });
    if (this.#means.onRevert === 'stop') {
      await this.#stop(error);
      return true;
    }
    const end = await rescueNote(
      this.#means,
      this.#entry,
      this.#storage,
      (event) => this.#report({ type: 'rescuing', event }),
      this.#signal,
    );
    switch (end.kind) {
      case 'withdrawn': {
        const { transactionHash } = end;
        await this.#write({ state: 'withdrawn', error: null, payment: { transactionHash } });
        return true;
      }
      case 'spent':
        await this.#conclude();
        return true;
      case 'failed':
        this.#report({ type: 'stopped', error: end.error, advice: RESCUE_ADVICE });
        return false;
    }
  }

  // The outcome on chain.

  /**
   * Reads from the chain whether the spent note became the new note or was spent by another
   * transaction.
   */
  async #conclude(): Promise<void> {
    const { note, pool, swapPool } = this.#means;
    const output = this.#outputNote();
    const sinceMs = Date.now();
    for (;;) {
      // Read the pool before the swap pool. If the pool's state includes the swap, the state of the
      // swap pool, which is read later, also includes it.
      const { transactionHash, leafIndex } = await this.#untilRead(async () => {
        await pool.refresh(this.#signal);
        await swapPool.refresh(this.#signal);
        return {
          transactionHash: pool.spentBy(note.nullifierHash),
          leafIndex: swapPool.placeOf(output.commitment)?.leafIndex,
        };
      });
      const paid = pool.recipientOf?.(note.nullifierHash);
      const isElsewhere =
        this.#entry.relayer === null || (paid !== undefined && paid !== BigInt(swapPool.address));
      if (transactionHash !== undefined && isElsewhere)
        return this.#spentElsewhere(transactionHash);
      if (transactionHash !== undefined && leafIndex !== undefined)
        return this.#swapped(transactionHash, leafIndex);
      if (Date.now() - sinceMs >= MEMPOOL_LIFETIME_MS)
        return transactionHash === undefined
          ? this.#stop(ownError('SPENDING_NOT_SEEN'))
          : this.#spentElsewhere(transactionHash);
      const error =
        transactionHash === undefined
          ? ownError('SPENDING_NOT_SEEN')
          : swapError('SWAP_NOT_SEEN', { transactionHash });
      this.#report({ type: 'unknown', error });
      await this.#pauses.pause();
    }
  }

  async #swapped(transactionHash: string, leafIndex: number): Promise<void> {
    await this.#write({
      state: 'swapped',
      posting: null,
      error: null,
      transactionHash,
      leafIndex,
    });
  }

  async #spentElsewhere(transactionHash: string): Promise<void> {
    await this.#end('failed', ownError('NOTE_SPENT_ELSEWHERE', { transactionHash }));
  }

  // Steps before a relayer receives a proof.

  async #prepare(): Promise<void> {
    const { note, pool, swapPool, prover } = this.#means;
    const spentBy = await this.#untilRead(async () => {
      await pool.refresh(this.#signal);
      return pool.spentBy(note.nullifierHash);
    });
    if (spentBy !== undefined) return this.#conclude();
    const place = pool.placeOf(note.commitment);
    if (place === undefined) return this.#end('failed', ownError('NOTE_NOT_DEPOSITED'));
    const { leafIndex, batch } = place;
    if (batch === undefined) return this.#end('failed', ownError('NOTE_WAITS_FOR_BATCH'));
    if (!(await this.#isAdmitted(place))) return;
    const offer = await this.#offer();
    if (offer === undefined) return;
    this.#silentSinceMs = undefined;
    const { quote } = offer;
    const recipient = swapPool.address;
    const proving = await proveNote(
      prover,
      { note, pool, leafIndex, batch, recipient, quote },
      this.#signal,
      this.#report,
    );
    if ('error' in proving) {
      if (proving.error.code !== 'ARTEFACT_UNAVAILABLE') return this.#end('failed', proving.error);
      this.#report({ type: 'waiting', error: proving.error });
      return this.#pauses.pause();
    }
    this.#pauses.reset();
    const { calldata } = proving;
    const { quoteId } = quote;
    this.#choice = new RelayerChoice([offer.relayer]);
    await this.#write({
      relayer: offer.relayer.baseUrl,
      posting: { ...NOT_SENT, quoteId, calldata },
    });
  }

  /** @returns false if the guard refused the swap: it spends the note like a withdrawal */
  async #isAdmitted(place: Place): Promise<boolean> {
    const { admission, relayer, recipient, guard: terms } = this.#entry;
    if (isConfirmed(admission) || relayer !== null) return true;
    const { note, pool, locks } = this.#means;
    const refused = await admit({
      note,
      pool,
      place,
      recipient,
      terms,
      ...(locks === undefined ? {} : { locks }),
      storage: this.#storage,
      signal: this.#signal,
      onWait: () => this.#report({ type: 'waiting', error: ownError('ANOTHER_CHECK') }),
      store: (next) => this.#write({ admission: next }),
    });
    if (refused !== undefined) await this.#end('failed', refused);
    return refused === undefined;
  }

  // Selection of a relayer and its quote.

  /**
   * @returns undefined if no relayer makes an offer yet (after a pause), or if the swap has ended
   */
  async #offer(): Promise<Offer | undefined> {
    const { pool, relayers } = this.#means;
    const { relayer: only } = this.#entry;
    if (only !== null && !relayers.some(({ baseUrl }) => baseUrl === only)) {
      await this.#stop(swapError('SWAP_RELAYER_NOT_LISTED', { relayer: only }));
      return undefined;
    }
    const { usable } = await this.#choice.ask({
      chainId: pool.chainId,
      pool: pool.address,
      operation: 'withdrawal',
      signal: this.#signal,
    });
    let tooDear = false;
    for (const candidate of usable) {
      const quote = (await this.#swaps(candidate)) ? await this.#quote(candidate) : undefined;
      if (quote === 'too-dear') tooDear = true;
      else if (quote !== undefined) return { relayer: candidate.relayer, quote };
    }
    if (tooDear) await this.#end('needs-new-quote', ownError('FEE_ABOVE_MAXIMUM'));
    else await this.#withoutOffer();
    return undefined;
  }

  async #withoutOffer(): Promise<void> {
    const { relayer: only } = this.#entry;
    const { isExhausted, lastRefusal } = this.#choice;
    if (isExhausted) return this.#end('failed', lastRefusal ?? swapError('NO_RELAYER_FOR_SWAP'));
    this.#silentSinceMs ??= Date.now();
    if (only !== null && Date.now() - this.#silentSinceMs >= MEMPOOL_LIFETIME_MS)
      return this.#stop(swapError('SWAP_RELAYER_SILENT', { relayer: only }));
    this.#report({ type: 'waiting', error: lastRefusal ?? ownError('NO_USABLE_RELAYER') });
    await this.#pauses.pause();
  }

  /**
   * Returns true if the relayer lists this swap pool and output token. Must be called before the
   * relayer receives a proof.
   */
  async #swaps({ relayer: { baseUrl }, client }: UsableRelayer): Promise<boolean> {
    const { swapPool, outputToken } = this.#entry;
    // Parse the response inside the request, so that a malformed response is treated like a missing
    // response.
    const answer = await answerWithin(ANSWER_TIMEOUT_MS, this.#signal, async (signal) => {
      const { data, error } = await client.GET('/api/relayer/pools', { signal });
      if (data === undefined) return { error };
      const { privateSwap } = data;
      const fits =
        privateSwap !== null &&
        BigInt(privateSwap.swapPool) === BigInt(swapPool) &&
        privateSwap.outputTokens.some(({ address }) => BigInt(address) === BigInt(outputToken));
      return { fits };
    });
    if (answer?.fits === undefined) this.#rest(baseUrl, answer?.error);
    else if (!answer.fits) this.#choice.dismiss(baseUrl);
    return answer?.fits ?? false;
  }

  async #quote({
    relayer: { baseUrl, signerKey },
    client,
  }: UsableRelayer): Promise<AcceptedQuote | 'too-dear' | undefined> {
    const { chainId, address: pool } = this.#means.pool;
    const answer = await answerWithin(ANSWER_TIMEOUT_MS, this.#signal, (signal) =>
      client.POST('/api/relayer/quote', {
        body: { poolAddress: pool, operation: 'private_swap' },
        signal,
      }),
    );
    if (answer?.data === undefined) {
      this.#rest(baseUrl, answer?.error);
      return undefined;
    }
    try {
      const maxFee = BigInt(this.#entry.maxFee);
      return acceptQuote(answer.data, { signerKey, chainId, pool, maxFee });
    } catch (error) {
      if (!(error instanceof QuoteNotTrusted)) throw error;
      if (error.code === 'FEE_ABOVE_MAXIMUM') return 'too-dear';
      this.#choice.dismiss(baseUrl);
      return undefined;
    }
  }

  #rest(baseUrl: string, error: unknown): void {
    if (isSottoError(error)) this.#choice.refused(baseUrl, reported(error, baseUrl));
    else this.#choice.rest(baseUrl);
  }

  // Withdrawal of the new note.

  async #withdraw(): Promise<void> {
    const { transactionHash, leafIndex, recipient, maxWithdrawalFee } = this.#entry;
    const { allow } = storedTerms(this.#entry.guard);
    if (transactionHash !== null && leafIndex !== null)
      this.#report({ type: 'swapped', transactionHash, leafIndex });
    const withdrawal = Withdrawal.begin({
      ...this.#means,
      note: this.#outputNote(),
      pool: this.#means.swapPool,
      recipient,
      maxFee: BigInt(maxWithdrawalFee),
      allow,
      waitForSwap: this.#entry.mostDelayMs,
      storage: this.#storage,
    });
    let last: WithdrawalEvent | undefined;
    for await (const event of withdrawal.events({ signal: this.#signal })) {
      this.#report({ type: 'withdrawing', event });
      last = event;
    }
    this.#signal.throwIfAborted();
    if (last?.type === 'settled') {
      const { transactionHash: hash } = last;
      await this.#write({ state: 'settled', payment: { transactionHash: hash } });
      this.#reportEnd();
    } else if (last?.type === 'needs-new-quote') this.#report(last);
    else if (last?.type === 'failed') await this.#notWithdrawn(withdrawal.id, last.error);
  }

  async #notWithdrawn(id: string, error: JourneyError): Promise<void> {
    switch (error.code) {
      case 'ANOTHER_RECIPIENT': {
        // If a withdrawal of the new note has already started, it continues and pays its own
        // recipient. So store that recipient for the swap.
        const begun = (await Withdrawal.list(this.#storage)).find((one) => one.id === id);
        if (begun !== undefined) await this.#write({ recipient: begun.recipient });
        return this.#report({ type: 'failed', error });
      }
      case 'NOTE_SPENT_ELSEWHERE':
        await this.#end('failed', error);
        return this.#reportEnd();
      default:
        this.#report({ type: 'stopped', error, advice: OUTPUT_ADVICE });
    }
  }

  // Methods that end the swap.

  async #stop(error: JourneyError): Promise<void> {
    await this.#end('stopped', error);
  }

  async #end(
    state: 'stopped' | 'failed' | 'needs-new-quote',
    { cause: _cause, ...error }: JourneyError,
  ): Promise<void> {
    // If a relayer has seen a proof, the swap ends as `stopped` and not as `failed`.
    const isSpent = error.code === 'NOTE_SPENT_ELSEWHERE';
    const shown = this.#entry.relayer !== null && !isSpent;
    await this.#write({ state: state === 'failed' && shown ? 'stopped' : state, error });
  }

  #reportEnd(): void {
    const { state, error, payment } = this.#entry;
    const isPaid = state === 'settled' || state === 'withdrawn';
    if (isPaid && payment !== null) this.#report({ type: state, ...payment });
    if (error === null) return;
    if (state === 'stopped') this.#report({ type: state, error, advice: ADVICE });
    else if (state === 'failed' || state === 'needs-new-quote')
      this.#report({ type: state, error });
  }

  async #write(change: Partial<SwapEntry>): Promise<void> {
    await this.#journal.write({ ...this.#entry, ...change });
  }

  // Helper methods.

  async #untilRead<T>(read: () => Promise<T>): Promise<T> {
    return untilRead(read, {
      signal: this.#signal,
      pauses: this.#pauses,
      onFailure: (error) =>
        this.#report({ type: this.#entry.relayer === null ? 'waiting' : 'unknown', error }),
    });
  }
}

function isWorkedOn(state: PrivateSwapState): boolean {
  return state === 'open' || state === 'reverted';
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
