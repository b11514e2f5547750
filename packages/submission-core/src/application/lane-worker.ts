import type { Felt } from '@sotto/kernel';
import type { OpenNonce } from '../domain/rows.js';
import type { TransactionSighting } from '../domain/sighting.js';
import type { ChainHead } from '../ports/chain.port.js';
import { followNonce } from './follow-nonce.js';
import type { LaneContext } from './lane-context.js';
import type { LaneIdentity } from './settings.js';
import type { Sender } from './sender.js';
import { takeWork, type LaneState } from './take-work.js';

/** One account at work. Its writes come one after another; its sends do not wait for each other. */
export class LaneWorker {
  #state: LaneState = 'unknown';
  #turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: LaneContext,
    private readonly sender: Sender,
  ) {}

  get lane(): LaneIdentity {
    return this.context.lane;
  }

  get state(): LaneState {
    return this.context.lease.fence === null ? 'held_elsewhere' : this.#state;
  }

  async hold(): Promise<boolean> {
    return (await this.context.lease.hold()) !== null;
  }

  takeWork(head: ChainHead): Promise<void> {
    return this.#inTurn(async () => {
      this.#state = await takeWork(this.context, this.sender, head);
    });
  }

  /** @param open the lane's open nonces, lowest first, as they stood before the look at the chain */
  follow(open: readonly OpenNonce[], head: ChainHead, sightings: ReadonlyMap<Felt, TransactionSighting>): Promise<void> {
    return this.#inTurn(async () => {
      const waiting = this.#state === 'ready' ? await this.context.on.ledger.waiting(this.lane.role, 1) : [];
      for (const [index, nonce] of open.entries()) {
        const liveAbove = open.slice(index + 1).some(({ transactions }) => transactions.some(({ dead }) => !dead));
        const look = { head, sightings, liveAbove, workWaits: waiting.length > 0 };
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
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
