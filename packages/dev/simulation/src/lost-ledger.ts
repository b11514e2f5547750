import type { Felt } from '@sotto/kernel';
import type { Block, Chain } from './chain/chain.js';

/** How a ledger was lost, and what is in its place. */
export interface Loss {
  readonly by: 'empty' | 'copy';
  /** The store knows that the present ledger may be a copy. */
  readonly isRecognised: boolean;
  /** Transactions that the lost ledger had sent and the present one does not know. */
  readonly unknown: ReadonlySet<Felt>;
}

/**
 * Decides what a restored ledger could not know. Only one case is excused: the store did not
 * recognise the copy, nothing that the lost ledger had sent was in an accepted block when the
 * process started, and no node had shown any of it to the process when it acted.
 */
export class LostLedger {
  /** Parent and own transactions of every block that was ever accepted, by its hash. */
  readonly #blocks = new Map<Felt, { readonly parent: Felt; readonly hashes: readonly Felt[] }>();
  #loss: Loss | null = null;
  /** Processes that started when no accepted block held anything of the lost ledger. */
  readonly #startedBlind = new Set<string>();
  /** Time at which a process first received a head above something of the lost ledger. */
  readonly #shownAtMs = new Map<string, number>();
  readonly #comparedAtMs = new Map<string, number>();
  /** Processes that have received a head. */
  readonly #asked = new Set<string>();
  /** Hashes of calls, and ids of ended attempts, that the present ledger could not know better. */
  readonly #excused = new Set<string>();
  /** Keys of them. */
  readonly #excusedKeys = new Set<string>();

  constructor(
    private readonly chain: Chain,
    private readonly nowMs: () => number,
    /** Longest time from a comparison of all accounts to the call that is stored after it. */
    private readonly comparedWithinMs: number,
  ) {}

  get isCopy(): boolean {
    return this.#loss?.by === 'copy';
  }

  /** Transactions that the lost ledger had sent and the present one does not know. */
  get unknown(): ReadonlySet<Felt> {
    return this.#loss?.unknown ?? new Set();
  }

  lost(loss: Loss): void {
    this.#loss = loss;
    this.#startedBlind.clear();
    this.#shownAtMs.clear();
    this.#excused.clear();
    this.#excusedKeys.clear();
  }

  closed({ hash, number, inclusions }: Block): void {
    const parent = this.chain.blocks[number - 1]?.hash ?? hash;
    this.#blocks.set(hash, { parent, hashes: inclusions.map(({ tx }) => tx.hash) });
  }

  started(process: string): void {
    if (!this.isOnChain()) this.#startedBlind.add(process);
  }

  /** True when an accepted block holds something of the lost ledger. */
  isOnChain(): boolean {
    return this.chain.blocks.some(({ inclusions }) =>
      inclusions.some(({ tx }) => this.unknown.has(tx.hash)),
    );
  }

  /** A process received this head. True when it is the first that shows something lost. */
  shown(process: string, head: Felt): boolean {
    if (this.#loss === null || this.#shownAtMs.has(process) || !this.#isBelow(head)) return false;
    this.#shownAtMs.set(process, this.nowMs());
    return true;
  }

  /** True for the first head that a process receives, if it hides what the lost ledger had sent. */
  isFirst(process: string, head: Felt): boolean {
    if (!this.isCopy || this.#asked.has(process)) return false;
    this.#asked.add(process);
    return !this.#isBelow(head);
  }

  /** A process received the heads of all nodes that answer. */
  compared(process: string): void {
    this.#comparedAtMs.set(process, this.nowMs());
  }

  /**
   * A process stored a call, or ended an attempt, under the present ledger.
   * @param needsComparison the call is not protected: all accounts are compared right before
   */
  acted(process: string, key: string, what: string, needsComparison: boolean): void {
    if (this.#loss?.by !== 'copy' || this.#loss.isRecognised) return;
    if (!this.#startedBlind.has(process) || this.#shownAtMs.has(process)) return;
    const comparedAgoMs = this.nowMs() - (this.#comparedAtMs.get(process) ?? -Infinity);
    if (needsComparison && comparedAgoMs > this.comparedWithinMs) return;
    this.#excused.add(what);
    this.#excusedKeys.add(key);
  }

  /** True for a call's hash or an attempt's id that is the one excused case. */
  excuses(what: string): boolean {
    return this.#excused.has(what);
  }

  excusesKey(key: string): boolean {
    return this.#excusedKeys.has(key);
  }

  #isBelow(head: Felt): boolean {
    for (let block = this.#blocks.get(head); block !== undefined; ) {
      if (block.hashes.some((hash) => this.unknown.has(hash))) return true;
      block = this.#blocks.get(block.parent);
    }
    return false;
  }
}
