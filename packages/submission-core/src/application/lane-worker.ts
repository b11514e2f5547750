import type { Felt } from '@sotto/kernel';
import type { LaneRoom } from '../domain/choose-lane.js';
import { boundsFor, type ResourceBounds } from '../domain/resource-bounds.js';
import type { Attempt, OpenNonce } from '../domain/rows.js';
import type { TransactionSighting } from '../domain/sighting.js';
import type { ChainHead } from '../ports/chain.port.js';
import { followNonce } from './follow-nonce.js';
import type { LaneContext } from './lane-context.js';
import { prepareAttempt } from './prepare-attempt.js';
import type { LaneIdentity } from './settings.js';
import type { Sender } from './sender.js';

/** What a lane can do now. */
export type LaneState = 'ready' | 'full' | 'short_of_funds' | 'held_elsewhere' | 'unknown';

/** What a lane has to give away, as its rows and the head say; `given` counts what has been taken of it since. */
export interface LaneOffer extends LaneRoom {
  readonly worker: LaneWorker;
  /** Free nonces below something that could land, lowest first. */
  readonly freeBelow: readonly bigint[];
  readonly given: number;
}

/** One account at work. Its writes come one after another; its sends do not wait for each other. */
export class LaneWorker {
  #state: LaneState = 'unknown';
  #turn: Promise<void> = Promise.resolve();
  #working = 0;
  #open: readonly OpenNonce[] = [];
  /** Free nonces that no waiting attempt took when they were offered. */
  #leftOver: ReadonlySet<bigint> = new Set();

  constructor(
    private readonly context: LaneContext,
    private readonly sender: Sender,
  ) {}

  get lane(): LaneIdentity {
    return this.context.lane;
  }

  get state(): LaneState {
    return this.isHeld ? this.#state : 'held_elsewhere';
  }

  get isHeld(): boolean {
    return this.context.lease.fence !== null;
  }

  /** Nobody has to wait here. */
  get isIdle(): boolean {
    return this.#working === 0;
  }

  /** Contracts called by what holds a nonce here, as it was last seen. */
  get targets(): readonly Felt[] {
    return this.#open.flatMap(({ owner }) => (owner === null ? [] : [owner.target.to]));
  }

  /** Something is undecided here, or being worked at. */
  get isBusy(): boolean {
    return this.isHeld && (!this.isIdle || this.#open.length > 0);
  }

  async hold(): Promise<boolean> {
    return (await this.context.lease.hold()) !== null;
  }

  whyUnwanted(nonce: OpenNonce): string | null {
    return this.context.whyUnwanted(nonce);
  }

  canPay(head: ChainHead, bounds: ResourceBounds): boolean {
    return this.context.canPay(head, bounds);
  }

  /** Rows first, then what they leave room for. */
  async offer(head: ChainHead): Promise<LaneOffer> {
    const open = await this.context.on.ledger.openNonces(this.lane.address);
    this.#open = open;
    const chainNonce = head.accounts.get(this.lane.address)?.nonce ?? 0n;
    const freeBelow = open.filter((nonce, index) => isFree(nonce) && nonce.row.nonce >= chainNonce && livesAbove(open, index));
    return {
      worker: this,
      room: this.context.settings.maxInFlightPerLane - open.filter(hasLandable).length,
      holes: freeBelow.length,
      freeBelow: freeBelow.map(({ row }) => row.nonce),
      balanceFri: this.context.balanceFri(head),
      given: 0,
    };
  }

  /** What became of an offer: free nonces that nobody took may now be filled. */
  offered({ room, given, freeBelow }: LaneOffer, head: ChainHead, couldNotPay: boolean): void {
    this.#leftOver = new Set(freeBelow.slice(given));
    const usual = boundsFor(this.context.settings.usualLimits ?? this.context.settings.noopLimits, head.gasPrices);
    this.#state = room <= 0 ? 'full' : couldNotPay || !this.context.canPay(head, usual) ? 'short_of_funds' : 'ready';
  }

  /** P': prepares and sends, in turn. */
  prepare(attempt: Attempt, head: ChainHead): Promise<void> {
    return this.#inTurn(() => prepareAttempt(this.context, this.sender, attempt, head));
  }

  /** @param open the lane's open nonces, lowest first, as they stood before the look at the chain */
  follow(open: readonly OpenNonce[], head: ChainHead, sightings: ReadonlyMap<Felt, TransactionSighting>): Promise<void> {
    return this.#inTurn(async () => {
      this.#open = open;
      this.context.refusals.keepOnly(new Set(open.map(({ row }) => row.nonce)));
      for (const [index, nonce] of open.entries()) {
        const look = { head, sightings, liveAbove: livesAbove(open, index), workWaits: !this.#leftOver.has(nonce.row.nonce) };
        await this.context.apart('following a nonce', () => followNonce(this.context, this.sender, nonce, look));
      }
    });
  }

  /** Lets sends that are under way end, then gives the lane back. */
  async stop(): Promise<void> {
    await this.#turn;
    await this.sender.idle();
    await this.context.lease.giveBack();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#working += 1;
    const turn = this.#turn.then(work).finally(() => {
      this.#working -= 1;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function isFree({ row, transactions }: OpenNonce): boolean {
  return row.owner === null && transactions.every(({ dead }) => dead);
}

function livesAbove(open: readonly OpenNonce[], index: number): boolean {
  return open.slice(index + 1).some(hasLandable);
}

function hasLandable({ transactions }: OpenNonce): boolean {
  return transactions.some(({ dead }) => !dead);
}
