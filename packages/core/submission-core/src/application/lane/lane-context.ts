import { runIsolated, type Clock, type Felt, type LogFields, type Logger } from '@sotto/kernel';
import type { SubmissionCommand } from '../../domain/events.js';
import { boundsFor, worstCaseFri, type ResourceBounds } from '../../domain/resource-bounds.js';
import { refOf, type Attempt, type OpenNonce } from '../../domain/rows.js';
import type { CallReader } from '../../ports/call-reader.port.js';
import type {
  AccountCheck,
  AccountHistory,
  ChainHead,
  ChainReader,
  NonceHistory,
} from '../../ports/chain.port.js';
import type { Ledger, CommandResult } from '../../ports/ledger.port.js';
import type { Revalidator } from '../../ports/revalidator.port.js';
import type { TransactionSigner } from '../../ports/transaction-signer.port.js';
import { DEADLINE_PASSED, type AttemptCache } from './attempt-cache.js';
import type { SubmissionNotifier } from '../submission-notifier.js';
import type { Alarms } from './alarms.js';
import { KnownNonces } from './known-nonces.js';
import type { LaneLease } from './lane-lease.js';
import type { LedgerJudge } from '../ledger/ledger-judge.js';
import { RejectionCounters } from './rejection-counters.js';
import { SendResults } from './send-results.js';
import type { FailpointHook, LaneIdentity, SubmissionSettings } from '../settings.js';
import type { StoreTime } from '../store-time.js';

export interface LaneDependencies {
  readonly ledger: Ledger;
  readonly reader: ChainReader;
  readonly history: NonceHistory;
  readonly accountCheck: AccountCheck;
  readonly accountHistory: AccountHistory;
  readonly calls: CallReader;
  readonly signer: TransactionSigner;
  readonly revalidator: Revalidator;
  readonly changes: SubmissionNotifier;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failpoint: FailpointHook;
}

/**
 * What the parts of a lane's work share: its ports, its lease, and hints that may be forgotten at
 * any time.
 */
export class LaneContext {
  readonly refusals = new RejectionCounters();
  readonly sends: SendResults;
  readonly nonces: KnownNonces;
  /** Commands of this lane that were written, or may have been. */
  writes = 0;
  /**
   * One above the highest nonce that the ledger has held, as the last look showed it and the writes
   * since.
   */
  nextNonce: bigint | null = null;

  constructor(
    readonly lane: LaneIdentity,
    readonly lease: LaneLease,
    readonly hints: AttemptCache,
    readonly storeTime: StoreTime,
    readonly alarms: Alarms,
    readonly judge: LedgerJudge,
    readonly deps: LaneDependencies,
    readonly settings: SubmissionSettings,
  ) {
    this.sends = new SendResults(deps.clock);
    this.nonces = new KnownNonces(lane.address, deps.ledger, lease);
  }

  /** Every command about this lane goes this way. */
  async apply(event: SubmissionCommand): Promise<CommandResult> {
    // One without an answer may have been written.
    let mayBeWritten = true;
    try {
      const recorded = await this.nonces.during(() => this.deps.ledger.apply(event));
      mayBeWritten = recorded.applied;
      return recorded;
    } finally {
      if (mayBeWritten) this.writes += 1;
    }
  }

  /** Records an event of this lane. A stale fence ends this instance's hold on the lane. */
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
        lane: this.lane.address,
        nonce: 'nonce' in event ? String(event.nonce) : null,
        event: event.type,
        because: recorded.because,
      },
      'command rejected',
    );
    return recorded;
  }

  /**
   * X: an attempt that waits is no longer wanted. False when it goes on waiting: a rollback could
   * still bring its call on chain.
   */
  async endWaiting(attempt: Attempt, code: string): Promise<boolean> {
    const isLate = code === DEADLINE_PASSED;
    const end = {
      to: isLate ? 'expired' : 'refused',
      code,
      notBeforeMs: isLate ? attempt.deadlineMs : 0,
    } as const;
    const { applied } = await this.record(
      { type: 'end_waiting', attempt: refOf(attempt), ...end },
      attempt,
    );
    if (applied) this.hints.forget(attempt);
    return applied;
  }

  /**
   * Asks the domain whether an attempt in flight still makes sense. Without an answer the attempt
   * stays wanted.
   */
  async askWhetherWanted(attempt: Attempt): Promise<void> {
    await this.isolated(
      'asking whether an attempt is wanted',
      async () => {
        const code = await this.deps.revalidator.refusalOf(attempt);
        if (code !== null) this.hints.markUnwanted(attempt, code);
      },
      { submission: attempt.id },
    );
  }

  /**
   * Does something for one nonce or attempt, so that its trouble is not everybody's. False when it
   * failed: the next round tries again.
   * @param about fields of the line that a failure logs
   */
  isolated(what: string, work: () => Promise<void>, about: LogFields = {}): Promise<boolean> {
    const fields = { ...about, lane: this.lane.address, what };
    return runIsolated(this.deps.logger, 'submission work', fields, work);
  }

  /**
   * Why the attempt that holds a nonce is no longer wanted on chain; null while it is, and for a
   * nonce without an owner.
   */
  cancellationReason({ row, owner }: Pick<OpenNonce, 'row' | 'owner'>): string | null {
    return owner === null
      ? null
      : (this.hints.cancellationReason(owner) ?? this.refusals.refusedTooOften(row.nonce));
  }

  noopBounds({ gasPrices }: ChainHead): ResourceBounds {
    return boundsFor(this.settings.noopLimits, gasPrices);
  }

  /** Bounds of a no-op that outbids whatever an unknown transaction may offer. */
  noopAtCeiling(head: ChainHead): ResourceBounds {
    const bounds = this.noopBounds(head);
    return { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri: this.settings.ceilingL2PriceFri } };
  }

  /** A lane takes a transaction only if it can pay its bounds and those of one no-op. */
  canPay(head: ChainHead, bounds: ResourceBounds): boolean {
    return this.balanceFri(head) >= worstCaseFri(bounds) + worstCaseFri(this.noopBounds(head));
  }

  balanceFri({ accounts }: ChainHead): bigint {
    return accounts.get(this.lane.address)?.balanceFri ?? 0n;
  }

  get address(): Felt {
    return this.lane.address;
  }
}

/** Fields of a line about a nonce; the lane adds its own. */
export const nonceFields = ({ row, owner }: OpenNonce): LogFields => ({
  submission: owner?.id ?? null,
  nonce: String(row.nonce),
});
