import type { Felt, LogFields } from '@sotto/kernel';
import type { LaneRoom } from '../../domain/assign-lanes.js';
import type { ChainEvidence } from '../../domain/chain-evidence.js';
import type { RefusalCause } from '../../domain/events.js';
import { boundsFor } from '../../domain/resource-bounds.js';
import {
  isFree,
  isLandable,
  type Lane as LaneRow,
  type OpenNonce,
  type Quarantine,
} from '../../domain/rows.js';
import type { TransactionStatus } from '../../domain/sighting.js';
import type { StuckFacts } from '../../domain/stuck.js';
import type { AccountState, ChainHead } from '../../ports/chain.port.js';
import { mayLackRows, type LedgerState } from '../../ports/ledger.port.js';
import { bounded } from '../bounded.js';
import { closingRead } from './closing-read.js';
import { followNonce, noteChain } from './follow-nonce.js';
import type { Lane } from './lane.js';
import { LaneDiagnosis } from './lane-diagnosis.js';
import { LaneEntry } from './lane-entry.js';
import { stateOf, type LaneFill, type LaneState, type LaneStatus } from './lane-status.js';
import { SettledBlocks } from './settled-blocks.js';

/**
 * What a lane has to give away, as its rows and the head say; `given` counts what has been taken of
 * it since.
 */
export interface LaneCapacity extends LaneRoom {
  readonly worker: LaneWorker;
  readonly head: ChainHead;
  /** Free nonces below something that could land, lowest first. */
  readonly freeBelow: readonly bigint[];
  readonly given: number;
}

/** An open nonce as the last look showed it, for those who watch over all lanes. */
export interface WatchedNonce extends Pick<StuckFacts, 'sightings' | 'passedByChain' | 'unwanted'> {
  readonly nonce: OpenNonce;
}

interface Seen {
  readonly head: ChainHead;
  readonly atMs: number;
}

/** When a look has read the rows of the lane last, and under which fence. */
interface RowsRead {
  readonly fence: bigint;
  readonly atMs: number;
}

/** A look at the chain may serve new work for so many idle intervals. */
const HEAD_LIVES_INTERVALS = 3;

/**
 * One account at work, apart from all others. What may send comes one after another; what the chain
 * shows of its nonces is written at once, and its sends do not wait for each other.
 */
export class LaneWorker {
  readonly #diagnosis: LaneDiagnosis;
  readonly #entry: LaneEntry;
  readonly #settled: SettledBlocks;
  #fill: LaneFill = 'unknown';
  /** Why the chain, as the last look showed it, allows nothing. */
  #obstacle: string | null = 'NOT_LOOKED_AT';
  #row: LaneRow | null = null;
  #seen: Seen | null = null;
  #rowsRead: RowsRead | null = null;
  /** How often {@link forgetRows} was called: what a look under way has read may be older. */
  #rowsForgotten = 0;
  #open: readonly OpenNonce[] = [];
  #watched: readonly WatchedNonce[] = [];
  /** Free nonces that no waiting attempt took when they were offered. */
  #unclaimedGaps: ReadonlySet<bigint> = new Set();

  constructor(
    readonly lane: Lane,
    private readonly isConfigured = true,
  ) {
    this.#diagnosis = new LaneDiagnosis(lane);
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
   * True if it may assign a nonce, as far as is known before its rows are read. A lane whose sends
   * are refused may: otherwise no send could end that state.
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

  /** It could give something away now, or has just given all away. */
  get canOffer(): boolean {
    return this.lane.isHeld && this.isUsable && this.#freshHead !== null;
  }

  /**
   * When the chain was last read for it, by this process's monotonic clock; null before the first
   * time.
   */
  get lookedAtMs(): number | null {
    return this.#seen?.atMs ?? null;
  }

  get head(): ChainHead | null {
    return this.#seen?.head ?? null;
  }

  /** Contracts called by what holds a nonce here, as it was last seen. */
  get targets(): readonly Felt[] {
    return this.#open.flatMap(({ owner }) => (owner === null ? [] : [owner.target.to]));
  }

  /** Something is undecided here, or being worked at. */
  get isBusy(): boolean {
    const { isHeld, isIdle } = this.lane;
    return isHeld && (!isIdle || this.#open.length > 0 || this.#quarantine !== null);
  }

  /** Every open nonce as the last look showed it. */
  get watched(): readonly WatchedNonce[] {
    return this.lane.isHeld ? this.#watched : [];
  }

  /** What a refusal for a reason of the account is about. */
  diagnose(hasOtherLane: boolean): Promise<RefusalCause | null> {
    return this.#diagnosis.causeOf(hasOtherLane);
  }

  /**
   * One look at the chain and all that follows from it for this lane; given up when it takes too
   * long. Rejects with a `DomainError`.
   */
  async look(): Promise<void> {
    const { clock } = this.lane.deps;
    try {
      await bounded(clock, this.lane.settings.lookTimeoutMs, this.#look());
    } catch (error) {
      this.lane.giveUpTurns();
      this.#rowsRead = null;
      throw error;
    }
  }

  /** What is open first, then what that leaves room for. Null while it can give nothing away. */
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
      isRefused: this.lane.sends.refusal !== null,
      given: 0,
    };
  }

  /** What became of an offer: free nonces that no attempt took may now be filled. */
  offered({ freeSlots, given, freeBelow, head }: LaneCapacity, couldNotPay: boolean): void {
    this.#unclaimedGaps = new Set(freeBelow.slice(given));
    const usual = boundsFor(
      this.lane.settings.usualLimits ?? this.lane.settings.noopLimits,
      head.gasPrices,
    );
    this.#fill =
      freeSlots <= 0
        ? 'full'
        : couldNotPay || !this.lane.canPay(head, usual)
          ? 'short_of_funds'
          : 'ready';
  }

  /** Lets sends that are under way end, then gives the lane back, or leaves it to run out. */
  async stop(): Promise<void> {
    const { lane } = this;
    await lane.inTurn(async () => {});
    await lane.sender.idle();
    await lane.isolated('giving the lane back', () =>
      bounded(lane.deps.clock, lane.settings.lookTimeoutMs, lane.lease.giveBack()),
    );
  }

  /** Takes nothing until the next look, which reads the rows, however lately the last one did. */
  forgetRows(): void {
    this.#obstacle ??= 'NOT_LOOKED_AT';
    this.#rowsRead = null;
    this.#rowsForgotten += 1;
  }

  async #look(): Promise<void> {
    const { lane } = this;
    const { ledger, reader, clock } = lane.deps;
    const fence = await lane.lease.hold();
    if (fence === null) {
      this.#watched = [];
      return;
    }
    // The chain before the rows, so that rows are never older than the evidence.
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
    const atMs = clock.monotonicMs();
    const readsRows = !this.#knowsRows(head, fence, atMs);
    const forgotten = this.#rowsForgotten;
    if (readsRows)
      await lane.inTurn(async () => {
        const state = await ledger.state();
        lane.storeTime.read(state.nowMs);
        await this.#enter(head, state, mayLackRows(state));
      });
    // Not in turn: new work need not wait for what the node says, and commands name the versions of
    // these rows.
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
  }

  /**
   * A look that is brought forward, by a send or by a message of the node, is about what is in
   * flight: where the last one found the lane in order, and the chain has not passed it, rows are
   * read again at the interval of the settings only.
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
   * Compares the lane with the ledger: introduces it, imports what the chain has passed, or puts it
   * into quarantine.
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
   * @param open the lane's open nonces, lowest first, as they stood before the node was asked for
   *   their hashes
   */
  async #follow(
    head: ChainHead,
    open: readonly OpenNonce[],
    sightings: ReadonlyMap<Felt, TransactionStatus>,
    evidence: ChainEvidence | null,
  ): Promise<void> {
    const { lane } = this;
    this.#open = open;
    lane.refusals.keepOnly(new Set(open.map(({ row }) => row.nonce)));
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
      look: {
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
    // At once, so that they share a commit; then in turn what may send.
    const noted = await Promise.all(
      shown.map(({ nonce, look }) =>
        lane.isolated(
          'noting what the chain shows',
          () => noteChain(lane, nonce, look),
          nonceFields(nonce),
        ),
      ),
    );
    for (const { nonce, look } of shown.filter((_one, index) => noted[index] === true))
      await lane.isolated(
        'following a nonce',
        () => followNonce(lane, nonce, look),
        nonceFields(nonce),
      );
  }

  /** Of a look that may serve new work. */
  get #freshHead(): ChainHead | null {
    const { clock } = this.lane.deps;
    const livesMs = HEAD_LIVES_INTERVALS * this.lane.settings.idleIntervalMs;
    if (this.#seen === null || clock.monotonicMs() - this.#seen.atMs > livesMs) return null;
    return this.#seen.head;
  }

  get #quarantine(): Quarantine | null {
    return this.#row?.quarantine ?? null;
  }

  #standing(refusal = this.lane.sends.refusal): readonly [LaneState, string | null] {
    return stateOf({
      isHeld: this.lane.isHeld,
      isConfigured: this.isConfigured,
      isRetiring: this.lane.identity.isRetiring === true,
      obstacle: this.#obstacle,
      problem: this.#diagnosis.problem,
      row: this.#row,
      refusal,
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

/** Fields of a line about a nonce; the lane adds its own. */
const nonceFields = ({ row, owner }: OpenNonce): LogFields => ({
  submission: owner?.id ?? null,
  nonce: String(row.nonce),
});
