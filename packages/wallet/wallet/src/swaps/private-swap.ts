import { WalletError } from '../errors.js';
import { feltOf } from '../fields.js';
import { guardTerms, mergedTerms, type GuardOptions } from '../guard/admission.js';
import { mostDelayMs } from '../guard/swap-delay.js';
import { checkRecipient } from '../recipient.js';
import { cancelJourney } from '../journeys/cancel.js';
import { Journal, type JournalOptions, type ListOptions } from '../journeys/journal.js';
import { Journey } from '../journeys/journey.js';
import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import type { WalletStorage } from '../storage.js';
import { PRIVATE_SWAP_STATES, type PrivateSwapState, type SwapEntry } from './swap-entry.js';
import { swapError } from './swap-errors.js';
import type { PrivateSwapEvent } from './swap-events.js';
import { SwapRun, type PrivateSwapMeans } from './swap-run.js';

export interface PrivateSwapOptions extends PrivateSwapMeans, JournalOptions, GuardOptions {
  /** Address of the output token (ERC-20) as 0x hex. */
  readonly outputToken: string;
  /**
   * Minimum output in the output token's smallest unit. The relayer pins the note to this minimum
   * at the first attempt. If a later attempt has a different `minAmountOut`, the pinned minimum is
   * used.
   */
  readonly minAmountOut: bigint;
  /** Slippage as a fraction. @default the relayer's default slippage */
  readonly slippage?: number;
  /** Maximum fee of the swap, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: bigint;
  /** Address (0x hex) that the withdrawal of the new note pays. */
  readonly recipient: string;
  /** Maximum fee of the new note's withdrawal, in the smallest unit of the output token. */
  readonly maxWithdrawalFee: bigint;
  /**
   * Maximum delay in ms of the new note's withdrawal, at most one day. The delay is random and is
   * drawn once; 0 is no delay. @default one hour
   */
  readonly waitForSwap?: number;
  readonly storage: WalletStorage;
}

/** Stored state of a private swap, which can be read without running the swap. */
export interface PrivateSwapSummary {
  /** Id for {@link PrivateSwap.resume}. */
  readonly id: string;
  readonly state: PrivateSwapState;
  /** Chain id as 0x hex. All addresses, commitments and hashes in this object are also 0x hex. */
  readonly chainId: string;
  readonly pool: string;
  readonly swapPool: string;
  /** Commitment of the note that is swapped. */
  readonly commitment: string;
  readonly outputToken: string;
  readonly recipient: string;
  /** Index of the new note in the wallet's note keys; null before the new note is chosen. */
  readonly outputIndex: number | null;
  /** Start of the swap, as Unix time in ms. */
  readonly begunAtMs: number;
  /** Hash of the swap's transaction; null before it is known. */
  readonly transactionHash: string | null;
}

const KIND = 'private-swap';

/**
 * Private swap, followed by the withdrawal of the new note. The proof of a swap does not bind the
 * new note's owner, so the proof is sent to one relayer only. If that relayer does not execute the
 * swap, the note must be withdrawn plainly. After a revert, this class withdraws the note
 * automatically. The work runs only while its {@link events} are read.
 */
export class PrivateSwap extends Journey<PrivateSwapEvent> {
  /**
   * Starts or continues the private swap of a note.
   * - An unfinished swap continues with its stored terms. The given recipient replaces the stored
   *   recipient, unless a withdrawal to the stored recipient has started.
   * - If a swap stopped, failed or needs a new quote, it starts again with the same new note. If a
   *   relayer has seen a proof, only that relayer is used.
   * - If a swap settled or was withdrawn, it only reports its end.
   * @throws WalletError FELT_MALFORMED, RECIPIENT_MALFORMED, RECIPIENT_UNSPENDABLE;
   *   JOURNEY_MISMATCH unless `swapPool` is a swap pool of the same chain
   */
  static begin(options: PrivateSwapOptions): PrivateSwap {
    const { note, pool, swapPool, outputToken, recipient, slippage, storage } = options;
    feltOf(outputToken, 'the output token');
    if (feltOf(recipient, 'the recipient') === 0n)
      throw new WalletError('RECIPIENT_MALFORMED', 'the recipient is no Starknet address');
    checkRecipient(BigInt(recipient), [pool.address, swapPool.address, outputToken]);
    checkPools(options);
    const entry: SwapEntry = {
      state: 'open',
      chainId: pool.chainId,
      pool: pool.address,
      swapPool: swapPool.address,
      commitment: hex(note.commitment),
      nullifierHash: hex(note.nullifierHash),
      outputToken,
      recipient,
      minAmountOut: String(options.minAmountOut),
      slippage: slippage ?? null,
      maxFee: String(options.maxFee),
      maxWithdrawalFee: String(options.maxWithdrawalFee),
      guard: guardTerms(options),
      admission: null,
      mostDelayMs: mostDelayMs(options.waitForSwap),
      begunAtMs: Date.now(),
      output: null,
      relayer: null,
      posting: null,
      transactionHash: null,
      leafIndex: null,
      payment: null,
      error: null,
    };
    const id = [pool.chainId, pool.address, hex(note.nullifierHash)]
      .map((part) => BigInt(part).toString(16))
      .join('-');
    return new PrivateSwap(id, storage, options, entry);
  }

  /**
   * Resumes a private swap that was started earlier. If the swap is finished, it emits only its
   * last event.
   * @throws WalletError JOURNEY_UNKNOWN; JOURNEY_MISMATCH if note or pool differ from the stored
   *   swap; JOURNAL_UNREADABLE
   */
  static async resume(
    storage: WalletStorage,
    id: string,
    options: PrivateSwapMeans & JournalOptions,
  ): Promise<PrivateSwap> {
    const entry = await journalOf(storage, options).read(id);
    if (entry === undefined)
      throw new WalletError('JOURNEY_UNKNOWN', 'the storage has no such private swap');
    const { note, pool, swapPool } = options;
    checkPools(options);
    if (
      BigInt(entry.nullifierHash) !== note.nullifierHash ||
      BigInt(entry.pool) !== BigInt(pool.address) ||
      BigInt(entry.swapPool) !== BigInt(swapPool.address) ||
      BigInt(entry.chainId) !== BigInt(pool.chainId)
    )
      throw new WalletError('JOURNEY_MISMATCH', 'the private swap is of another note or pool');
    return new PrivateSwap(id, storage, options);
  }

  /** Lists all private swaps in the storage. @throws WalletError JOURNAL_UNREADABLE */
  static async list(
    storage: WalletStorage,
    options: ListOptions = {},
  ): Promise<readonly PrivateSwapSummary[]> {
    const all = await journalOf(storage, {}).list(options);
    return all.map(({ id, entry }) => ({
      id,
      state: entry.state,
      chainId: entry.chainId,
      pool: entry.pool,
      swapPool: entry.swapPool,
      commitment: entry.commitment,
      outputToken: entry.outputToken,
      recipient: entry.recipient,
      outputIndex: entry.output?.index ?? null,
      begunAtMs: entry.begunAtMs,
      transactionHash: entry.transactionHash,
    }));
  }

  /**
   * Cancels a private swap that nothing runs in this tab and of which no relayer has seen a proof.
   * A cancelled swap can be started again.
   * @returns false if a relayer may have a proof, or if the swap has ended or runs elsewhere
   * @throws WalletError JOURNAL_UNREADABLE; any error of the storage
   */
  static async cancel(
    storage: WalletStorage,
    id: string,
    options: JournalOptions = {},
  ): Promise<boolean> {
    return cancelJourney(journalOf(storage, options), id, (entry): SwapEntry | null =>
      entry.state === 'open' && entry.relayer === null
        ? { ...entry, state: 'failed', error: ownError('CANCELLED') }
        : null,
    );
  }

  private constructor(
    id: string,
    storage: WalletStorage,
    means: PrivateSwapMeans & JournalOptions,
    begun?: SwapEntry,
  ) {
    const journal = journalOf(storage, means);
    let terms = begun;
    super(id, async (emit, signal) => {
      if (terms !== undefined) await journal.begin(id, terms);
      const onWait = (): void => emit({ type: 'waiting', error: ownError('RUNS_ELSEWHERE') });
      for (let isTaken = true; isTaken;) {
        const run = await journal.take(id, { signal, onWait });
        try {
          const next = terms === undefined ? run.entry : again(run.entry, terms);
          if ('code' in next) {
            emit({ type: 'failed', error: next });
            return;
          }
          if (next !== run.entry) await run.write(next);
          // Apply the terms only once. If a second tab changes the swap later, the terms must not
          // be applied again, because this would restart the swap.
          terms = undefined;
          const both = AbortSignal.any([signal, run.lost]);
          await new SwapRun(means, storage, run, emit, both).work();
          isTaken = false;
        } catch (error) {
          // A second tab has started to run the swap. Wait until that tab ends its run or its lease
          // expires.
          if (!run.lost.aborted || signal.aborted) throw error;
        } finally {
          await run.release();
        }
      }
    });
  }
}

/**
 * Merges new terms into an existing swap. Returns the entry to store, or an error if the new terms
 * belong to a different swap.
 */
function again(entry: SwapEntry, begun: SwapEntry): SwapEntry | JourneyError {
  const { recipient, maxFee, maxWithdrawalFee, slippage, minAmountOut } = begun;
  const guarded = guardOfRepeat(entry, begun);
  const isSame =
    BigInt(begun.outputToken) === BigInt(entry.outputToken) &&
    BigInt(begun.swapPool) === BigInt(entry.swapPool);
  const isEnded = ['stopped', 'failed', 'needs-new-quote'].includes(entry.state);
  // No relayer has seen a proof, so all terms may change. If the swap pool does not change, the new
  // note does not change either.
  if (isEnded && entry.relayer === null)
    return {
      ...begun,
      ...guarded,
      output: begun.swapPool === entry.swapPool ? entry.output : null,
    };
  if (!isSame) return swapError('ANOTHER_SWAP');
  // The note was withdrawn plainly, or is being withdrawn plainly, to the recipient of the earlier
  // call.
  if (entry.state === 'withdrawn') return entry;
  if (entry.state === 'reverted') return { ...entry, maxFee };
  if (entry.state === 'settled') {
    const { payment } = entry;
    const isPaid = BigInt(recipient) === BigInt(entry.recipient);
    return isPaid ? entry : ownError('ANOTHER_RECIPIENT', payment ?? {});
  }
  // The proof of a swap does not bind the recipient of the later withdrawal, so this recipient may
  // change.
  if (!isEnded) return { ...entry, ...guarded, recipient, maxWithdrawalFee };
  const terms = { ...guarded, recipient, maxFee, maxWithdrawalFee, slippage, minAmountOut };
  return { ...entry, ...terms, state: 'open', error: null };
}

/**
 * Returns the guard's part of a swap that is begun again. For the same recipient, earlier overrides
 * and bounds remain valid. A swap that no relayer has seen and that failed is checked again.
 */
function guardOfRepeat(
  entry: SwapEntry,
  { recipient, guard, mostDelayMs: delayMs }: SwapEntry,
): Pick<SwapEntry, 'guard' | 'admission' | 'mostDelayMs'> {
  const isSame = BigInt(recipient) === BigInt(entry.recipient);
  const isKept = entry.relayer !== null || (isSame && entry.state !== 'failed');
  return {
    guard: isSame ? mergedTerms(entry.guard, guard) : guard,
    admission: isKept ? entry.admission : null,
    mostDelayMs: delayMs,
  };
}

function journalOf(storage: WalletStorage, { locks }: JournalOptions): Journal<SwapEntry> {
  return new Journal(storage, KIND, locks === undefined ? {} : { locks }, PRIVATE_SWAP_STATES);
}

function checkPools({ pool, swapPool }: Pick<PrivateSwapMeans, 'pool' | 'swapPool'>): void {
  if (swapPool.kind !== 'swap' || BigInt(swapPool.chainId) !== BigInt(pool.chainId))
    throw new WalletError('JOURNEY_MISMATCH', 'the swap pool is no swap pool of this chain');
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
