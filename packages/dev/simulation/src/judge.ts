import type { Felt } from '@sotto/kernel';
import type { BlockRef, ChainEvidence, SubmissionAnswer } from '@sotto/submission-core';
import { BlockGraph } from './block-graph.js';
import { CONTRACTS, type Block, type Chain, type Inclusion } from './chain/chain.js';
import { nameOf } from './chain/network.js';
import type { Tx } from './chain/transaction.js';
import { LostLedger, slotOf, type Loss } from './lost-ledger.js';
import type { KnownAttempt, NewAttempt, ReportedAnswer } from './reported.js';
import type { Violation } from './story.js';

export interface JudgeOptions {
  readonly nowMs: () => number;
  /**
   * True if this provider's rejections prove nothing. Then an answer that is based on a rejection
   * may be wrong.
   */
  readonly rejectionsLie: boolean;
  /** Maximum time in ms from a comparison of all accounts until the next call is stored. */
  readonly comparedWithinMs: number;
  /** Rules that are known to be broken. The judge ignores their violations. */
  readonly tolerated?: ReadonlySet<string>;
}

/**
 * Compares the answers that callers received with the chain. The judge knows the true state of the
 * network, but not the state of the engine.
 */
export class Judge {
  readonly violations: Violation[] = [];
  readonly answers: ReportedAnswer[] = [];
  readonly attempts = new Map<string, KnownAttempt>();
  readonly acknowledged = new Set<string>();
  readonly #bySerial = new Map<number, KnownAttempt>();
  /** Serial numbers of calls that a newer call has replaced. */
  readonly #replaced = new Set<number>();
  /**
   * Attempts by the hash of the transaction that they adopted. If a restored copy has sent a
   * request again, the request has two attempts, each with its own transaction.
   */
  readonly #byHash = new Map<Felt, KnownAttempt>();
  /**
   * Outcomes in accepted blocks, as `hash execution`. The set `#shown` contains outcomes in
   * accepted or pre-confirmed blocks.
   */
  readonly #accepted = new Set<string>();
  readonly #shown = new Set<string>();
  #backedUp: ReadonlySet<string> = new Set();
  /**
   * Outcomes at ACCEPTED_ON_L2 or higher that a lost ledger had reported. The key is the attempt,
   * the value is the transaction hash.
   */
  readonly #promised = new Map<KnownAttempt, Felt>();
  readonly lostLedger: LostLedger;
  readonly #graph: BlockGraph;
  /**
   * Nonces, as `account/nonce`, that were consumed in blocks accepted on L1 that were undone later.
   */
  readonly #undoneFinal = new Set<string>();
  readonly #undoneHashes = new Set<Felt>();
  rollbacks = 0;
  losses = 0;

  constructor(
    private readonly chain: Chain,
    private readonly options: JudgeOptions,
  ) {
    this.#graph = new BlockGraph(chain);
    this.lostLedger = new LostLedger(chain, this.#graph, options.nowMs, options.comparedWithinMs);
  }

  broken(rule: string, detail: string): void {
    if (this.options.tolerated?.has(rule) === true) return;
    this.violations.push({ rule, detail, atMs: this.options.nowMs() });
  }

  /** Records a request that the ledger has accepted. */
  requested(attempt: NewAttempt): void {
    this.#bySerial.set(attempt.serial, this.#known(attempt));
  }

  /**
   * Returns true if a caller requested the attempt. All attempts that no caller requested were
   * created by an adoption.
   */
  wasRequested(id: string): boolean {
    return [...this.#bySerial.values()].some((attempt) => attempt.id === id);
  }

  /** Records that a newer call has replaced the attempt's call. */
  renewed(id: string, serial: number): void {
    const attempt = this.attempts.get(id);
    if (attempt === undefined)
      return this.broken('a newer call is for an attempt that was requested', id);
    for (const older of this.serialsOf(attempt)) this.#replaced.add(older);
    this.#bySerial.set(serial, attempt);
  }

  /** Returns true if a newer call has replaced the call with this fingerprint. */
  isReplaced(fingerprint: string | null): boolean {
    return this.#replaced.has(Number(fingerprint ?? -1));
  }

  /** Returns the serial numbers of all requests whose calls the attempt has carried. */
  serialsOf(attempt: KnownAttempt): readonly number[] {
    return [...this.#bySerial].filter(([, of]) => of === attempt).map(([serial]) => serial);
  }

  /**
   * Records the adoption of a transaction of a lost ledger. From then on, its outcome belongs to
   * this attempt.
   */
  adopted(attempt: NewAttempt, hash: Felt): void {
    this.#byHash.set(hash, this.#known(attempt));
  }

  #known(attempt: NewAttempt): KnownAttempt {
    const known = this.attempts.get(attempt.id) ?? {
      ...attempt,
      acceptedAtMs: this.options.nowMs(),
      isForgotten: false,
    };
    this.attempts.set(attempt.id, known);
    return known;
  }

  attemptOf({ hash, call }: Tx): KnownAttempt | null {
    return this.#byHash.get(hash) ?? this.#bySerial.get(call?.serial ?? -1) ?? null;
  }

  /** Records that another ledger has replaced the current one. */
  lost(loss: Loss): void {
    this.losses += 1;
    this.lostLedger.lost(loss);
    for (const { attempt, kind, hash, finality } of this.answers)
      if (kind === 'SUCCEEDED' && hash !== null && finality !== 'PRE_CONFIRMED')
        this.#promised.set(attempt, hash);
    for (const attempt of this.attempts.values())
      attempt.isForgotten = loss.by === 'empty' || !this.#backedUp.has(attempt.id);
    // The current ledger can correct the answers of the lost ledger only after it has read the
    // chain. So the judge does not check the answers that were given until now.
    this.answers.length = 0;
  }

  /**
   * Returns payments that a lost ledger had reported and that are on chain: attempt and transaction
   * hash of each.
   */
  promises(): readonly { readonly attempt: KnownAttempt; readonly hash: Felt }[] {
    const paid = new Set(
      this.included().flatMap(({ tx, execution }) => (execution === 'SUCCEEDED' ? [tx.hash] : [])),
    );
    return [...this.#promised].flatMap(([attempt, hash]) =>
      paid.has(hash) ? [{ attempt, hash }] : [],
    );
  }

  backUp(): void {
    this.#backedUp = new Set(this.attempts.keys());
  }

  /** Records that a process stored a call of the attempt. */
  stored(process: string, id: string, hash: Felt): void {
    const attempt = this.attempts.get(id);
    if (attempt !== undefined)
      this.lostLedger.acted(process, attempt.key, hash, !attempt.isProtected);
  }

  /** Records that a process ended the attempt without a transaction. */
  ended(process: string, id: string): void {
    const attempt = this.attempts.get(id);
    if (attempt !== undefined) this.lostLedger.acted(process, attempt.key, id, false);
  }

  /**
   * Returns true if a lost ledger sent one of the attempt's transactions, and the current ledger
   * could not know about this transaction when it acted on the attempt's key.
   */
  isExcused({ key }: KnownAttempt, own: readonly Inclusion[]): boolean {
    const { lostLedger } = this;
    return own.some(({ tx }) => lostLedger.unknown.has(tx.hash)) && lostLedger.excusesKey(key);
  }

  /**
   * Returns true if a lost ledger sent exactly one of the two transactions, and the current ledger
   * could not know about this transaction. Also returns true if an undone L1 block had consumed one
   * of their nonces.
   */
  #isExcusedPair(a: Inclusion, b: Inclusion): boolean {
    const { lostLedger } = this;
    if (this.#undoneFinal.has(slotOf(a.tx)) || this.#undoneFinal.has(slotOf(b.tx))) return true;
    const isLost = ({ tx }: Inclusion): boolean => lostLedger.unknown.has(tx.hash);
    if (isLost(a) === isLost(b)) return false;
    return lostLedger.excuses((isLost(a) ? b : a).tx.hash);
  }

  preConfirmed(inclusions: readonly Inclusion[]): void {
    for (const { tx, execution } of inclusions) this.#shown.add(`${tx.hash} ${execution}`);
  }

  closed(block: Block): void {
    const { inclusions } = block;
    this.preConfirmed(inclusions);
    this.#graph.closed(block);
    for (const { tx, execution } of inclusions) this.#accepted.add(`${tx.hash} ${execution}`);
    if (inclusions.length > 0) this.#judgeChain();
  }

  rolledBack(): void {
    this.rollbacks += 1;
  }

  /**
   * Checks the evidence of a command: the command's conclusion must be true on the chain that the
   * evidence describes.
   * @param isThere true if the command concludes that the block is on that chain, false if it
   *   concludes that the block is not on that chain
   */
  concluded(what: string, block: BlockRef, { first }: ChainEvidence, isThere: boolean): void {
    if (this.#graph.holds(first.hash, block) === isThere) return;
    this.broken(
      'a conclusion is true of the chain of its evidence',
      `${what}: block ${block.number} (${block.hash}) is ${isThere ? 'not ' : ''}below the head ${first.number} (${first.hash})`,
    );
  }

  /**
   * Records transactions of undone L1 blocks. The judge does not treat the consequences as
   * violations.
   */
  l1Undone(undone: readonly Inclusion[]): void {
    for (const { tx } of undone) {
      this.#undoneFinal.add(slotOf(tx));
      this.#undoneHashes.add(tx.hash);
    }
  }

  /** Returns all inclusions currently on the chain, oldest first. */
  included(): Inclusion[] {
    return this.chain.blocks.flatMap(({ inclusions }) => inclusions);
  }

  /** Returns true if a caller received a pre-confirmed outcome of one of these inclusions. */
  hasReported(inclusions: readonly Inclusion[]): boolean {
    return this.answers.some(
      ({ hash, finality }) =>
        finality === 'PRE_CONFIRMED' && inclusions.some(({ tx }) => tx.hash === hash),
    );
  }

  answered(id: string, answer: SubmissionAnswer): ReportedAnswer | null {
    const attempt = this.attempts.get(id);
    if (attempt === undefined) {
      this.broken('an answer is about an attempt that was requested', `${id} was never requested`);
      return null;
    }
    if (answer.kind === 'pending') return null;
    const atMs = this.options.nowMs();
    if (answer.kind === 'rejected') {
      const end: ReportedAnswer = { atMs, attempt, kind: 'rejected', hash: null, finality: null };
      this.answers.push(end);
      this.#judgeEnd(end, this.included());
      return end;
    }
    const { execution, transactionHash, finality } = answer;
    const outcome: ReportedAnswer = {
      atMs,
      attempt,
      kind: execution,
      hash: transactionHash,
      finality,
    };
    this.answers.push(outcome);
    this.#judgeOutcome(outcome);
    return outcome;
  }

  #judgeOutcome({ attempt, kind, hash, finality }: ReportedAnswer): void {
    const what = `${attempt.id} (${attempt.key}) was answered ${kind} by ${hash} at ${finality}`;
    const outcome = `${hash} ${kind}`;
    if (!this.#shown.has(outcome)) this.broken('an outcome that is reported was in a block', what);
    else if (finality !== 'PRE_CONFIRMED' && !this.#accepted.has(outcome))
      this.broken('an outcome that is reported as accepted was in an accepted block', what);
    const inclusion = this.included().find(({ tx }) => tx.hash === hash);
    if (
      inclusion !== undefined &&
      this.attemptOf(inclusion.tx) !== attempt &&
      !attempt.isForgotten
    ) {
      this.broken('a caller hears its own outcome', `${what}, which is ${nameOf(inclusion.tx)}`);
    }
    // If an L1 block was undone, its outcomes are still reported as final until two polls
    // contradict them.
    if (hash !== null && this.#undoneHashes.has(hash)) return;
    if (finality === 'ACCEPTED_ON_L1' && inclusion?.execution !== kind)
      this.broken('an outcome that is reported as final is on the chain', what);
  }

  /**
   * Checks that an attempt that was reported as ended has no transaction on chain, now or later.
   */
  #judgeEnd({ attempt }: ReportedAnswer, included: readonly Inclusion[]): void {
    if (
      this.options.rejectionsLie ||
      attempt.isForgotten ||
      (attempt.isProtected && this.rollbacks > 0)
    )
      return;
    const inclusion = included.find(
      ({ tx }) => this.#bySerial.get(tx.call?.serial ?? -1) === attempt,
    );
    const { lostLedger } = this;
    if (
      inclusion === undefined ||
      this.#undoneFinal.has(slotOf(inclusion.tx)) ||
      (lostLedger.unknown.has(inclusion.tx.hash) && lostLedger.excuses(attempt.id))
    )
      return;
    this.broken(
      'an attempt that was reported as ended never lands',
      `${attempt.id} (${attempt.key}) had ended, and ${nameOf(inclusion.tx)} ${inclusion.execution}`,
    );
  }

  #judgeChain(): void {
    const included = this.included();
    const paid = new Map<string, Inclusion>();
    const bySerial = new Map<number, Inclusion>();
    for (const inclusion of included) {
      const { call } = inclusion.tx;
      if (call === null) continue;
      // If a ledger was lost, the newer call may be lost with that ledger. Then the replaced call
      // may land.
      if (this.#replaced.has(call.serial) && this.losses === 0)
        this.broken('a call that was replaced never lands', nameOf(inclusion.tx));
      const key = `${call.to} ${call.key}`;
      const before = paid.get(key);
      if (inclusion.execution === 'SUCCEEDED') {
        if (
          before !== undefined &&
          !this.options.rejectionsLie &&
          !this.#isExcusedPair(before, inclusion)
        )
          this.broken(
            'a key is paid once',
            `K${call.key}: ${nameOf(before.tx)} and ${nameOf(inclusion.tx)}`,
          );
        paid.set(key, inclusion);
      }
      const same = bySerial.get(call.serial);
      const isAllowed =
        call.to === CONTRACTS.withNullifiers && (this.rollbacks > 0 || this.losses > 0);
      if (
        same !== undefined &&
        !isAllowed &&
        !this.options.rejectionsLie &&
        !this.#isExcusedPair(same, inclusion)
      ) {
        this.broken(
          'an attempt is included once',
          `${nameOf(same.tx)} and ${nameOf(inclusion.tx)}`,
        );
      }
      bySerial.set(call.serial, inclusion);
    }
    for (const answer of this.answers)
      if (answer.kind === 'rejected') this.#judgeEnd(answer, included);
  }
}
