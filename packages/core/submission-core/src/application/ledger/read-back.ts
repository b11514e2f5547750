import type { Felt } from '@sotto/kernel';
import { confirms } from '../../domain/chain-evidence.js';
import { isWrongTime } from '../../domain/head-time.js';
import type { BlockRef } from '../../domain/rows.js';
import { headOf, MAX_CONFIRMED, type ChainHead } from '../../ports/chain.port.js';
import type { LedgerState } from '../../ports/ledger.port.js';
import { isOurs } from './adopt-call.js';
import type { MachineDependencies } from '../dependencies.js';
import type { SubmissionSettings } from '../settings.js';

/** Blocks read at a time: one closing read confirms them all. */
export const CHUNK = MAX_CONFIRMED;
/** A rollback may have put other blocks at the last heights that were noted. */
const MARGIN = 20;
/** An account's history is read over so many looks as it takes. */
const CHUNKS_PER_LOOK = 4;

/** The ledger as a read-back finds it: its last noted block, and the time of the store. */
export type ReadBackState = Pick<LedgerState, 'lastBlock' | 'nowMs'>;

/**
 * The first block of which the ledger may know nothing: after the last one that it has noted, or as
 * far back as the settings say, also if the chain never had the noted block. Null where the head's
 * time is wrong: a time in the future would leave out blocks, one long ago would add all of them.
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

/** Not all blocks are read yet, or the newest one and the store do not agree on the time. */
export type NotRead = 'HISTORY_NOT_READ' | 'HEAD_TIME_WRONG';

/** Account whose calls are searched, and the sources of the search. */
export interface ReadBack {
  readonly address: Felt;
  readonly deps: Pick<MachineDependencies, 'reader' | 'history' | 'accountHistory' | 'calls'>;
  readonly settings: Pick<SubmissionSettings, 'adoptBackMs' | 'needsYoungHead'>;
}

/**
 * Whether another ledger of ours has used an account that this one has never met: then this one is
 * a copy from before, and behind its chain.
 */
export class SentCalls {
  /** What is still to be read, newest blocks first; null before the first question. */
  #left: { readonly from: number; readonly to: number } | null = null;
  /** Up to here all is read, or among what is left. */
  #upTo = -1;
  /** The last block of each range: all stood on one chain, or nothing was found to be absent. */
  #ends: readonly BlockRef[] = [];

  constructor(private readonly of: ReadBack) {}

  /**
   * As of this nonce and head, or the reason that it is not known yet. Rejects with the node's
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
    for (let chunk = 0; chunk < CHUNKS_PER_LOOK && this.#left.to >= from; chunk += 1) {
      const last = this.#left.to;
      const first = Math.max(from, last - CHUNK + 1);
      if (await this.#isAmong(first, last)) return true;
      this.#left = { from, to: first - 1 };
    }
    if (this.#left.to >= from) return 'HISTORY_NOT_READ';
    if (this.#upTo >= head.blockNumber)
      return (await this.#isOneChain(head)) ? false : 'HISTORY_NOT_READ';
    // The chain went on while the older blocks were read.
    this.#left = { from: Math.max(0, this.#upTo - MARGIN), to: head.blockNumber };
    return 'HISTORY_NOT_READ';
  }

  /** That nothing was sent is concluded from blocks of one chain only; else they are read again. */
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
