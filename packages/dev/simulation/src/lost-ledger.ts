import type { Felt } from '@sotto/kernel';
import type { BlockGraph } from './block-graph.js';
import type { Chain } from './chain/chain.js';
import type { Tx } from './chain/transaction.js';

/** How a ledger was lost, and what is in its place. */
export interface Loss {
  readonly by: 'empty' | 'copy';
  /** The store knows that the present ledger may be a copy. */
  readonly isRecognised: boolean;
  /** Transactions that the lost ledger had sent and the present one does not know. */
  readonly unknown: ReadonlySet<Felt>;
  /** Nonces under which the present ledger has transactions of its own: see {@link slotOf}. */
  readonly given: ReadonlySet<string>;
}

/** Names a nonce of an account. */
export const slotOf = ({ account, nonce }: Pick<Tx, 'account' | 'nonce'>): string =>
  `${account}/${nonce}`;

/**
 * Decides what a restored ledger could not know. Only one case is excused: the store did not
 * recognise the copy, nothing that the lost ledger had sent is in a block that was accepted before
 * the process started, and no node had shown any of it to the process when it acted. A nonce that
 * the copy has given away too shows nothing before the process has settled it.
 */
export class LostLedger {
  #loss: Loss | null = null;
  /** Accepted blocks that held something of the lost ledger when a process started. */
  readonly #shownAtStart = new Map<string, readonly Felt[]>();
  /** Nonces that the present ledger has given away. */
  readonly #given = new Set<string>();
  /** Processes that have received a nonce which only the lost ledger had given away. */
  readonly #shown = new Set<string>();
  readonly #comparedAtMs = new Map<string, number>();
  /** Processes that have received a head. */
  readonly #asked = new Set<string>();
  /** Hashes of calls, and ids of ended attempts, that the present ledger could not know better. */
  readonly #excused = new Set<string>();
  /** Keys of them. */
  readonly #excusedKeys = new Set<string>();

  constructor(
    private readonly chain: Chain,
    private readonly graph: BlockGraph,
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
    this.#shownAtStart.clear();
    this.#asked.clear();
    this.#comparedAtMs.clear();
    this.#shown.clear();
    this.#given.clear();
    for (const slot of loss.given) this.#given.add(slot);
    this.#excused.clear();
    this.#excusedKeys.clear();
  }

  started(process: string): void {
    this.#shownAtStart.set(process, this.#holding());
  }

  /** True when an accepted block holds something of the lost ledger. */
  isOnChain(): boolean {
    return this.#holding().length > 0;
  }

  /** A process received this head. True when it is the first that shows a lost nonce. */
  shown(process: string, head: Felt, nonces: ReadonlyMap<Felt, bigint>): boolean {
    if (this.#loss === null || this.#shown.has(process)) return false;
    const isShown = this.#below(head).some(
      (tx) => (nonces.get(tx.account) ?? 0n) > tx.nonce && !this.#given.has(slotOf(tx)),
    );
    if (isShown) this.#shown.add(process);
    return isShown;
  }

  /** True for the first head that a process receives, if it hides what the lost ledger had sent. */
  isFirst(process: string, head: Felt): boolean {
    if (!this.isCopy || this.#asked.has(process)) return false;
    this.#asked.add(process);
    return this.#below(head).length === 0;
  }

  /** A process stored a transaction under this nonce. */
  gave(slot: string): void {
    this.#given.add(slot);
  }

  /** A process settled a nonce by this transaction. */
  settled(process: string, hash: Felt): void {
    if (this.unknown.has(hash)) this.#shown.add(process);
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
    if (this.#shown.has(process)) return;
    // A head that is younger than the process shows what stood at its start and still stands.
    const atStart = this.#shownAtStart.get(process) ?? [];
    const still = this.#holding();
    if (atStart.some((block) => still.includes(block))) return;
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

  /** Accepted blocks that hold something of the lost ledger. */
  #holding(): readonly Felt[] {
    return this.chain.blocks
      .filter(({ inclusions }) => inclusions.some(({ tx }) => this.unknown.has(tx.hash)))
      .map(({ hash }) => hash);
  }

  /** What the lost ledger had sent, in the chain that ends with this head. */
  #below(head: Felt): readonly Tx[] {
    return this.graph.sentBelow(head).filter(({ hash }) => this.unknown.has(hash));
  }
}
