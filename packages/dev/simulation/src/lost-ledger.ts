import type { Felt } from '@sotto/kernel';
import type { BlockGraph } from './block-graph.js';
import type { Chain } from './chain/chain.js';
import type { Tx } from './chain/transaction.js';

/**
 * Description of a lost ledger: the kind of the ledger that replaced it, and the differences
 * between the two ledgers.
 */
export interface Loss {
  readonly by: 'empty' | 'copy';
  /** True if the store has noticed that the current ledger may be a copy. */
  readonly isRecognised: boolean;
  /** Transactions that the lost ledger had sent and that the current ledger does not know. */
  readonly unknown: ReadonlySet<Felt>;
  /** Nonces under which the current ledger has transactions, in the format of {@link slotOf}. */
  readonly given: ReadonlySet<string>;
}

/** Returns a text that identifies a nonce of an account. */
export const slotOf = ({ account, nonce }: Pick<Tx, 'account' | 'nonce'>): string =>
  `${account}/${nonce}`;

/**
 * Decides which facts a restored ledger could not know. The judge excuses only one case, in which
 * all of these conditions are true:
 * - the store did not recognise the copy;
 * - no transaction of the lost ledger is in a block that was accepted before the process started;
 * - no node had shown such a transaction to the process when the process acted.
 *
 * If the copy has also assigned a transaction's nonce, this nonce reveals nothing before the
 * process has settled it.
 */
export class LostLedger {
  #loss: Loss | null = null;
  /**
   * For each process, the accepted blocks that contained transactions of the lost ledger when the
   * process started.
   */
  readonly #shownAtStart = new Map<string, readonly Felt[]>();
  /** Nonces that the current ledger has assigned. */
  readonly #given = new Set<string>();
  /** Names of processes that have read an account nonce that only the lost ledger had assigned. */
  readonly #shown = new Set<string>();
  readonly #comparedAtMs = new Map<string, number>();
  /** Names of processes that have received a head since the ledger was lost. */
  readonly #requested = new Set<string>();
  /**
   * Hashes of calls, and ids of ended attempts, that are excused: the current ledger could not know
   * the lost ledger's transaction.
   */
  readonly #excused = new Set<string>();
  /** Keys of the excused calls and attempts. */
  readonly #excusedKeys = new Set<string>();

  constructor(
    private readonly chain: Chain,
    private readonly graph: BlockGraph,
    private readonly nowMs: () => number,
    /** Maximum time in ms from a comparison of all accounts until the next call is stored. */
    private readonly comparedWithinMs: number,
  ) {}

  get isCopy(): boolean {
    return this.#loss?.by === 'copy';
  }

  /** Transactions that the lost ledger had sent and that the current ledger does not know. */
  get unknown(): ReadonlySet<Felt> {
    return this.#loss?.unknown ?? new Set();
  }

  lost(loss: Loss): void {
    this.#loss = loss;
    this.#shownAtStart.clear();
    this.#requested.clear();
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

  /** Returns true if an accepted block contains a transaction of the lost ledger. */
  isOnChain(): boolean {
    return this.#holding().length > 0;
  }

  /**
   * Records that a process received this head. Returns true if this is the first head that shows
   * the process a nonce which only the lost ledger had assigned.
   */
  shown(process: string, head: Felt, nonces: ReadonlyMap<Felt, bigint>): boolean {
    if (this.#loss === null || this.#shown.has(process)) return false;
    const isShown = this.#below(head).some(
      (tx) => (nonces.get(tx.account) ?? 0n) > tx.nonce && !this.#given.has(slotOf(tx)),
    );
    if (isShown) this.#shown.add(process);
    return isShown;
  }

  /**
   * Returns true if this is the first head that the process received after the ledger was lost, and
   * the head's chain contains no transaction of the lost ledger.
   */
  isFirst(process: string, head: Felt): boolean {
    if (!this.isCopy || this.#requested.has(process)) return false;
    this.#requested.add(process);
    return this.#below(head).length === 0;
  }

  /** Records that the current ledger stored a transaction under this nonce. */
  gave(slot: string): void {
    this.#given.add(slot);
  }

  /** Records that this transaction settled a nonce in the ledger of a process. */
  settled(process: string, hash: Felt): void {
    if (this.unknown.has(hash)) this.#shown.add(process);
  }

  /** Records that a process received the heads of all nodes that respond. */
  compared(process: string): void {
    this.#comparedAtMs.set(process, this.nowMs());
  }

  /**
   * Records that a process stored a call, or ended an attempt, in the current ledger.
   * @param needsComparison true for an unprotected call; all accounts must be compared directly
   *   before such a call
   */
  acted(process: string, key: string, what: string, needsComparison: boolean): void {
    if (this.#loss?.by !== 'copy' || this.#loss.isRecognised) return;
    if (this.#shown.has(process)) return;
    // If a head is newer than the start of the process, its chain contains all blocks that were
    // accepted at that start and are still on chain.
    const atStart = this.#shownAtStart.get(process) ?? [];
    const still = this.#holding();
    if (atStart.some((block) => still.includes(block))) return;
    const comparedAgoMs = this.nowMs() - (this.#comparedAtMs.get(process) ?? -Infinity);
    if (needsComparison && comparedAgoMs > this.comparedWithinMs) return;
    this.#excused.add(what);
    this.#excusedKeys.add(key);
  }

  /**
   * Returns true if a call or an attempt is excused. The argument is the hash of the call, or the
   * id of the attempt.
   */
  excuses(what: string): boolean {
    return this.#excused.has(what);
  }

  excusesKey(key: string): boolean {
    return this.#excusedKeys.has(key);
  }

  /** Returns the accepted blocks that contain transactions of the lost ledger. */
  #holding(): readonly Felt[] {
    return this.chain.blocks
      .filter(({ inclusions }) => inclusions.some(({ tx }) => this.unknown.has(tx.hash)))
      .map(({ hash }) => hash);
  }

  /** Returns the lost ledger's transactions in the chain whose newest block is this head. */
  #below(head: Felt): readonly Tx[] {
    return this.graph.sentBelow(head).filter(({ hash }) => this.unknown.has(hash));
  }
}
