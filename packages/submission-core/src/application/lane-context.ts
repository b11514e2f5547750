import type { Clock, Logger } from '@sotto/kernel';
import type { SubmissionEvent } from '../domain/events.js';
import { boundsFor, worstCaseFri, type ResourceBounds } from '../domain/resource-bounds.js';
import type { Attempt, OpenNonce } from '../domain/rows.js';
import type { ChainHead, ChainReader, NonceHistory } from '../ports/chain.port.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { Readmission } from '../ports/readmission.port.js';
import type { TransactionSigner } from '../ports/transaction-signer.port.js';
import type { AttemptHints } from './attempt-hints.js';
import { attemptWork } from './attempt-work.js';
import type { Changes } from './changes.js';
import type { LaneLease } from './lane-lease.js';
import { RefusalHints } from './refusal-hints.js';
import type { CheckpointHook, LaneIdentity, SubmissionSettings } from './settings.js';

export interface LaneDependencies {
  readonly ledger: Ledger;
  readonly reader: ChainReader;
  readonly history: NonceHistory;
  readonly signer: TransactionSigner;
  readonly readmission: Readmission;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reached: CheckpointHook;
}

/** What the parts of a lane's work share: its ports, its lease, and hints that may be forgotten at any time. */
export class LaneContext {
  readonly refusals = new RefusalHints();

  constructor(
    readonly lane: LaneIdentity,
    readonly lease: LaneLease,
    readonly hints: AttemptHints,
    readonly on: LaneDependencies,
    readonly settings: SubmissionSettings,
  ) {}

  /** Records an event of this lane; true when it was written. A stale fence ends this instance's hold on the lane. */
  async record(event: SubmissionEvent, about: Attempt | null = null): Promise<boolean> {
    const recorded = await this.on.ledger.record(event);
    if (!recorded.written) {
      if (recorded.because === 'stale_fence') this.lease.lost();
      this.on.logger.debug({ event: event.type, because: recorded.because }, 'the machine stood back');
      return false;
    }
    if (about !== null) this.on.changes.changed(about.id);
    return true;
  }

  /** Asks the domain whether an attempt in flight still makes sense; one that can't tell now leaves it wanted. */
  async askWhetherWanted(attempt: Attempt): Promise<void> {
    await this.apart('asking whether an attempt is wanted', async () => {
      const code = await this.on.readmission.refusalOf(attempt);
      if (code !== null) this.hints.markUnwanted(attempt, code);
    });
  }

  /** Does something for one nonce or attempt, so that its trouble is not everybody's. False when it failed: the next round tries again. */
  apart(what: string, work: () => Promise<void>): Promise<boolean> {
    return attemptWork(this.on.logger, { lane: this.lane.address, what }, work);
  }

  /** Why the attempt that holds a nonce is no longer wanted on chain; null while it is, and for a nonce that nobody holds. */
  whyUnwanted({ row, owner }: Pick<OpenNonce, 'row' | 'owner'>): string | null {
    return owner === null ? null : (this.hints.whyUnwanted(owner) ?? this.refusals.refusedTooOften(row.nonce));
  }

  noopBounds({ gasPrices }: ChainHead): ResourceBounds {
    return boundsFor(this.settings.noopLimits, gasPrices);
  }

  /** A lane takes a transaction only if it can pay its bounds and those of one no-op. */
  canPay(head: ChainHead, bounds: ResourceBounds): boolean {
    return this.balanceFri(head) >= worstCaseFri(bounds) + worstCaseFri(this.noopBounds(head));
  }

  balanceFri({ accounts }: ChainHead): bigint {
    return accounts.get(this.lane.address)?.balanceFri ?? 0n;
  }
}
