import { signal } from '@preact/signals';
import { createWorkerProver } from '@sotto/prover';
import { developmentArtefacts } from '@sotto/prover/development-keys';
import {
  Deposit,
  PrivateSwap,
  Withdrawal,
  nextNote,
  recoverNotes,
  type GuardCode,
  type Note,
  type PrivateSwapSummary,
  type Prover,
  type WithdrawalSummary,
} from '@sotto/wallet/advanced';
import { NoteCard, type PoolInUse, type Token } from './note-card.js';
import { noteStateOf, type NoteRecords, type NoteState } from './note-state.js';
import { answerOf, findSurroundings, type Surroundings } from './surroundings.js';
import type { NoteEvent, Undertaking } from './timeline.js';
import { messageOf, type SwapOffer } from './words.js';

/**
 * Maximum fee as a multiple of the current fee, because the fee may rise while a proof is created.
 */
const FEE_ROOM = 3n;
/** Minimum output of a swap, in percent of the current quote. */
const LEAST_PERCENT = 95n;
/** Maximum fee of the withdrawal after a swap: the minimum output is divided by this number. */
export const WITHDRAWAL_SHARE = 20n;
/**
 * Interval of polls in ms, which is short because a development chain creates blocks within
 * seconds.
 */
const LOOK_EVERY_MS = 250;
const MOST_LOOKS = 120;
/** Number of notes of the seed among which the wallet searches the note of a deposit. */
const MOST_NOTES = 200;

/** Fee terms in the smallest unit of the pool's ERC-20 token. */
export interface FeeTerms {
  readonly now: bigint;
  /** Maximum fee to which the user agrees. */
  readonly most: bigint;
}

/** Payment whose resulting balance is displayed when the work has ended. */
interface Payment {
  readonly token: Token;
  readonly recipient: string;
}

/** Records that the wallet needs to continue an unfinished operation on a note. */
interface Records extends NoteRecords {
  readonly withdrawal: WithdrawalSummary | undefined;
  readonly swap: PrivateSwapSummary | undefined;
}

/** States in which a note's swap has not ended. */
const SWAPS: ReadonlySet<NoteState> = new Set(['swapping', 'swapped', 'rescued']);
/**
 * Error codes which mean that an earlier operation on the note has not ended. The wallet then
 * continues the earlier operation.
 */
const GOES_ON: ReadonlySet<string> = new Set(['ANOTHER_RECIPIENT', 'ANOTHER_SWAP']);

/** A development wallet, whose seed is stored in this browser and whose money has no value. */
export class Wallet {
  readonly cards = signal<readonly NoteCard[]>([]);
  readonly #prover: Prover = createWorkerProver({ artefacts: developmentArtefacts });

  private constructor(private readonly parts: Surroundings) {}

  get pools(): readonly PoolInUse[] {
    return this.parts.pools;
  }

  /** Address of the default recipient. */
  get recipient(): string {
    return this.parts.settings.recipient;
  }

  /**
   * Opens the wallet of this browser and continues its unfinished work.
   * @throws Error naming the missing part
   */
  static async open(serviceUrl: string): Promise<Wallet> {
    const wallet = new Wallet(await findSurroundings(serviceUrl));
    await wallet.#recover();
    return wallet;
  }

  /** Creates the next note of the seed and starts its deposit. */
  async deposit(pool: PoolInUse): Promise<void> {
    const { keys, storage } = this.parts;
    const { note } = await nextNote({ keys, pool: pool.view, storage });
    void this.followDeposit(this.#show(new NoteCard(pool, note)));
  }

  /** Deposits the note, or continues its deposit, and waits until its batch is deployed. */
  async followDeposit(card: NoteCard): Promise<void> {
    const { storage, relayers, account } = this.parts;
    const { note, pool } = card;
    const payment = { token: pool.token.address, amount: pool.amount };
    const view = pool.view;
    const deposit = Deposit.begin({ note, pool: view, account, relayers, payment, storage });
    const stop = new AbortController();
    card.stopWaiting = stop;
    if (card.state.peek() === 'failed') card.state.value = 'depositing';
    await this.#follow(card, 'deposit', deposit.events({ signal: stop.signal }));
  }

  /**
   * Requests the relayer to deploy all waiting deposits. A small batch gives a small anonymity set.
   */
  async fillBatch(card: NoteCard): Promise<void> {
    const { view } = card.pool;
    const { client } = this.parts;
    const isIn = (): boolean => view.placeOf(card.note.commitment)?.batch !== undefined;
    await view.refresh();
    if (!isIn()) {
      const body = { poolAddress: view.address, count: view.waiting, partial: true };
      const sent = await answerOf(client.POST('/api/relayer/deploy-batch', { body }));
      if (sent.execution_status === 'REVERTED')
        throw new Error(
          `the batch was not deployed: ${sent.revert_reason ?? 'no reason is known'}`,
        );
    }
    // The wallet polls the pool in this loop, because the polls of the deposit are less frequent.
    for (let looks = 0; !isIn(); looks += 1) {
      if (looks === MOST_LOOKS) throw new Error('the batch is not in an accepted block yet');
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      await view.refresh();
    }
    // The deposit may have detected the batch before this loop did. The user may then already have
    // started a withdrawal.
    if (card.state.peek() !== 'waiting') return;
    card.stopWaiting?.abort();
    await this.followDeposit(card);
  }

  /**
   * Proves the note and withdraws it. @param maxFee maximum fee that the form displayed; null to
   * use the maximum that is derived from the current fee
   */
  async withdraw(card: NoteCard, recipient: string, maxFee: bigint | null): Promise<void> {
    const { storage, relayers } = this.parts;
    const withdrawal = Withdrawal.begin({
      note: card.note,
      pool: card.pool.view,
      prover: this.#prover,
      relayers,
      recipient,
      maxFee: maxFee ?? (await this.feeOf(card.pool, 'withdraw')).most,
      allow: overridesOf(card),
      storage,
    });
    card.state.value = 'withdrawing';
    const { token } = card.pool;
    await this.#follow(card, 'withdrawal', withdrawal.events(), { token, recipient });
  }

  /** Returns the ERC-20 tokens into which a note of the pool can be swapped. */
  outputsOf({ swaps }: PoolInUse): readonly Token[] {
    return swaps ? (this.parts.swaps?.outputTokens ?? []) : [];
  }

  /** Quotes the swap of one note at the current price. @throws Error with the service's message */
  async swapOffer({ view }: PoolInUse, output: Token): Promise<SwapOffer> {
    const query = { pool: view.address, outputToken: output.address };
    const quote = await answerOf(
      this.parts.client.GET('/api/relayer/swap-quote', { params: { query } }),
    );
    const quoted = BigInt(quote.quotedAmount);
    return {
      quoted,
      fair: BigInt(quote.fairAmount),
      least: (quoted * LEAST_PERCENT) / 100n,
      impactPercent: quote.priceImpact * 100,
    };
  }

  /** Swaps the note privately and withdraws the new note. */
  async swap(
    card: NoteCard,
    terms: {
      readonly output: Token;
      readonly minAmountOut: bigint;
      readonly recipient: string;
      /**
       * Maximum fee that the form displayed; null to use the maximum that is derived from the
       * current fee.
       */
      readonly maxFee: bigint | null;
    },
  ): Promise<void> {
    const { output, minAmountOut, recipient, maxFee } = terms;
    const swap = PrivateSwap.begin({
      ...this.#swapMeans(card),
      outputToken: output.address,
      minAmountOut,
      maxFee: maxFee ?? (await this.feeOf(card.pool, 'private_swap')).most,
      recipient,
      maxWithdrawalFee: minAmountOut / WITHDRAWAL_SHARE,
      allow: overridesOf(card),
      // A development chain has no observers from whom a delay would protect.
      waitForSwap: 0,
      storage: this.parts.storage,
    });
    card.state.value = 'swapping';
    await this.#follow(card, 'swap', swap.events(), { token: output, recipient });
  }

  /** Estimates the fee of a withdrawal or a swap. @throws Error if no estimate is available */
  async feeOf(pool: PoolInUse, operation: 'withdraw' | 'private_swap'): Promise<FeeTerms> {
    const now = BigInt((await this.#estimate(pool, operation)).feeAmount);
    return { now, most: now * FEE_ROOM };
  }

  #estimate({ view }: PoolInUse, operation: 'withdraw' | 'private_swap') {
    const query = { pool: view.address, operation };
    return answerOf(this.parts.client.GET('/api/relayer/fee-estimate', { params: { query } }));
  }

  #swapMeans({ note, pool }: NoteCard) {
    const { keys, relayers, swaps } = this.parts;
    if (swaps === null) throw new Error('the service does not swap now: try again later');
    return { note, keys, relayers, pool: pool.view, swapPool: swaps.view, prover: this.#prover };
  }

  /**
   * Displays the events of an operation until it ends. Then derives the note's state from the chain
   * and the journals.
   */
  async #follow(
    card: NoteCard,
    of: Undertaking,
    events: AsyncIterable<NoteEvent>,
    payment?: Payment,
  ): Promise<void> {
    const isLast = card.nextTurn();
    let last: NoteEvent | undefined;
    try {
      for await (const event of events) {
        last = event;
        if (isLast()) card.take(event, of);
        if (isLast() && event.type === 'reverted') card.state.value = 'rescued';
      }
      await card.pool.view.refresh().catch(() => undefined);
    } catch (error) {
      card.problem.value = messageOf(error);
    }
    if (!isLast()) return;
    if (last?.type === 'failed' && GOES_ON.has(last.error.code)) {
      await this.goOn(card);
      return;
    }
    // After a reverted swap, the recipient was paid in the pool's ERC-20 token.
    const paid =
      last?.type === 'withdrawn' && payment ? { ...payment, token: card.pool.token } : payment;
    if ((last?.type === 'settled' || last?.type === 'withdrawn') && paid !== undefined)
      card.paid.value = await this.#balance(paid).catch(() => null);
    await this.#lookAt(card, isLast);
  }

  /** Derives the state of a note after the operation that the card followed has ended. */
  async #lookAt(card: NoteCard, isLast: () => boolean): Promise<void> {
    try {
      const records = await this.#recordsOf(card);
      if (isLast()) card.state.value = noteStateOf(records);
    } catch (error) {
      card.problem.value = messageOf(error);
    }
    if (isLast()) card.isFollowed.value = false;
  }

  async #recordsOf({ note, pool: { view } }: NoteCard): Promise<Records> {
    const { storage } = this.parts;
    const ofNote = <One extends { readonly chainId: string; readonly commitment: string }>(
      all: readonly One[],
    ): One | undefined =>
      all.find(
        ({ chainId, commitment }) =>
          BigInt(chainId) === BigInt(view.chainId) && BigInt(commitment) === note.commitment,
      );
    return {
      place: view.placeOf(note.commitment),
      isSpent: view.spentBy(note.nullifierHash) !== undefined,
      deposit: ofNote(await Deposit.list(storage)),
      withdrawal: ofNote(await Withdrawal.list(storage)),
      swap: ofNote(await PrivateSwap.list(storage)),
    };
  }

  async #balance({ token, recipient }: Payment): Promise<{ amount: bigint; token: Token }> {
    const [low = 0n, high = 0n] = await this.parts.node.call({
      contract: token.address,
      entrypoint: 'balance_of',
      calldata: [BigInt(recipient)],
    });
    return { amount: low + (high << 128n), token };
  }

  #show(card: NoteCard): NoteCard {
    this.cards.value = [card, ...this.cards.value];
    return card;
  }

  /** Finds the notes of the seed and continues their unfinished work. */
  async #recover(): Promise<void> {
    const { keys, storage, pools } = this.parts;
    const found = await recoverNotes({ keys, storage, pools: pools.map(({ view }) => view) });
    for (const { pool: view, note } of found) {
      const pool = pools.find((one) => one.view === view);
      if (pool !== undefined) this.#show(new NoteCard(pool, note));
    }
    for (const { state, pool: address, commitment } of await Deposit.list(storage)) {
      if (state !== 'open') continue;
      const pool = pools.find(({ view }) => BigInt(view.address) === BigInt(address));
      const note = pool && this.#noteWith(pool, BigInt(commitment));
      if (pool === undefined || note === undefined) continue;
      if (this.cards.value.some((card) => card.note.commitment === note.commitment)) continue;
      this.#show(new NoteCard(pool, note));
    }
    for (const card of this.cards.value) {
      card.state.value = noteStateOf(await this.#recordsOf(card));
      void this.goOn(card);
    }
  }

  /** Continues the unfinished work of a note, and displays errors on the note's card. */
  async goOn(card: NoteCard): Promise<void> {
    const { storage, relayers } = this.parts;
    const { note, pool } = card;
    try {
      const records = await this.#recordsOf(card);
      const { withdrawal, swap } = records;
      const state = noteStateOf(records);
      card.state.value = state;
      if (state === 'depositing' || state === 'waiting') await this.followDeposit(card);
      else if (state === 'withdrawing' && withdrawal !== undefined) {
        const means = { note, pool: pool.view, prover: this.#prover, relayers };
        const { recipient } = withdrawal;
        const resumed = await Withdrawal.resume(storage, withdrawal.id, means);
        await this.#follow(card, 'withdrawal', resumed.events(), { token: pool.token, recipient });
      } else if (SWAPS.has(state) && swap !== undefined) {
        const { recipient, outputToken } = swap;
        const means = this.#swapMeans(card);
        const resumed = await PrivateSwap.resume(storage, swap.id, means);
        const token = this.outputsOf(pool).find(
          ({ address }) => BigInt(address) === BigInt(outputToken),
        );
        const payment = token && { token, recipient };
        await this.#follow(card, 'swap', resumed.events(), payment);
      }
    } catch (error) {
      card.problem.value = messageOf(error);
    }
  }

  #noteWith({ view }: PoolInUse, commitment: bigint): Note | undefined {
    for (let index = 0; index < MOST_NOTES; index += 1) {
      const note = this.parts.keys.note({ chainId: view.chainId, pool: view.address, index });
      if (note.commitment === commitment) return note;
    }
    return undefined;
  }
}

/** Returns the refusals that the user overrides, and clears them: they hold for one action. */
function overridesOf({ overrides, refusals }: NoteCard): readonly GuardCode[] {
  const allow = overrides.value;
  overrides.value = [];
  refusals.value = [];
  return allow;
}
