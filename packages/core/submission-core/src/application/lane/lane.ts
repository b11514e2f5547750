import { KeyedMutex, runIsolated, type Felt, type LogFields } from '@sotto/kernel';
import { chooseNonce } from '../../domain/choose-nonce.js';
import { DEADLINE_BLOCK_PASSED } from '../../domain/deadline-block.js';
import type { LaneSlot, SignedTransaction, SubmissionCommand } from '../../domain/events.js';
import type { RejectionReason } from '../../domain/machine-state.js';
import { boundsFor, worstCaseFri, type ResourceBounds } from '../../domain/resource-bounds.js';
import { refOf, type Attempt, type LaneRole, type OpenNonce } from '../../domain/rows.js';
import type { ChainHead } from '../../ports/chain.port.js';
import type { CommandResult } from '../../ports/ledger.port.js';
import type { HashedCall, SigningRequest } from '../../ports/transaction-signer.port.js';
import { bounded } from '../bounded.js';
import type { MachineDependencies } from '../dependencies.js';
import type { LedgerJudge } from '../ledger/ledger-judge.js';
import type { Failpoint, LaneIdentity, SubmissionSettings } from '../settings.js';
import type { StoreTime } from '../store-time.js';
import { DEADLINE_PASSED, type AttemptCache } from './attempt-cache.js';
import { KnownNonces } from './known-nonces.js';
import type { LaneLease } from './lane-lease.js';
import type { Alarms } from './lane-status.js';
import { RecentHeights } from './recent-heights.js';
import { RejectionCounters } from './rejection-counters.js';
import { SendResults } from './send-results.js';
import { Sender, type SendListener } from './sender.js';

/** Receives the events of this lane's sends. */
export interface LaneListener extends Pick<SendListener, 'isStrict' | 'diagnose' | 'refused'> {
  /** Called when a node responded to a send: the chain may soon show the transaction. */
  answered(): void;
}

/** Signed transaction that is written together with the claim to its first send. */
export interface ToStore {
  readonly claim: LaneSlot;
  /** Version of the nonce's row at the time of the read. */
  readonly version: number;
  /** Exclusive upper limit: the nonce must be lower than this value. */
  readonly nonceLimit: bigint;
  /** Attempt whose call the transaction executes; null for a no-op. */
  readonly attempt: Attempt | null;
  readonly transaction: SignedTransaction;
  /** Failpoint that is reached after the transaction was written. */
  readonly checkpoint: Failpoint;
}

/**
 * Reasons of a rejected command that are due to a change of the nonce's rows, and not to the
 * attempt.
 */
const OTHER_ROWS: ReadonlySet<RejectionReason> = new Set([
  'stale_version',
  'nonce_taken',
  'nonce_settled',
]);

/**
 * After this number of consecutive failures to sign, the lane is considered unable to send. The
 * signer may refuse a single call for a reason that concerns only the call.
 */
const SIGN_FAILURES_IN_A_ROW = 3;

/**
 * One account of this service: its lease, all writes about the account, and cached facts about its
 * nonces and sends. The cache may be dropped at any time. Work that may send runs one after
 * another.
 */
export class Lane {
  readonly sender: Sender;
  readonly sends: SendResults;
  readonly nonces: KnownNonces;
  readonly rejections = new RejectionCounters();
  /** Number of commands of this lane that were written or may have been written. */
  writes = 0;
  /**
   * The highest nonce that the ledger has ever stored for this lane, plus one. Derived from the
   * last poll and later writes; null if unknown.
   */
  nextNonce: bigint | null = null;
  readonly heights: RecentHeights;
  /** Number of consecutive failures to sign a call on this lane. */
  #signFailures = 0;
  #turns = { mutex: new KeyedMutex(), underway: 0 };

  constructor(
    readonly identity: LaneIdentity,
    readonly lease: LaneLease,
    readonly hints: AttemptCache,
    readonly storeTime: StoreTime,
    readonly alarms: Alarms,
    readonly judge: LedgerJudge,
    readonly deps: MachineDependencies,
    readonly settings: SubmissionSettings,
    listener: LaneListener,
  ) {
    this.heights = new RecentHeights(deps.clock);
    this.sends = new SendResults(deps.clock);
    this.nonces = new KnownNonces(identity.address, deps.ledger, lease);
    this.sender = new Sender(deps, {
      apply: (event) => this.apply(event),
      answered: (nonce, hash, answer) => {
        this.sends.note(answer);
        this.rejections.noteAnswer(nonce, hash, answer);
        listener.answered();
      },
      isStrict: () => listener.isStrict(),
      diagnose: (rejection) => listener.diagnose(rejection),
      refused: (attempt) => listener.refused(attempt),
      refusedInVain: (nonce, hash, rejection) => this.rejections.note(nonce, hash, rejection),
      nonceRefused: (nonce, hash) => this.rejections.noteNonceRefused(nonce, hash),
    });
  }

  get address(): Felt {
    return this.identity.address;
  }

  get role(): LaneRole {
    return this.identity.role;
  }

  get isHeld(): boolean {
    return this.lease.fence !== null;
  }

  /** True if no work is queued on this lane. */
  get isIdle(): boolean {
    return this.#turns.underway === 0;
  }

  /**
   * Runs `work` after all earlier work of this lane has ended. Rejects with the error of `work`.
   */
  inTurn(work: () => Promise<void>): Promise<void> {
    const turns = this.#turns;
    turns.underway += 1;
    return turns.mutex.run('', work).finally(() => {
      turns.underway -= 1;
    });
  }

  /**
   * Abandons running work, which may never end. The lane continues without the abandoned work. If
   * that work writes later, the ledger checks the write against the rows.
   */
  giveUpTurns(): void {
    this.#turns = { mutex: new KeyedMutex(), underway: 0 };
  }

  /**
   * Assigns a nonce to the attempt and sends its transaction, after all earlier work of the lane
   * (row St-P of the transition table). Abandons the work after a timeout. Backs off an attempt
   * that can't be prepared now. Returns true if the attempt no longer waits. Never rejects.
   */
  async prepare(attempt: Attempt, head: ChainHead): Promise<boolean> {
    const { clock, logger, revalidator } = this.deps;
    let isHandled = false;
    const work = async (): Promise<void> => {
      // The lane was handed over while this work waited for its turn.
      if (!this.isHeld) return;
      // The domain revalidates an attempt before the attempt gets a nonce: conditions may have
      // changed since its admission or since its last nonce.
      const code =
        this.hints.cancellationReason(attempt) ??
        (this.heights.mostBlocksLeft(attempt) === 'enough' ? null : DEADLINE_BLOCK_PASSED) ??
        (await revalidator.rejectionOf(attempt));
      isHandled =
        code === null ? await this.#giveNonce(attempt, head) : await this.endWaiting(attempt, code);
    };
    const turn = this.inTurn(async () => {
      await this.isolated('preparing an attempt', work, { submission: attempt.id });
      if (!isHandled && this.isHeld) this.hints.backOff(attempt.id);
    });
    try {
      await bounded(clock, this.settings.lookTimeoutMs, turn);
    } catch {
      logger.warn({ submission: attempt.id, lane: this.address }, 'preparing an attempt timed out');
      this.hints.backOff(attempt.id);
      this.giveUpTurns();
    }
    return isHandled;
  }

  async #giveNonce(attempt: Attempt, head: ChainHead): Promise<boolean> {
    const { accounts, gasPrices } = head;
    const call = await this.hints.hashOf(attempt);
    // The called contract would execute a repeated call once more. If this ledger is a copy, the
    // service may already have sent this call with the original ledger.
    if (!attempt.replayProtected && !(await this.judge.isStillUpToChain())) return false;
    const account = accounts.get(this.address);
    // The nonces in memory may be older than the rows: on a conflict, read the rows and retry once.
    for (const rows of ['open', 'read'] as const) {
      const open = await this.nonces[rows]();
      const { fence } = this.lease;
      if (account === undefined || fence === null || this.nextNonce === null) return false;
      const choice = chooseNonce(open, this.nextNonce, account.nonce);
      const nonceLimit = account.nonce + BigInt(this.settings.nonceWindow);
      if (choice === null || choice.nonce >= nonceLimit) return false;
      // Blocks may have passed since this preparation began.
      if (this.heights.fewestBlocksLeft(attempt, head) !== 'enough') return false;
      const { nonce, version } = choice;
      const bounds = boundsFor(attempt.limits, gasPrices);
      const transaction = await this.#sign(call, { account: this.address, nonce, bounds });
      const claim = { lane: this.address, nonce, fence };
      const stored = await this.storeAndSend(
        { claim, version, nonceLimit, attempt, transaction, checkpoint: 'prepared' },
        attempt,
      );
      if (stored.applied) {
        this.hints.forget(attempt);
        return true;
      }
      if (!OTHER_ROWS.has(stored.because)) return false;
    }
    return false;
  }

  /** True if the last calls could not be signed. */
  get cannotSign(): boolean {
    return this.#signFailures >= SIGN_FAILURES_IN_A_ROW;
  }

  /** Ignores the failures to sign and to send that happened before this call. */
  forgetFailures(): void {
    this.#signFailures = 0;
    this.sends.forgetUnanswered();
  }

  async #sign(call: HashedCall, request: SigningRequest): Promise<SignedTransaction> {
    this.#signFailures += 1;
    const transaction = await this.deps.signer.signCall(call, request);
    this.#signFailures = 0;
    return transaction;
  }

  /**
   * Writes a signed transaction with the claim to its first send, then sends it.
   * @param about attempt that owns the nonce
   */
  async storeAndSend(
    { claim, version, nonceLimit, attempt, transaction, checkpoint }: ToStore,
    about: Attempt | null,
  ): Promise<CommandResult> {
    const node = this.sender.nodeFor(null);
    const recorded = await this.record(
      {
        type: 'store',
        ...claim,
        version,
        attempt: attempt === null ? null : refOf(attempt),
        fingerprint: attempt?.fingerprint ?? null,
        transaction,
        node,
        ceilingL2PriceFri: this.settings.ceilingL2PriceFri,
        nonceLimit,
      },
      about,
    );
    if (!recorded.applied) return recorded;
    this.deps.failpoint(checkpoint);
    const slot = { ...claim, submission: attempt?.id ?? null };
    this.sender.send(slot, node, transaction.hash, transaction.bytes);
    return recorded;
  }

  /** Writes a command of this lane. Every write of this lane uses this method. */
  async apply(event: SubmissionCommand): Promise<CommandResult> {
    // The command may have been written even if the ledger returned no result.
    let mayBeWritten = true;
    try {
      const recorded = await this.nonces.during(() => this.deps.ledger.apply(event));
      mayBeWritten = recorded.applied;
      return recorded;
    } finally {
      if (mayBeWritten) this.writes += 1;
    }
  }

  /** Writes a command of this lane. A stale fence ends this instance's lease on the lane. */
  async record(event: SubmissionCommand, about: Attempt | null = null): Promise<CommandResult> {
    const recorded = await this.apply(event);
    if (recorded.applied) {
      const above = recorded.nonce === null ? 0n : recorded.nonce.through + 1n;
      if (above > (this.nextNonce ?? 0n)) this.nextNonce = above;
      for (const id of new Set([about?.id, recorded.attempt?.id]))
        if (id !== undefined)
          if (event.type === 'store') this.deps.changes.moved(id);
          else this.deps.changes.changed(id);
      return recorded;
    }
    if (recorded.because === 'stale_fence' && 'fence' in event) this.lease.lost(event.fence);
    this.deps.logger.debug(
      {
        submission: about?.id ?? null,
        lane: this.address,
        nonce: 'nonce' in event ? String(event.nonce) : null,
        event: event.type,
        because: recorded.because,
      },
      'command rejected',
    );
    return recorded;
  }

  /**
   * Ends a waiting attempt that is no longer wanted (row X of the transition table). Returns false
   * if the attempt still waits because a rollback could put its call on chain.
   */
  async endWaiting(attempt: Attempt, code: string): Promise<boolean> {
    const isLate = code === DEADLINE_PASSED;
    const end = {
      to: isLate || code === DEADLINE_BLOCK_PASSED ? 'expired' : 'refused',
      code,
      notBeforeMs: isLate ? attempt.deadlineMs : 0,
    } as const;
    const { applied } = await this.record(
      {
        type: 'end_waiting',
        attempt: refOf(attempt),
        fingerprint: attempt.fingerprint,
        ...end,
      },
      attempt,
    );
    if (applied) this.hints.forget(attempt);
    return applied;
  }

  /**
   * Checks with the domain whether an attempt in flight is still wanted. If this check fails, the
   * attempt remains wanted.
   */
  async checkWanted(attempt: Attempt): Promise<void> {
    await this.isolated(
      'checking whether an attempt is still wanted',
      async () => {
        const code = await this.deps.revalidator.rejectionOf(attempt);
        if (code !== null) this.hints.markUnwanted(attempt, code);
      },
      { submission: attempt.id },
    );
  }

  /**
   * Runs work for one nonce or attempt and logs an error of this work, so that other nonces and
   * attempts are not affected. Returns false if the work failed; the next poll retries it.
   * @param about log fields of a failure
   */
  isolated(what: string, work: () => Promise<void>, about: LogFields = {}): Promise<boolean> {
    const fields = { ...about, lane: this.address, what };
    return runIsolated(this.deps.logger, 'submission work', fields, work);
  }

  /**
   * Returns the reason why the attempt that uses a nonce is no longer wanted. Null if the attempt
   * is wanted, and for a nonce without an attempt.
   */
  cancellationReason({ row, owner }: Pick<OpenNonce, 'row' | 'owner'>): string | null {
    if (owner === null) return null;
    const isLate = this.heights.mostBlocksLeft(owner) === 'none';
    return (
      this.hints.cancellationReason(owner) ??
      (isLate ? DEADLINE_BLOCK_PASSED : null) ??
      this.rejections.refusedTooOften(row.nonce)
    );
  }

  noopBounds({ gasPrices }: ChainHead): ResourceBounds {
    return boundsFor(this.settings.noopLimits, gasPrices);
  }

  /**
   * Returns the resource bounds of a no-op at the ceiling price, which no unknown transaction can
   * exceed.
   */
  noopAtCeiling(head: ChainHead): ResourceBounds {
    const bounds = this.noopBounds(head);
    return { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri: this.settings.ceilingL2PriceFri } };
  }

  /**
   * True if the lane's balance covers a call: the worst-case cost of its resource bounds, the STRK
   * that calls of this lane may transfer, and the worst-case cost of one no-op.
   */
  canPayCall(head: ChainHead, bounds: ResourceBounds): boolean {
    const transferFri = this.identity.role === 'relay' ? (this.settings.transferFri ?? 0n) : 0n;
    return this.canPay(head, bounds, transferFri);
  }

  /**
   * True if the lane's balance covers the worst-case cost of these resource bounds, `furtherFri`,
   * and the worst-case cost of one no-op.
   */
  canPay(head: ChainHead, bounds: ResourceBounds, furtherFri = 0n): boolean {
    const neededFri = worstCaseFri(bounds) + furtherFri + worstCaseFri(this.noopBounds(head));
    return this.balanceFri(head) >= neededFri;
  }

  balanceFri({ accounts }: ChainHead): bigint {
    return accounts.get(this.address)?.balanceFri ?? 0n;
  }
}
