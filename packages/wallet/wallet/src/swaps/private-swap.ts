import { WalletError } from '../errors.js';
import { feltOf } from '../fields.js';
import { checkRecipient } from '../recipient.js';
import { Journal, type JournalOptions } from '../journeys/journal.js';
import { Journey } from '../journeys/journey.js';
import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import type { WalletStorage } from '../storage.js';
import { PRIVATE_SWAP_STATES, type PrivateSwapState, type SwapEntry } from './swap-entry.js';
import { swapError } from './swap-errors.js';
import type { PrivateSwapEvent } from './swap-events.js';
import { SwapRun, type PrivateSwapMeans } from './swap-run.js';

export interface PrivateSwapOptions extends PrivateSwapMeans, JournalOptions {
  /** Address of the output token (ERC-20) as 0x hex. */
  readonly outputToken: string;
  /**
   * Minimum output in the output token's smallest unit. The relayer pins the note to this minimum
   * at the first attempt. Later attempts use the pinned minimum instead of their own
   * `minAmountOut`.
   */
  readonly minAmountOut: bigint;
  /** Slippage as a fraction. @default the relayer's slippage */
  readonly slippage?: number;
  /** Maximum fee of the swap, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: bigint;
  /** Address (0x hex) that the withdrawal of the new note pays. */
  readonly recipient: string;
  /** Maximum fee of the new note's withdrawal, in the smallest unit of the output token. */
  readonly maxWithdrawalFee: bigint;
  readonly storage: WalletStorage;
}

/** Stored state of a private swap, which can be read without running the swap. */
export interface PrivateSwapSummary {
  /** Id for {@link PrivateSwap.resume}. */
  readonly id: string;
  readonly state: PrivateSwapState;
  /** Chain id as 0x hex. The addresses, commitments and hashes below are also 0x hex. */
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
 * swap, the note must be withdrawn plainly; after a revert the journey does this automatically. The
 * work runs only while its {@link events} are read.
 */
export class PrivateSwap extends Journey<PrivateSwapEvent> {
  /**
   * Starts or continues the private swap of a note.
   * - An unfinished swap continues with its stored terms. The given recipient replaces the earlier
   *   recipient, unless a withdrawal to that recipient has started.
   * - A swap that stopped, failed or needs a new quote starts again, with the same new note. If a
   *   relayer has seen a proof, only that relayer is used.
   * - A swap that settled or was withdrawn only reports its end.
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
   * Resumes a private swap that was started earlier. A finished swap emits only its last event.
   * @throws WalletError JOURNEY_UNKNOWN; JOURNEY_MISMATCH for another note or pool;
   *   JOURNAL_UNREADABLE
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
  static async list(storage: WalletStorage): Promise<readonly PrivateSwapSummary[]> {
    const all = await journalOf(storage, {}).list();
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
          // Apply the terms only once: a change that another tab makes later must not restart the
          // swap.
          terms = undefined;
          const both = AbortSignal.any([signal, run.lost]);
          await new SwapRun(means, storage, run, emit, both).work();
          isTaken = false;
        } catch (error) {
          // Another tab runs the swap now: wait until that run ends or its lease expires.
          if (!run.lost.aborted || signal.aborted) throw error;
        } finally {
          await run.release();
        }
      }
    });
  }
}

/**
 * Merges new terms into an existing swap. Returns the entry to store, or an error if the existing
 * swap is a different swap.
 */
function again(entry: SwapEntry, begun: SwapEntry): SwapEntry | JourneyError {
  const { recipient, maxFee, maxWithdrawalFee, slippage, minAmountOut } = begun;
  const isSame =
    BigInt(begun.outputToken) === BigInt(entry.outputToken) &&
    BigInt(begun.swapPool) === BigInt(entry.swapPool);
  const isEnded = ['stopped', 'failed', 'needs-new-quote'].includes(entry.state);
  // No relayer has seen a proof, so all terms may change. The new note stays the same if the swap
  // pool does not change.
  if (isEnded && entry.relayer === null)
    return { ...begun, output: begun.swapPool === entry.swapPool ? entry.output : null };
  if (!isSame) return swapError('ANOTHER_SWAP');
  // The note was or is being withdrawn plainly, to the recipient of the earlier call.
  if (entry.state === 'reverted' || entry.state === 'withdrawn') return entry;
  if (entry.state === 'settled') {
    const { payment } = entry;
    const isPaid = BigInt(recipient) === BigInt(entry.recipient);
    return isPaid ? entry : ownError('ANOTHER_RECIPIENT', payment ?? {});
  }
  // The proof of a swap does not bind the recipient of the later withdrawal, so this recipient may
  // change.
  if (!isEnded) return { ...entry, recipient, maxWithdrawalFee };
  const terms = { recipient, maxFee, maxWithdrawalFee, slippage, minAmountOut };
  return { ...entry, ...terms, state: 'open', error: null };
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
