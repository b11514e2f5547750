import type { Felt } from '@sotto/kernel';
import type { BlockGraph } from './block-graph.js';
import type { Chain } from './chain/chain.js';
import type { Tx } from './chain/transaction.js';

/** Kind of loss and the replacing ledger. */
export interface Loss {
  readonly by: 'empty' | 'copy';
  /** True if the store knows that the current ledger may be a copy. */
  readonly isRecognised: boolean;
  /** Transactions that the lost ledger had sent and the current one does not know. */
  readonly unknown: ReadonlySet<Felt>;
  /** Nonces with transactions of the current ledger: see {@link slotOf}. */
  readonly given: ReadonlySet<string>;
}

/** Identifies a nonce of an account. */
export const slotOf = ({ account, nonce }: Pick<Tx, 'account' | 'nonce'>): string =>
  `${account}/${nonce}`;

/**
 * Decides which facts a restored ledger could not know. Only one case is excused, if all of these
 * hold:
 * - the store did not recognise the copy;
 * - no transaction of the lost ledger is in a block that was accepted before the process started;
 * - no node had shown any of them to the process when it acted.
 *
 * A nonce that the copy has assigned as well reveals nothing before the process has settled it.
 */
export class LostLedger {
  #loss: Loss | null = null;
  /** Accepted blocks with transactions of the lost ledger at a process' start. */
  readonly #shownAtStart = new Map<string, readonly Felt[]>();
  /** Nonces that the current ledger has assigned. */
  readonly #given = new Set<string>();
  /** Processes that have received a nonce which only the lost ledger had assigned. */
  readonly #shown = new Set<string>();
  readonly #comparedAtMs = new Map<string, number>();
  /** Processes that have received a head. */
  readonly #asked = new Set<string>();
  /**
   * Hashes of calls, and ids of ended attempts, for which the current ledger lacked the
   * information.
   */
  readonly #excused = new Set<string>();
  /** Keys of the excused calls and attempts. */
  readonly #excusedKeys = new Set<string>();

  constructor(
    private readonly chain: Chain,
    private readonly graph: BlockGraph,
    private readonly nowMs: () => number,
    /** Maximum time from a comparison of all accounts to the storing of the next call. */
    private readonly comparedWithinMs: number,
  ) {}

  get isCopy(): boolean {
    return this.#loss?.by === 'copy';
  }

  /** Transactions that the lost ledger had sent and the current one does not know. */
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

  /** Returns true if an accepted block has a transaction of the lost ledger. */
  isOnChain(): boolean {
    return this.#holding().length > 0;
  }

  /**
   * Records that a process received this head. Returns true if it is the first to reveal a lost
   * nonce.
   */
  shown(process: string, head: Felt, nonces: ReadonlyMap<Felt, bigint>): boolean {
    if (this.#loss === null || this.#shown.has(process)) return false;
    const isShown = this.#below(head).some(
      (tx) => (nonces.get(tx.account) ?? 0n) > tx.nonce && !this.#given.has(slotOf(tx)),
    );
    if (isShown) this.#shown.add(process);
    return isShown;
  }

  /** Returns true for a process' first head, if it hides the lost ledger's transactions. */
  isFirst(process: string, head: Felt): boolean {
    if (!this.isCopy || this.#asked.has(process)) return false;
    this.#asked.add(process);
    return this.#below(head).length === 0;
  }

  /** Records that a transaction was stored under this nonce. */
  gave(slot: string): void {
    this.#given.add(slot);
  }

  /** Records that a process settled a nonce by this transaction. */
  settled(process: string, hash: Felt): void {
    if (this.unknown.has(hash)) this.#shown.add(process);
  }

  /** Records that a process received the heads of all nodes that answer. */
  compared(process: string): void {
    this.#comparedAtMs.set(process, this.nowMs());
  }

  /**
   * Records that a process stored a call, or ended an attempt, under the current ledger.
   * @param needsComparison true for an unprotected call: all accounts must be compared right before
   */
  acted(process: string, key: string, what: string, needsComparison: boolean): void {
    if (this.#loss?.by !== 'copy' || this.#loss.isRecognised) return;
    if (this.#shown.has(process)) return;
    // A head younger than the process shows all blocks that were accepted at its start and still
    // are.
    const atStart = this.#shownAtStart.get(process) ?? [];
    const still = this.#holding();
    if (atStart.some((block) => still.includes(block))) return;
    const comparedAgoMs = this.nowMs() - (this.#comparedAtMs.get(process) ?? -Infinity);
    if (needsComparison && comparedAgoMs > this.comparedWithinMs) return;
    this.#excused.add(what);
    this.#excusedKeys.add(key);
  }

  /** Returns true if a call's hash or an attempt's id is the excused case. */
  excuses(what: string): boolean {
    return this.#excused.has(what);
  }

  excusesKey(key: string): boolean {
    return this.#excusedKeys.has(key);
  }

  /** Returns accepted blocks that contain transactions of the lost ledger. */
  #holding(): readonly Felt[] {
    return this.chain.blocks
      .filter(({ inclusions }) => inclusions.some(({ tx }) => this.unknown.has(tx.hash)))
      .map(({ hash }) => hash);
  }

  /** Returns the lost ledger's transactions in the chain that ends with this head. */
  #below(head: Felt): readonly Tx[] {
    return this.graph.sentBelow(head).filter(({ hash }) => this.unknown.has(hash));
  }
}
