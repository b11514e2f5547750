import type { Felt, LogFields } from '@sotto/kernel';
import type { LaneRoom } from '../../domain/assign-lanes.js';
import type { ChainEvidence } from '../../domain/chain-evidence.js';
import type { RejectionCause } from '../../domain/events.js';
import { boundsFor } from '../../domain/resource-bounds.js';
import {
  isFree,
  isLandable,
  type Lane as LaneRow,
  type OpenNonce,
  type Quarantine,
} from '../../domain/rows.js';
import type { TransactionStatus } from '../../domain/transaction-status.js';
import type { StuckFacts } from '../../domain/stuck.js';
import type { AccountState, ChainHead } from '../../ports/chain.port.js';
import { mayLackRows, type LedgerState } from '../../ports/ledger.port.js';
import { bounded } from '../bounded.js';
import { closingRead } from './closing-read.js';
import { followNonce, noteChain } from './follow-nonce.js';
import type { Lane } from './lane.js';
import { LaneAbility } from './lane-ability.js';
import { LaneDiagnosis } from './lane-diagnosis.js';
import { LaneEntry } from './lane-entry.js';
import { stateOf, type LaneFill, type LaneState, type LaneStatus } from './lane-status.js';
import { SettledBlocks } from './settled-blocks.js';

/**
 * Capacity of a lane for work, computed from its rows and the chain head. `given` is the number of
 * attempts that were assigned to the lane after this computation.
 */
export interface LaneCapacity extends LaneRoom {
  readonly worker: LaneWorker;
  readonly head: ChainHead;
  /** Free nonces below the nonce of a transaction that could land, lowest first. */
  readonly freeBelow: readonly bigint[];
  readonly given: number;
}

/** Open nonce as of the last poll, for components that monitor all lanes. */
export interface WatchedNonce extends Pick<StuckFacts, 'sightings' | 'passedByChain' | 'unwanted'> {
  readonly nonce: OpenNonce;
}

interface Seen {
  readonly head: ChainHead;
  readonly atMs: number;
}

/** Time and lease fence of the last poll that read the rows of the lane. */
interface RowsRead {
  readonly fence: bigint;
  readonly atMs: number;
}

/** Number of idle intervals for which a chain head may be reused for new work. */
const HEAD_LIVES_INTERVALS = 3;

/**
 * Worker of one lane, independent of all other lanes. Tasks that may send run one after another.
 * The results that the chain shows for the lane's nonces are written without waiting for these
 * tasks. Sends run concurrently.
 */
export class LaneWorker {
  readonly #diagnosis: LaneDiagnosis;
  readonly #ability: LaneAbility;
  readonly #entry: LaneEntry;
  readonly #settled: SettledBlocks;
  #fill: LaneFill = 'unknown';
  /**
   * Reason, as of the last poll, why the chain allows no work on the lane; null if the chain allows
   * work.
   */
  #obstacle: string | null = 'NOT_LOOKED_AT';
  #row: LaneRow | null = null;
  #seen: Seen | null = null;
  #rowsRead: RowsRead | null = null;
  /**
   * Number of calls of {@link forgetRows}. A poll during which {@link forgetRows} was called may
   * have read outdated rows.
   */
  #rowsForgotten = 0;
  #open: readonly OpenNonce[] = [];
  #watched: readonly WatchedNonce[] = [];
  /** Free nonces that were offered to waiting attempts and that no attempt used. */
  #unclaimedGaps: ReadonlySet<bigint> = new Set();

  constructor(
    readonly lane: Lane,
    private readonly isConfigured = true,
  ) {
    this.#diagnosis = new LaneDiagnosis(lane);
    this.#ability = new LaneAbility(lane, this.#diagnosis, isConfigured);
    this.#entry = new LaneEntry(lane);
    this.#settled = new SettledBlocks(lane);
  }

  status(): LaneStatus {
    const [state, reason] = this.#standing();
    return {
      ...this.lane.identity,
      state,
      reason,
      openNonces: this.#open.length,
      isConfigured: this.isConfigured,
    };
  }

  /**
   * True if the lane may assign a nonce; the getter does not read the lane's rows. A lane whose
   * last sends were rejected is usable too: only an accepted send can end that state.
   */
  get isUsable(): boolean {
    const [state] = this.#standing(null);
    return (
      state === 'ready' ||
      state === 'full' ||
      state === 'short_of_funds' ||
      (state === 'unknown' && this.#obstacle === null)
    );
  }

  /** True if the lane could accept work now, or has just become full. */
  get canOffer(): boolean {
    return this.lane.isHeld && this.isUsable && this.#freshHead !== null;
  }

  /** True if this instance is able to send on the lane. */
  get isAble(): boolean {
    return this.#ability.isAble;
  }

  /**
   * Last time that the chain was read for this lane, by this process's monotonic clock; null before
   * the first read.
   */
  get inspectedAtMs(): number | null {
    return this.#seen?.atMs ?? null;
  }

  get head(): ChainHead | null {
    return this.#seen?.head ?? null;
  }

  /** Contracts called by the attempts that hold a nonce of this lane, as last read. */
  get targets(): readonly Felt[] {
    return this.#open.flatMap(({ owner }) => (owner === null ? [] : [owner.target.to]));
  }

  /** True if the lane is held and has an undecided nonce, queued work or a quarantine. */
  get isBusy(): boolean {
    const { isHeld, isIdle } = this.lane;
    return isHeld && (!isIdle || this.#open.length > 0 || this.#quarantine !== null);
  }

  /** Open nonces of the lane as of the last poll; none if the lane is not held. */
  get watched(): readonly WatchedNonce[] {
    return this.lane.isHeld ? this.#watched : [];
  }

  /**
   * Returns the cause of a rejection that may be due to the account; null if the account can't be
   * checked now.
   */
  diagnose(hasOtherLane: boolean): Promise<RejectionCause | null> {
    return this.#diagnosis.causeOf(hasOtherLane);
  }

  /**
   * Polls the chain for this lane, and then does the work that the results require. Abandons a poll
   * that exceeds its timeout.
   * @throws DomainError
   */
  async poll(): Promise<void> {
    const { clock } = this.lane.deps;
    try {
      await bounded(clock, this.lane.settings.lookTimeoutMs, this.#poll());
    } catch (error) {
      this.lane.giveUpTurns();
      this.#rowsRead = null;
      throw error;
    }
  }

  /**
   * Returns the free capacity of the lane after subtracting its open nonces; null if the lane can
   * accept no work now.
   */
  async offer(): Promise<LaneCapacity | null> {
    const { maxInFlightPerLane } = this.lane.settings;
    const head = this.#freshHead;
    if (head === null) return null;
    const account = head.accounts.get(this.lane.address);
    if (account === undefined || this.lane.nextNonce === null) return null;
    const open = await this.lane.nonces.open();
    this.#open = open;
    const freeBelow = open.filter(
      (nonce, index) =>
        isFree(nonce) && nonce.row.nonce >= account.nonce && livesAbove(open, index),
    );
    return {
      worker: this,
      head,
      freeSlots: maxInFlightPerLane - open.filter(hasLandable).length,
      gaps: freeBelow.length,
      freeBelow: freeBelow.map(({ row }) => row.nonce),
      balanceFri: this.lane.balanceFri(head),
      isRefused: this.lane.sends.rejection !== null,
      given: 0,
    };
  }

  /**
   * Records the result of an offer. Free nonces that no attempt used may then be filled by no-ops.
   */
  offered({ freeSlots, given, freeBelow, head }: LaneCapacity, couldNotPay: boolean): void {
    this.#unclaimedGaps = new Set(freeBelow.slice(given));
    const usual = boundsFor(
      this.lane.settings.usualLimits ?? this.lane.settings.noopLimits,
      head.gasPrices,
    );
    this.#fill =
      freeSlots <= 0
        ? 'full'
        : couldNotPay || !this.lane.canPayCall(head, usual)
          ? 'short_of_funds'
          : 'ready';
  }

  /**
   * Waits for queued work and running sends, then releases the lane. If the release fails, the
   * lease of the lane expires.
   */
  async stop(): Promise<void> {
    const { lane } = this;
    await lane.inTurn(async () => {});
    await lane.sender.idle();
    await lane.isolated('giving the lane back', () =>
      bounded(lane.deps.clock, lane.settings.lookTimeoutMs, lane.lease.giveBack()),
    );
  }

  /** Makes the lane reject new work until the next poll, and makes the next poll read the rows. */
  forgetRows(): void {
    this.#obstacle ??= 'NOT_LOOKED_AT';
    this.#rowsRead = null;
    this.#rowsForgotten += 1;
  }

  async #poll(): Promise<void> {
    const { lane } = this;
    const { ledger, reader, clock } = lane.deps;
    const fence = await lane.lease.hold();
    if (fence === null) {
      this.#watched = [];
      await this.#ability.polledUnheld();
      return;
    }
    this.#ability.pollBegins();
    // Read the chain before the rows, so that rows are never older than the evidence.
    const head = await reader.head([this.lane.address]);
    if (head.chainId !== lane.settings.chainId) {
      this.#seen = null;
      this.#obstacle = 'WRONG_CHAIN';
      lane.deps.logger.error(
        { lane: this.lane.address, chainId: head.chainId },
        'the node serves another chain: nothing is sent',
      );
      return;
    }
    lane.heights.note(head.blockNumber);
    const atMs = clock.monotonicMs();
    const readsRows = !this.#knowsRows(head, fence, atMs);
    const forgotten = this.#rowsForgotten;
    if (readsRows)
      await lane.inTurn(async () => {
        const state = await ledger.state();
        lane.storeTime.read(state.nowMs);
        await this.#enter(head, state, mayLackRows(state));
      });
    // Do not serialise this read with the lane's other work: new work need not wait for the node's
    // responses. Each command contains the version of the row that it changes.
    const open = await (readsRows ? lane.nonces.read() : lane.nonces.open());
    if (readsRows && forgotten === this.#rowsForgotten) this.#rowsRead = { fence, atMs };
    const sightings = await this.#sightingsOf(open);
    const { evidence, left } = await closingRead(lane, this.#settled, head, sightings);
    await lane.inTurn(() => this.#follow(head, open, sightings, evidence));
    if (evidence !== null && left !== null)
      await lane.isolated('following settled blocks', () =>
        this.#settled.follow(head, evidence, left),
      );
    this.#seen = { head, atMs };
    if (this.isConfigured)
      await lane.isolated('checking the account', () => this.#diagnosis.recheck());
    this.#ability.polled(atMs, this.#obstacle);
  }

  /**
   * True if this poll may skip reading the rows.
   *
   * A poll that a send or a node's message triggers early concerns only transactions in flight. The
   * rows are then read only once per poll interval. Two conditions must hold: the last read of the
   * rows found no obstacle and no quarantine, and the account's nonce on chain is not above the
   * ledger's next nonce.
   */
  #knowsRows({ accounts }: ChainHead, fence: bigint, nowMs: number): boolean {
    const read = this.#rowsRead;
    const account = accounts.get(this.lane.address);
    return (
      read !== null &&
      read.fence === fence &&
      nowMs - read.atMs < this.lane.settings.pollIntervalMs &&
      this.#obstacle === null &&
      this.#quarantine === null &&
      account !== undefined &&
      account.nonce <= (this.lane.nextNonce ?? -1n)
    );
  }

  /**
   * Compares the lane with the ledger. Depending on the result, introduces the lane to the ledger,
   * imports nonces that the chain has consumed, or starts a quarantine.
   */
  async #enter(head: ChainHead, state: LedgerState, behind: boolean): Promise<void> {
    const account: AccountState | undefined = head.accounts.get(this.lane.address);
    this.#keep(state);
    if (account === undefined || this.#row === null) {
      this.#obstacle = 'ACCOUNT_NOT_READ';
      return;
    }
    const { writes } = this.lane;
    this.#obstacle = await this.#entry.follow({
      row: this.#row,
      account,
      head,
      behind,
      canSign: this.isConfigured,
      state,
    });
    if (this.lane.writes !== writes) this.#keep(await this.lane.deps.ledger.state());
  }

  #keep({ lanes }: LedgerState): void {
    this.#row = lanes.find(({ address }) => address === this.lane.address) ?? null;
    this.lane.nextNonce = this.#row?.nextNonce ?? null;
  }

  async #sightingsOf(open: readonly OpenNonce[]): Promise<ReadonlyMap<Felt, TransactionStatus>> {
    const transactions = open.flatMap((nonce) => nonce.transactions);
    const hashes = transactions.map(({ hash }) => hash);
    const sentTo = new Map(
      transactions.flatMap(({ hash, claimNode }) =>
        claimNode === null ? [] : [[hash, claimNode]],
      ),
    );
    const answers =
      hashes.length === 0 ? [] : await this.lane.deps.reader.transactionStatuses(hashes, sentTo);
    return new Map(hashes.map((hash, index) => [hash, answers[index] ?? { kind: 'unknown' }]));
  }

  /**
   * @param open open nonces of the lane, lowest first, read before the node was queried for the
   *   hashes of their transactions
   */
  async #follow(
    head: ChainHead,
    open: readonly OpenNonce[],
    sightings: ReadonlyMap<Felt, TransactionStatus>,
    evidence: ChainEvidence | null,
  ): Promise<void> {
    const { lane } = this;
    this.#open = open;
    lane.rejections.keepOnly(new Set(open.map(({ row }) => row.nonce)));
    const accountNonce = head.accounts.get(this.lane.address)?.nonce ?? null;
    this.#obstacle ??= await this.#entry.judgeBelow(open, accountNonce);
    this.#watched = open.map((nonce) => ({
      nonce,
      sightings,
      passedByChain: (accountNonce ?? 0n) > nonce.row.nonce,
      unwanted: lane.cancellationReason(nonce),
    }));
    const isQuarantined = this.#quarantine !== null;
    const shown = open.map((nonce, index) => ({
      nonce,
      poll: {
        head,
        sightings,
        evidence,
        liveAbove: livesAbove(open, index),
        workWaits: this.isUsable && !this.#unclaimedGaps.has(nonce.row.nonce),
        isQuarantined,
        isJudged: lane.judge.isUpToChain,
        canSign: this.isConfigured,
      },
    }));
    // Write the chain results of all nonces at once, so that they share a commit. Then run the work
    // that may send one after another.
    const noted = await Promise.all(
      shown.map(({ nonce, poll }) =>
        lane.isolated(
          'recording the state of a nonce on chain',
          () => noteChain(lane, nonce, poll),
          nonceFields(nonce),
        ),
      ),
    );
    for (const { nonce, poll } of shown.filter((_one, index) => noted[index] === true))
      await lane.isolated(
        'following a nonce',
        () => followNonce(lane, nonce, poll),
        nonceFields(nonce),
      );
  }

  /** Chain head of the last poll; null if the head is too old for new work. */
  get #freshHead(): ChainHead | null {
    const { clock } = this.lane.deps;
    const livesMs = HEAD_LIVES_INTERVALS * this.lane.settings.idleIntervalMs;
    if (this.#seen === null || clock.monotonicMs() - this.#seen.atMs > livesMs) return null;
    return this.#seen.head;
  }

  get #quarantine(): Quarantine | null {
    return this.#row?.quarantine ?? null;
  }

  #standing(rejection = this.lane.sends.rejection): readonly [LaneState, string | null] {
    return stateOf({
      isHeld: this.lane.isHeld,
      isConfigured: this.isConfigured,
      isRetiring: this.lane.identity.isRetiring === true,
      obstacle: this.#obstacle,
      problem: this.#diagnosis.problem,
      row: this.#row,
      rejection,
      fill: this.#fill,
    });
  }
}

function livesAbove(open: readonly OpenNonce[], index: number): boolean {
  return open.slice(index + 1).some(hasLandable);
}

function hasLandable({ transactions }: OpenNonce): boolean {
  return transactions.some(isLandable);
}

/** Returns the log fields of a nonce. The lane adds the log fields that identify the lane. */
const nonceFields = ({ row, owner }: OpenNonce): LogFields => ({
  submission: owner?.id ?? null,
  nonce: String(row.nonce),
});
