import type { Clock, Logger } from '@sotto/kernel';
import type { SubmissionEvent } from '../domain/events.js';
import { boundsFor, worstCaseFri, type ResourceBounds } from '../domain/resource-bounds.js';
import type { Attempt } from '../domain/rows.js';
import type { ChainHead, ChainReader, NonceHistory } from '../ports/chain.port.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { Readmission } from '../ports/readmission.port.js';
import type { HashedCall, TransactionSigner } from '../ports/transaction-signer.port.js';
import { attemptWork } from './attempt-work.js';
import type { Changes } from './changes.js';
import type { LaneLease } from './lane-lease.js';
import type { CheckpointHook, LaneIdentity, SubmissionSettings } from './settings.js';

/** After the node refused an attempt for its price or the lane's funds, it waits so long before it is signed again. */
const REFUSED_FOR_NOW_MS = 2_000;

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

/** What the two halves of a lane's work share: its ports, its lease, and hints that may be forgotten at any time. */
export class LaneContext {
  /** Calldata hashes of attempts that wait; hashing starts before the nonce is known. */
  readonly #hashed = new Map<string, Promise<HashedCall>>();
  readonly #notBeforeMs = new Map<string, number>();
  /** Why an attempt in flight is no longer wanted on chain. */
  readonly #unwanted = new Map<string, string>();

  constructor(
    readonly lane: LaneIdentity,
    readonly lease: LaneLease,
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

  hashOf(attempt: Attempt): Promise<HashedCall> {
    const known = this.#hashed.get(attempt.id);
    if (known !== undefined) return known;
    const hashing = this.on.ledger.calldata(attempt.id).then((calldata) => {
      if (calldata === null) throw new Error('calldata of a live attempt is missing');
      return this.on.signer.hashCall(attempt.target, calldata);
    });
    this.#hashed.set(attempt.id, hashing);
    hashing.catch(() => this.#hashed.delete(attempt.id));
    return hashing;
  }

  /** The attempt waits a little before it gets a nonce again. */
  holdBack(attemptId: string): void {
    this.#notBeforeMs.set(attemptId, this.on.clock.nowMs() + REFUSED_FOR_NOW_MS);
  }

  isHeldBack({ id }: Attempt): boolean {
    return (this.#notBeforeMs.get(id) ?? 0) > this.on.clock.nowMs();
  }

  /** Asks the domain whether an attempt in flight still makes sense; one that can't tell now leaves it wanted. */
  async askWhetherWanted(attempt: Attempt): Promise<void> {
    await this.apart('asking whether an attempt is wanted', async () => {
      const code = await this.on.readmission.refusalOf(attempt);
      if (code !== null) this.#unwanted.set(attempt.id, code);
    });
  }

  /** Does something for one nonce or attempt, so that its trouble is not everybody's. False when it failed: the next round tries again. */
  apart(what: string, work: () => Promise<void>): Promise<boolean> {
    return attemptWork(this.on.logger, { lane: this.lane.address, what }, work);
  }

  whyUnwanted(attempt: Attempt | null): string | null {
    if (attempt === null) return null;
    return this.#unwanted.get(attempt.id) ?? (this.on.clock.nowMs() > attempt.deadlineMs ? 'DEADLINE_PASSED' : null);
  }

  /** Drops all hints about an attempt that has its end or lost its nonce. */
  forget({ id }: Attempt): void {
    this.#hashed.delete(id);
    this.#notBeforeMs.delete(id);
    this.#unwanted.delete(id);
  }

  noopBounds({ gasPrices }: ChainHead): ResourceBounds {
    return boundsFor(this.settings.noopLimits, gasPrices);
  }

  /** A lane takes a transaction only if it can pay its bounds and those of one no-op. */
  canPay(head: ChainHead, bounds: ResourceBounds): boolean {
    const account = head.accounts.get(this.lane.address);
    return account !== undefined && account.balanceFri >= worstCaseFri(bounds) + worstCaseFri(this.noopBounds(head));
  }
}
