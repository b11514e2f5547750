import type { Felt } from '@sotto/kernel';
import { confirms } from '../../domain/chain-evidence.js';
import { isWrongTime } from '../../domain/head-time.js';
import type { BlockRef } from '../../domain/rows.js';
import { headOf, MAX_CONFIRMED, type ChainHead } from '../../ports/chain.port.js';
import type { LedgerState } from '../../ports/ledger.port.js';
import { isOurs } from './adopt-call.js';
import type { MachineDependencies } from '../dependencies.js';
import type { SubmissionSettings } from '../settings.js';

/** Number of blocks per read: one closing read confirms all of these blocks. */
export const CHUNK = MAX_CONFIRMED;
/**
 * Number of blocks below the stored height that are read again, because a rollback may have
 * replaced them.
 */
const MARGIN = 20;
/**
 * Number of block ranges of an account's history read per poll. A long history is spread over
 * several polls.
 */
const CHUNKS_PER_POLL = 4;

/** State of the ledger for a read-back: its last noted block and the store's time. */
export type ReadBackState = Pick<LedgerState, 'lastBlock' | 'nowMs'>;

/**
 * Returns the first block whose transactions may be missing from the ledger.
 *
 * The range starts 20 blocks below the last noted block. If no block was noted, or the chain never
 * had the noted block, the range starts at the age `adoptBackMs`. Null if the head's time is wrong:
 * a future time would skip blocks, and an old time would add all blocks.
 */
export async function firstUnknownBlock(
  { accountHistory }: Pick<MachineDependencies, 'accountHistory'>,
  { adoptBackMs, needsYoungHead }: Pick<SubmissionSettings, 'adoptBackMs' | 'needsYoungHead'>,
  { lastBlock, nowMs }: ReadBackState,
  { timestamp, blockNumber }: Pick<ChainHead, 'timestamp' | 'blockNumber'>,
): Promise<number | null> {
  const from = lastBlock === null ? null : Math.max(0, lastBlock - MARGIN);
  if (from !== null && from <= blockNumber) return from;
  if (needsYoungHead && isWrongTime(timestamp, nowMs, adoptBackMs)) return null;
  const newestMs = Math.min(timestamp * 1_000, nowMs);
  return accountHistory.blockAt(Math.floor((newestMs - adoptBackMs) / 1_000));
}

/**
 * Reason why the search for calls is not complete: blocks are still to be read, or the time of the
 * newest block differs from the store's time.
 */
export type NotRead = 'HISTORY_NOT_READ' | 'HEAD_TIME_WRONG';

/** Account whose calls are searched on chain, and the ports that this search uses. */
export interface ReadBack {
  readonly address: Felt;
  readonly deps: Pick<MachineDependencies, 'reader' | 'history' | 'accountHistory' | 'calls'>;
  readonly settings: Pick<SubmissionSettings, 'adoptBackMs' | 'needsYoungHead'>;
}

/**
 * Detects whether our service has used an account with another ledger. The account was not
 * introduced to this ledger. If the account was used, this ledger is an older copy and behind its
 * chain.
 */
export class SentCalls {
  /** Range of blocks that are still to be read, newest blocks first; null before the first call. */
  #left: { readonly from: number; readonly to: number } | null = null;
  /** Highest block that was read or is still to be read. */
  #upTo = -1;
  /**
   * Last block of each range that was read. The absence of calls is proven only if all these blocks
   * are on one chain.
   */
  #ends: readonly BlockRef[] = [];

  constructor(private readonly of: ReadBack) {}

  /**
   * Returns true if the account has sent calls below this nonce and up to this head, and false if
   * it has not sent any. If this is not known yet, returns the reason. Rejects with the node's
   * error.
   */
  async found(nonce: bigint, head: ChainHead, state: ReadBackState): Promise<boolean | NotRead> {
    if (nonce === 0n) return false;
    if (await this.#isLastOne(nonce)) return true;
    const { deps, settings } = this.of;
    if (this.#left === null) {
      const first = await firstUnknownBlock(deps, settings, state, head);
      if (first === null) return 'HEAD_TIME_WRONG';
      this.#left = { from: first, to: head.blockNumber };
    }
    this.#upTo = Math.max(this.#upTo, this.#left.to);
    const { from } = this.#left;
    for (let chunk = 0; chunk < CHUNKS_PER_POLL && this.#left.to >= from; chunk += 1) {
      const last = this.#left.to;
      const first = Math.max(from, last - CHUNK + 1);
      if (await this.#isAmong(first, last)) return true;
      this.#left = { from, to: first - 1 };
    }
    if (this.#left.to >= from) return 'HISTORY_NOT_READ';
    if (this.#upTo >= head.blockNumber)
      return (await this.#isOneChain(head)) ? false : 'HISTORY_NOT_READ';
    // The chain has grown while this search read the older blocks.
    this.#left = { from: Math.max(0, this.#upTo - MARGIN), to: head.blockNumber };
    return 'HISTORY_NOT_READ';
  }

  /**
   * True if all blocks that were read are on one chain. Only then is it proven that no call was
   * sent; otherwise all blocks are read again.
   */
  async #isOneChain(head: ChainHead): Promise<boolean> {
    for (let from = 0; from < this.#ends.length; from += MAX_CONFIRMED) {
      const ends = this.#ends.slice(from, from + MAX_CONFIRMED);
      const heights = ends.map(({ number }) => number);
      const evidence = await this.of.deps.reader.confirm(headOf(head), heights);
      if (ends.every((end) => confirms(evidence, end))) continue;
      this.#left = null;
      this.#upTo = -1;
      this.#ends = [];
      return false;
    }
    return true;
  }

  async #isLastOne(nonce: bigint): Promise<boolean> {
    const { address, deps } = this.of;
    const hash = await deps.history.consumerOf(address, nonce - 1n);
    const sent = hash === null ? null : await deps.accountHistory.transaction(hash, [address]);
    return sent !== null && isOurs(deps, sent);
  }

  async #isAmong(from: number, to: number): Promise<boolean> {
    const { address, deps } = this.of;
    const { sent, last } = await deps.accountHistory.transactions([address], from, to);
    if (last !== null) this.#ends = [...this.#ends, last];
    return sent.some((transaction) => isOurs(deps, transaction));
  }
}
